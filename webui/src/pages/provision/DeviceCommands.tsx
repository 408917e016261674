import type { Json } from '../../api/client';
import { at } from '../../resources/declarations';
import type { Protocol } from './hostCommands';
import { HostCommands } from './HostCommands';

interface Props {
  /** A LUN or namespace, with its maps. */
  record: Json;
  isGrown?: boolean;
}

/** What is typed on the hosts that see a LUN or namespace; nothing where none does. */
export function DeviceCommands({ record, isGrown = false }: Props) {
  const protocol: Protocol = record['serial_number'] === undefined ? 'nvme_tcp' : 'iscsi';
  const shown = protocol === 'iscsi' ? at(record, 'lun_maps.igroup.name') : undefined;
  const subsystem = at(record, 'subsystem_map.subsystem.name');
  const groups = protocol === 'iscsi' ? ((shown ?? []) as string[]) : subsystem ? [subsystem] : [];
  const identity = String(record['serial_number'] ?? record['uuid']);
  return groups.map((group) => (
    <HostCommands
      key={String(group)}
      svm={String(at(record, 'svm.name'))}
      protocol={protocol}
      group={String(group)}
      device={{ identity }}
      isGrown={isGrown}
      isFolded={!isGrown}
    />
  ));
}

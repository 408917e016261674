import { useQuery } from '@tanstack/react-query';

import type { Json } from '../../api/client';
import { at } from '../../resources/declarations';
import { type Device, protocolsOf } from './commandParts';
import { HostCommands } from './HostCommands';
import { groupQuery } from './situation';

interface Props {
  /** A LUN or namespace, with its maps. */
  record: Json;
  isGrown?: boolean;
}

/** What is typed on the hosts that see a LUN or namespace; nothing where none does. */
export function DeviceCommands({ record, isGrown = false }: Props) {
  const serial = record['serial_number'];
  const shown = { svm: String(at(record, 'svm.name')), isGrown, isFolded: !isGrown };
  if (serial !== undefined) {
    const igroups = (at(record, 'lun_maps.igroup.name') ?? []) as string[];
    return igroups.map((igroup) => (
      <LunCommands key={igroup} {...shown} group={igroup} device={{ identity: String(serial) }} />
    ));
  }
  const subsystem = at(record, 'subsystem_map.subsystem.name');
  const device = { identity: String(record['uuid']) };
  return subsystem ? (
    <HostCommands {...shown} protocol="nvme_tcp" group={String(subsystem)} device={device} />
  ) : null;
}

interface Shown {
  svm: string;
  group: string;
  device: Device;
  isGrown: boolean;
  isFolded: boolean;
}

/** What is typed on the hosts of an igroup, by each protocol of its initiators. */
function LunCommands(shown: Shown) {
  const { data: group } = useQuery(groupQuery(shown.svm, 'iscsi', shown.group));
  return protocolsOf(group?.hosts ?? []).map((protocol) => (
    <HostCommands key={protocol} {...shown} protocol={protocol} />
  ));
}

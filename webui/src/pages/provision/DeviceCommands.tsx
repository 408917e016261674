import { useQuery } from '@tanstack/react-query';

import type { Json } from '../../api/client';
import { Loading } from '../../base/Loading';
import { at } from '../../declarations/declarations';
import { type Device, protocolsOf, reachedAt } from './commandParts';
import { HostCommands } from './HostCommands';
import { groupQuery, situationQuery } from './situation';

interface Props {
  /** A LUN or namespace, with its maps. */
  record: Json;
  isGrown?: boolean;
}

/** Commands for the hosts that see a LUN or namespace; nothing where none does. */
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
    <NamespaceCommands {...shown} group={String(subsystem)} device={device} />
  ) : null;
}

interface Shown {
  svm: string;
  group: string;
  device: Device;
  isGrown: boolean;
  isFolded: boolean;
}

/** Commands for the hosts of an igroup, by each protocol of its initiators. */
function LunCommands(shown: Shown) {
  const { data: group, isPending } = useQuery(groupQuery(shown.svm, 'iscsi', shown.group));
  if (isPending) return <Loading isLine />;
  return protocolsOf(group?.hosts ?? []).map((protocol) => (
    <HostCommands key={protocol} {...shown} protocol={protocol} />
  ));
}

/** Commands for the hosts of a subsystem, by each protocol by which they reach the SVM. */
function NamespaceCommands(shown: Shown) {
  const tcp = useQuery(situationQuery(shown.svm, 'nvme_tcp'));
  const fc = useQuery(situationQuery(shown.svm, 'nvme_fc'));
  if (tcp.isPending || fc.isPending) return <Loading isLine />;
  const [byTcp, byFc] = [tcp.data, fc.data];
  if (!byTcp || !byFc) return null;
  const isReachedByFc = reachedAt(byFc).length > 0;
  return (
    <>
      {(reachedAt(byTcp).length > 0 || !isReachedByFc) && (
        <HostCommands {...shown} protocol="nvme_tcp" />
      )}
      {isReachedByFc && <HostCommands {...shown} protocol="nvme_fc" />}
    </>
  );
}

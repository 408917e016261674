/** Hosts, their paths and refused hosts, in the array's answers. */
export const HOSTS = 'protocols/san/hosts';
export const PATHS = 'protocols/san/paths';
export const REFUSED = 'protocols/san/refused-initiators';
export const IGROUPS = 'protocols/san/igroups';

export interface Named {
  name: string;
  uuid: string;
}

export interface Host {
  svm: Named;
  uuid: string;
  name: string;
  initiator: { name: string };
  state: string;
  since?: string;
  addresses?: string[];
  transport_protocols?: string[];
  igroups?: Named[];
  subsystems?: Named[];
  paths: { total: number; connected: number; lost: number; narrow: number };
}

export interface Path {
  svm: Named;
  uuid: string;
  initiator: { name: string; addresses?: string[] };
  transport_protocol: string;
  interface: Named & { ip?: { address: string }; wwpn?: string; state: string; mtu?: number };
  igroups?: Named[];
  subsystem?: Named;
  luns?: Named[];
  namespaces?: Named[];
  state: string;
  since?: string;
  message: string;
  mtu?: number | null;
}

export const isBroken = ({ state }: Path) => state === 'lost' || state === 'lif_down';
/** Whether packets as large as the port's MTU do not pass. */
export const isNarrow = ({ mtu, interface: lif }: Path) => Boolean(mtu && lif.mtu && mtu < lif.mtu);

export interface Refused {
  svm: Named;
  uuid: string;
  initiator: { name: string; address?: string };
  transport_protocol?: string;
  interface?: Named & { wwpn?: string };
  subsystem?: Named;
  reason: string;
  count: number;
  last_time: string;
  message: string;
}

/** The page of a LIF, or of a Fibre Channel interface, which has a world wide name. */
export const interfacePage = ({ uuid, wwpn }: { uuid: string; wwpn?: string }) =>
  `/network/${wwpn ? 'fc' : 'ip'}/interfaces/${uuid}`;

/** A name with its beginning and its end, by which NQNs and paths of LUNs differ. */
export function cut(name: string, most: number): string {
  const ends = Math.floor((most - 1) / 2);
  return name.length > most ? `${name.slice(0, ends)}…${name.slice(-ends)}` : name;
}

export const keyOf = ({ svm, uuid }: { svm: Named; uuid: string }) => `${svm.uuid}/${uuid}`;

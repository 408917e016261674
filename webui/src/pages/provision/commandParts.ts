/** The common parts of the commands for hosts of all systems. */
export type Protocol = 'iscsi' | 'srp' | 'fcp' | 'nvme_tcp' | 'nvme_fc';

export const isNvme = (protocol: Protocol) => protocol.startsWith('nvme');
export const isFibreChannel = (protocol: Protocol) => ['fcp', 'nvme_fc'].includes(protocol);

/** A kind of RDMA. */
export type Rdma = 'roce' | 'iwarp';

/**
 * The target of a host: the target's IQN, the identifier of the targets for SRP, or the subsystem's
 * NQN, at the LIFs of the SVM. At some it may connect over RDMA instead; by SRP it always does. Of
 * Fibre Channel the addresses are the interfaces' WWPNs, by NVMe with their WWNNs, nn-0x…:pn-0x….
 */
export interface Target {
  protocol: Protocol;
  name: string;
  addresses: readonly string[];
  rdmaAddresses: Readonly<Record<Rdma, readonly string[]>>;
}

/** The device on the host: the serial number of a LUN, or the UUID of a namespace. */
export interface Device {
  identity: string;
}

/** Commands that belong together. `title` is a text of the source language. */
export interface Part {
  title: string;
  text: string;
}

/** Return the commands to connect. `hosts` are the names that the array admits. */
export type Connecting = (target: Target, hosts: readonly string[], device?: Device) => Part[];
export type Growing = (target: Target, device: Device) => Part[];

export const PORTS = { iscsi: 3260, srp: 5555, nvme_tcp: 4420 } as const;

export const TITLES = {
  install: 'Install the packages',
  adapters: 'Prepare RDMA',
  admitted: 'Compare the name of the host',
  paths: 'Prepare multipathing',
  connect: 'Discover and connect on every interface',
  logIn: 'Log in on every interface',
  scan: 'Look for the LUNs at every port',
  connectPorts: 'Connect through every port',
  rdma: 'Or connect over RDMA',
  iwarp: 'Connect over RDMA by iWARP',
  look: 'Look at the disks',
  rescan: 'See the new size',
  fileSystem: 'Grow the file system',
} as const;

/** Where hosts reach a target: by iWARP alone at some addresses, over RoCE at others too. */
export const reachedAt = ({
  addresses,
  rdmaAddresses,
}: Pick<Target, 'addresses' | 'rdmaAddresses'>) => [...addresses, ...rdmaAddresses.iwarp];

const isIpv6 = (address: string) => address.includes(':');

export const portal = (address: string, port: number) =>
  `${isIpv6(address) ? `[${address}]` : address}:${port}`;

export const lines = (...all: (string | readonly string[])[]) => all.flat().join('\n');

/** The names of the hosts, beside the command that prints the name of a host. */
export const expected = (hosts: readonly string[]) => hosts.map((name) => `# ${name}`);

/** A world wide name as the hosts' systems write it. */
export const hexadecimal = (wwn: string) => `0x${wwn.replaceAll(':', '')}`;

const BEGINS: Record<Protocol, RegExp> = {
  iscsi: /^(iqn|eui)\./,
  srp: /^0x/,
  fcp: /^([0-9a-f]{2}:){7}/,
  nvme_tcp: /^nqn\./,
  nvme_fc: /^nqn\./,
};

/** Return those of some hosts that come by a protocol, by their names. */
export const hostsBy = (protocol: Protocol, hosts: readonly string[]) =>
  hosts.filter((name) => BEGINS[protocol].test(name));

/** Return by which protocols the hosts of an igroup come. */
export const protocolsOf = (hosts: readonly string[]) =>
  (['iscsi', 'srp', 'fcp'] as const).filter((protocol) => hostsBy(protocol, hosts).length);

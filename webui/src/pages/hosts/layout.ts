/**
 * Where the parts of a drawing are: columns of nodes, and the lines between them.
 *
 * Nodes have one size and their columns are centred, so that all follows from the numbers of nodes
 * and nothing is measured.
 */
import { type Host, HOSTS, interfacePage, type Named, type Path } from './records';

export const NODE = { width: 190, height: 70 };
const GAP = { across: 46, down: 10 };
/** LUNs and namespaces that a drawing shows by name. */
const MOST = 8;

export type Kind = 'host' | 'initiator' | 'interface' | 'group' | 'device' | 'more';

export interface Node {
  id: string;
  kind: Kind;
  text: string;
  detail?: string;
  /** Of an interface: the transport; it may serve several. */
  transport?: string;
  state?: string;
  since?: string;
  message?: string;
  to: string;
  x: number;
  y: number;
}

export interface Line {
  from: string;
  to: string;
  /** The state of the paths that it stands for, '' where it has none. */
  state: string;
  d: string;
}

export interface Layout {
  width: number;
  height: number;
  columns: Node[][];
  lines: Line[];
}

/** States of paths, the worst first. */
export const RANKS = ['lost', 'lif_down', 'not_served', 'never', 'connected'];
export const rank = (state: string) => RANKS.indexOf(state);
const worst = (paths: readonly Path[]) =>
  [...paths].sort((one, other) => rank(one.state) - rank(other.state))[0]!;

type Drawn = Omit<Node, 'x' | 'y'>;

/** The drawing of a host's paths; lost ones come first. */
export function layout(host: Host, paths: readonly Path[]): Layout {
  const tablePage = `/hosts?${new URLSearchParams({ view: 'table', 'initiator.name': host.initiator.name })}`;
  const lines = new Map<string, { from: string; to: string; state: string }>();
  const connect = (from: string, to: string, state: string) => {
    const known = lines.get(`${from} ${to}`);
    if (!known || rank(state) < rank(known.state)) lines.set(`${from} ${to}`, { from, to, state });
  };
  const devices = new Map<string, Drawn>();
  const groups = new Map<string, Drawn>();
  const hidden = new Map<string, number>();
  const interfaces = [
    ...grouped(paths, ({ interface: lif, transport_protocol: by }) => `${lif.uuid} ${by}`),
  ]
    .map(([id, some]) => ({ id, some, path: worst(some) }))
    .sort((one, other) => rank(one.path.state) - rank(other.path.state));

  for (const { id, some } of interfaces)
    for (const path of some) {
      connect('initiator', id, path.state);
      for (const group of groupsOf(path)) {
        groups.set(group.uuid, group.node);
        connect(id, group.uuid, path.state);
      }
    }
  for (const path of paths)
    for (const device of devicesOf(path)) {
      if (devices.size >= MOST && !devices.has(device.id)) hidden.set(device.id, 1);
      else devices.set(device.id, device);
    }
  const more: Drawn | undefined = hidden.size
    ? { id: 'more', kind: 'more', text: String(hidden.size), to: tablePage }
    : undefined;
  // A path does not say which of its igroups shows a LUN: with several it hangs on all of them.
  for (const path of paths)
    for (const group of groupsOf(path))
      for (const device of devicesOf(path))
        connect(
          group.uuid,
          devices.has(device.id) ? device.id : 'more',
          path.state === 'connected' ? 'connected' : '',
        );

  connect('host', 'initiator', '');
  const columns = place([
    [
      {
        id: 'host',
        kind: 'host',
        text: host.name,
        detail: host.svm.name,
        state: host.state,
        ...(host.since && { since: host.since }),
        to: `/${HOSTS}/${host.svm.uuid}/${host.uuid}`,
      },
    ],
    [
      {
        id: 'initiator',
        kind: 'initiator',
        text: host.initiator.name,
        detail: host.addresses?.join(', ') ?? '',
        to: tablePage,
      },
    ],
    interfaces.map(({ id, path }) => ({
      id,
      kind: 'interface' as const,
      text: path.interface.name,
      detail: path.interface.ip?.address ?? path.interface.wwpn ?? '',
      transport: path.transport_protocol,
      state: path.state,
      ...(path.since && { since: path.since }),
      message: path.message,
      to: interfacePage(path.interface),
    })),
    [...groups.values()],
    [...devices.values(), ...(more ? [more] : [])],
  ]);
  const nodes = new Map(columns.flat().map((node) => [node.id, node]));
  return {
    width: columns.length * NODE.width + (columns.length - 1) * GAP.across,
    height: Math.max(...columns.map(heightOf)),
    columns,
    lines: [...lines.values()].map((line) => ({
      ...line,
      d: curve(nodes.get(line.from)!, nodes.get(line.to)!),
    })),
  };
}

function grouped<Entry>(all: readonly Entry[], key: (entry: Entry) => string) {
  const groups = new Map<string, Entry[]>();
  for (const each of all) groups.set(key(each), [...(groups.get(key(each)) ?? []), each]);
  return groups;
}

function groupsOf(path: Path): { uuid: string; node: Drawn }[] {
  const node = (group: Named, resource: string): { uuid: string; node: Drawn } => ({
    uuid: group.uuid,
    node: {
      id: group.uuid,
      kind: 'group',
      text: group.name,
      detail: resource === 'protocols/nvme/subsystems' ? 'NVMe' : 'SCSI',
      to: `/${resource}/${group.uuid}`,
    },
  });
  return [
    ...(path.igroups ?? []).map((group) => node(group, 'protocols/san/igroups')),
    ...(path.subsystem ? [node(path.subsystem, 'protocols/nvme/subsystems')] : []),
  ];
}

function devicesOf(path: Path): Drawn[] {
  const node = (device: Named, resource: string): Drawn => ({
    id: device.uuid,
    kind: 'device',
    text: device.name,
    to: `/${resource}/${device.uuid}`,
  });
  return [
    ...(path.luns ?? []).map((lun) => node(lun, 'storage/luns')),
    ...(path.namespaces ?? []).map((namespace) => node(namespace, 'storage/namespaces')),
  ];
}

const heightOf = (column: readonly unknown[]) =>
  column.length * NODE.height + Math.max(0, column.length - 1) * GAP.down;

function place(columns: readonly Drawn[][]): Node[][] {
  const height = Math.max(...columns.map(heightOf));
  return columns.map((column, number) =>
    column.map((node, index) => ({
      ...node,
      x: number * (NODE.width + GAP.across),
      y: (height - heightOf(column)) / 2 + index * (NODE.height + GAP.down),
    })),
  );
}

function curve(from: Node, to: Node): string {
  const [x, y] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [endX, endY] = [to.x, to.y + NODE.height / 2];
  const middle = (x + endX) / 2;
  return `M${x} ${y} C${middle} ${y} ${middle} ${endY} ${endX} ${endY}`;
}

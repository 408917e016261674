/** The forms of the guide's steps: a few fields of a resource each, with their first values. */
import { call, type Json, type Page } from '../../api/client';
import { at } from '../../declarations/declarations';
import type { Values } from '../../resources/form/values';
import type { StepName } from './setup';

export interface StepForm {
  resource: string;
  fields: string[];
  /** Values that are sent besides. */
  fixed?: Json;
  /** Return the first values of the fields. */
  begin: () => Promise<Values>;
}

const LIFS = 'network/ip/interfaces';
const NETMASK = '24';

export const forms: Partial<Record<StepName, StepForm>> = {
  time: {
    resource: 'cluster/ntp/servers',
    fields: ['server'],
    begin: () => Promise.resolve({}),
  },
  management: {
    resource: LIFS,
    fields: ['name', 'ip.address', 'ip.netmask', 'location.home_port.name'],
    fixed: { scope: 'cluster' },
    begin: async () => ({
      name: await freeName(LIFS, 'mgmt'),
      'ip.netmask': NETMASK,
      'location.home_port.name': await port(MANAGEMENT),
    }),
  },
  aggregate: {
    resource: 'storage/aggregates',
    fields: ['name', 'block_storage.primary.disk_count', 'block_storage.primary.raid_type'],
    begin: async () => ({
      name: await freeName('storage/aggregates', 'aggr'),
      'block_storage.primary.disk_count': String(mostAlike(await spares())),
    }),
  },
  svm: {
    resource: 'svm/svms',
    fields: ['name', 'iscsi.enabled', 'nvme.enabled'],
    begin: async () => ({
      name: await freeName('svm/svms', 'svm'),
      'iscsi.enabled': true,
      'nvme.enabled': true,
    }),
  },
  data_interfaces: {
    resource: LIFS,
    fields: ['svm', 'name', 'ip.address', 'ip.netmask', 'location.home_port.name'],
    begin: async () => {
      const [svm] = await records('svm/svms', 'name');
      return {
        ...(svm && { svm: { name: String(svm['name']), uuid: String(svm['uuid']) } }),
        name: await freeName(LIFS, 'data'),
        'ip.netmask': NETMASK,
        'location.home_port.name': await port(DATA),
      };
    },
  },
};

async function records(path: string, fields: string, query: Json = {}): Promise<Json[]> {
  const page = await call<Page>('GET', path, { ...(query as Record<string, string>), fields });
  return page.records;
}

async function freeName(path: string, beginning: string): Promise<string> {
  const names = new Set((await records(path, 'name')).map(({ name }) => name));
  let number = 1;
  while (names.has(`${beginning}${number}`)) number += 1;
  return `${beginning}${number}`;
}

const MANAGEMENT = 'e0M';
const DATA = '';

/** Return the port of a name, or the first one for data: with a link, and with fewest interfaces. */
async function port(proposed: string): Promise<string> {
  const [ports, lifs] = await Promise.all([
    records('network/ethernet/ports', 'name,state,type'),
    records(LIFS, 'location.home_port.name'),
  ]);
  const names = ports.map(({ name }) => String(name));
  if (proposed && names.includes(proposed)) return proposed;
  const weight = (each: Json) =>
    lifs.filter((lif) => at(lif, 'location.home_port.name') === each['name']).length +
    (each['state'] === 'up' ? 0 : ports.length + lifs.length);
  const free = ports.filter(({ name }) => name !== MANAGEMENT);
  const [best] = free.sort((one, other) => weight(one) - weight(other));
  return String(best?.['name'] ?? names[0] ?? '');
}

/** Disks that may be part of an aggregate now. */
function spares(): Promise<Json[]> {
  return records('storage/disks', 'class,type', { container_type: 'spare', state: 'present' });
}

/** Return how many disks are of the most frequent kind: an aggregate has one kind. */
export function mostAlike(disks: readonly Json[]): number {
  const kinds = Map.groupBy(disks, (disk) => `${String(disk['class'])} ${String(disk['type'])}`);
  return Math.max(0, ...[...kinds.values()].map((alike) => alike.length));
}

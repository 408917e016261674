import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client';
import { every, seldom } from '../../base/activity';

/** The fields behind the condition of a disk (`conditionOfDisk`). */
export const OF_CONDITION = [
  'state',
  'container_type',
  'health.passed',
  'rated_life_used_percent',
  'temperature',
  'temperature_limit',
];
const FIELDS = [
  ...OF_CONDITION,
  'name',
  'node.name',
  'content',
  'type',
  'usable_size',
  'aggregates',
  'raid_group',
  'shelf.uid',
  'bay',
  'location_led',
  'serial_number',
].join(',');

export const disksQuery = queryOptions({
  queryKey: ['disks-by-shelf'],
  meta: { shows: ['storage/disks'] },
  queryFn: async () => {
    const query = { fields: FIELDS, max_records: 10_000 };
    return (await api.GET('/storage/disks', { params: { query } })).data?.records ?? [];
  },
  refetchInterval: () => seldom(15),
});

export const shelvesQuery = queryOptions({
  queryKey: ['shelves'],
  meta: { shows: ['storage/shelves'] },
  queryFn: async () => {
    const query = { fields: '*' };
    return (await api.GET('/storage/shelves', { params: { query } })).data?.records ?? [];
  },
  refetchInterval: () => every(15),
});

/** The array at a glance, in one answer. */
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client';
import { every } from '../../base/activity';
import { ANYTHING } from '../../base/freshness';
import type { components } from '../../generated/api';

export type Overview = components['schemas']['cluster_overview'];
export type ObjectCount = NonNullable<Overview['objects']>[number];

export const overviewQuery = queryOptions({
  queryKey: ['dashboard'],
  meta: { shows: [ANYTHING] },
  queryFn: async () =>
    (await api.GET('/cluster/overview', { params: { query: { fields: '*' } } })).data!,
  refetchInterval: () => every(15),
});

import { queryOptions, useQuery } from '@tanstack/react-query';

import { api } from '../../api/client';
import { seldom } from '../../base/activity';

export const ALERTS_PAGE = '/support/ems/events?active=true&order_by=index+desc';

/** The conditions that last and that nobody has acknowledged, newest first. */
export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  meta: { shows: ['support/ems/events'] },
  queryFn: async () => {
    const query = {
      active: 'true',
      'acknowledged.state': 'false',
      fields: 'time,message,log_message',
      order_by: 'index desc',
      max_records: 100,
    };
    const { data } = await api.GET('/support/ems/events', { params: { query } });
    return data?.records ?? [];
  },
  refetchInterval: () => seldom(30),
});

/** The number of alerts. */
export function useAlerts(): number {
  return useQuery(alertsQuery).data?.length ?? 0;
}

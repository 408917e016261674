import { queryOptions, useQuery } from '@tanstack/react-query';

import { api } from '../api/client';
import { every } from './activity';
import { kept, useStore } from './store';

const SEVERE = 'emergency|alert|error';

export const ALERTS_PAGE = `/support/ems/events?message.severity=${encodeURIComponent(SEVERE)}&order_by=index+desc`;

/** The latest events that want attention, newest first. */
export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: async () => {
    const query = {
      'message.severity': SEVERE,
      fields: 'time,message,log_message',
      order_by: 'index desc',
      max_records: 100,
    };
    const { data } = await api.GET('/support/ems/events', { params: { query } });
    return data?.records ?? [];
  },
  refetchInterval: () => every(30),
});

const seen = kept('seen-events', '0');

/** The number of alerts since the list of them was last looked at. */
export function useUnread(): number {
  const { data = [] } = useQuery(alertsQuery);
  const last = Number(useStore(seen));
  return data.filter((event) => (event.index ?? 0) > last).length;
}

/** Remember that events up to this one have been looked at. */
export function markSeen(index: number): void {
  if (index > Number(seen.get())) seen.set(String(index));
}

/** The queries of the page of hosts, which are repeated all the time. */
import { queryOptions } from '@tanstack/react-query';

import { address, type Query, send } from '../../api/client';
import { every } from '../../base/activity';
import { type Host, HOSTS, keyOf, type Path, PATHS, REFUSED, type Refused } from './records';

/** The array looks at logins and LIFs every 5 seconds; the page shows a broken path within 10. */
const SECONDS = 4;
const MOST = 10_000;

/** Read a whole collection. The request is marked as a poll, so that the session may end meanwhile. */
async function poll<Record>(path: string, query: Query, signal: AbortSignal): Promise<Record[]> {
  const place = address(path, { ...query, max_records: MOST });
  const request = new Request(place, { signal, headers: { 'X-Sanstone-Poll': 'true' } });
  return ((await (await send(request)).json()) as { records: Record[] }).records;
}

export const hostsQuery = queryOptions({
  queryKey: ['hosts'],
  queryFn: ({ signal }) => poll<Host>(HOSTS, { fields: '*' }, signal),
  refetchInterval: () => every(SECONDS),
});

export const refusedQuery = queryOptions({
  queryKey: ['refused'],
  queryFn: ({ signal }) =>
    poll<Refused>(REFUSED, { fields: '*', order_by: 'last_time desc' }, signal),
  refetchInterval: () => every(SECONDS),
});

export const pathsQuery = (host: Host) =>
  queryOptions({
    queryKey: ['paths', keyOf(host)],
    queryFn: ({ signal }) =>
      poll<Path>(
        PATHS,
        { 'host.uuid': host.uuid, 'svm.uuid': host.svm.uuid, fields: '*,luns,namespaces' },
        signal,
      ),
    refetchInterval: () => every(SECONDS),
  });

/** Hosts, their paths and who is refused, as the array tells of them, asked anew all the time. */
import { queryOptions } from '@tanstack/react-query';

import { address, type Query, send } from '../../api/client';
import { every } from '../../shell/activity';

export const HOSTS = 'protocols/san/hosts';
export const PATHS = 'protocols/san/paths';
export const REFUSED = 'protocols/san/refused-initiators';
export const IGROUPS = 'protocols/san/igroups';

/** The array looks at logins and LIFs every 5 seconds; what is broken is to be seen within 10. */
const SECONDS = 4;
const MOST = 10_000;

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
  paths: { total: number; connected: number; lost: number };
}

export interface Path {
  svm: Named;
  uuid: string;
  initiator: { name: string; addresses?: string[] };
  transport_protocol: string;
  interface: Named & { ip: { address: string }; state: string };
  igroups?: Named[];
  subsystem?: Named;
  luns?: Named[];
  namespaces?: Named[];
  state: string;
  since?: string;
  message: string;
}

export interface Refused {
  svm: Named;
  uuid: string;
  initiator: { name: string; address?: string };
  transport_protocol?: string;
  interface?: Named;
  subsystem?: Named;
  reason: string;
  count: number;
  last_time: string;
  message: string;
}

export const keyOf = ({ svm, uuid }: { svm: Named; uuid: string }) => `${svm.uuid}/${uuid}`;

/** Ask for a whole collection. It is told to be no use of the session, which may end meanwhile. */
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

import { Alert } from '@patternfly/react-core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { call, type Json, type Query } from '../../api/client';
import type { Method } from '../../api/method';
import { Loading } from '../../base/Loading';
import { formatSize } from '../../base/sizes';
import { resourceTitle } from '../../declarations/labels';

interface Change {
  action: 'create' | 'modify' | 'delete';
  path: string;
  uuid?: string;
  name?: string;
}

interface Capacity {
  size: number;
  provisioned: number;
  overcommitment_percent: number;
}

/** The array's answer to a dry run. */
export interface DryRun {
  refusals: { message: string; target?: string }[];
  changes: Change[];
  hosts: { protocol: string; name: string }[];
  own_connection: boolean;
  aggregates: { uuid: string; name: string; before?: Capacity; after?: Capacity }[];
}

interface Props {
  method: Method;
  path: string;
  query: Query;
  body: Json | undefined;
  /** UUIDs of the request's own objects, which need no mention. */
  known?: string[];
}

const NAMED = 12;
const SHOWN = { create: 'Created', modify: 'Changed', delete: 'Deleted' } as const;

/** A preview of a request, by a dry run on the array. */
export function Impact({ method, path, query, body, known = [] }: Props) {
  const { data, error, isPending } = useQuery({
    queryKey: ['impact', method, path, query, body],
    queryFn: ({ signal }) => call<DryRun>(method, path, { ...query, dry_run: true }, body, signal),
    retry: false,
    staleTime: 0,
    // While one types, the last answer stays until there is a new one.
    placeholderData: keepPreviousData,
  });
  if (error) return <Alert component="h2" isInline variant="danger" title={error.message} />;
  if (isPending) return <Loading isLine />;
  return <Consequences answer={data} known={known} />;
}

/** The answer to a dry run, in words. */
export function Consequences({ answer: data, known = [] }: { answer: DryRun; known?: string[] }) {
  const { t, i18n } = useTranslation();
  const others = data.changes.filter(({ uuid }) => !uuid || !known.includes(uuid));
  const groups = Map.groupBy(others, ({ action, path }) => `${action} ${path}`);
  const size = (bytes: number) => formatSize(bytes, i18n.language);
  return (
    <div className="impact">
      {[...new Set(data.refusals.map(({ message }) => message))].map((message) => (
        <Alert
          key={message}
          component="h2"
          isInline
          variant="danger"
          title={t('The array refuses this: {{message}}', { message })}
        />
      ))}
      {data.own_connection && (
        <Alert
          component="h2"
          isInline
          variant="warning"
          title={t('It may cut off the connection of this browser.')}
        >
          {t(
            'Then a question follows whether you still reach the array; without an answer it is taken back.',
          )}
        </Alert>
      )}
      {data.hosts.length > 0 && (
        <Alert
          component="h2"
          isInline
          variant="danger"
          title={t('Hosts that use it now: {{number}}', { number: data.hosts.length })}
        >
          {listed(data.hosts.map(({ name }) => name))}
        </Alert>
      )}
      {[...groups.values()].map((changes) => {
        const [{ action, path }] = changes as [Change, ...Change[]];
        return (
          <Alert
            key={`${action} ${path}`}
            component="h2"
            isInline
            variant={action === 'delete' ? 'warning' : 'info'}
            title={`${t(SHOWN[action])}: ${resourceTitle(t, path)} (${changes.length})`}
          >
            {listed(changes.map(({ name, uuid }) => name ?? uuid ?? ''))}
          </Alert>
        );
      })}
      {data.aggregates.map(({ uuid, name, before, after }) => (
        <Alert
          key={uuid}
          component="h2"
          isInline
          variant={after?.overcommitment_percent ? 'warning' : 'info'}
          title={t('Aggregate {{name}}', { name })}
        >
          {[before, after]
            .filter((figures) => figures !== undefined)
            .map(({ provisioned, size: all }) =>
              t('{{provisioned}} of {{size}} promised', {
                provisioned: size(provisioned),
                size: size(all),
              }),
            )
            .join(' → ')}
        </Alert>
      ))}
    </div>
  );
}

function listed(names: string[]): string {
  return names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ' …' : '');
}

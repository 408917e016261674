/**
 * Changes on the array, of this browser and of others.
 *
 * Every few seconds the page reads the changes since the last time (`cluster/changes`), which costs the
 * array next to nothing; queries that show one of these objects (`base/freshness`) read it again, and no
 * others are repeated. The request says that it is a poll, so an unused session ends all the same; a
 * hidden tab does not poll.
 */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { poll } from '../api/client';
import { followed } from '../base/activity';
import { isConcerned } from '../base/freshness';
import { useMayRead } from '../session/useSession';

const CHANGES = 'cluster/changes';
const PERIOD = 3000;

export interface Changed {
  /** The path of the object in the API. */
  path: string;
  deleted: boolean;
}

interface Answer {
  counter: number;
  reset?: boolean;
  records?: { kind: string; key: string; deleted?: boolean }[];
}

type Listener = (changed: readonly Changed[]) => void;
const listeners = new Set<Listener>();

/** Call a function with each set of changes. Return a function that ends that. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let counter: number | undefined;

/** Poll changes as long as the page is open, and have queries that show them read again. Used once. */
export function useChanges(): void {
  const client = useQueryClient();
  const mayRead = useMayRead()(CHANGES);
  useEffect(() => followed.set(mayRead), [mayRead]);
  useQuery({
    queryKey: ['changes'],
    enabled: mayRead,
    meta: { isLasting: true },
    queryFn: async ({ signal }) => {
      const query = counter === undefined ? {} : { after: counter };
      const answer = await poll<Answer>(CHANGES, query, signal);
      const isFirst = counter === undefined;
      counter = answer.counter;
      if (!isFirst) tell(client, answer);
      return answer.counter;
    },
    refetchInterval: PERIOD,
    staleTime: 0,
  });
}

function tell(client: QueryClient, { reset, records = [] }: Answer): void {
  if (reset) {
    // The changes are not known: all queries are read again.
    void client.invalidateQueries({ predicate: ({ meta }) => !meta?.isLasting });
    return;
  }
  if (!records.length) return;
  const changed = records.map(({ kind, key, deleted = false }) => ({
    path: key ? `${kind}/${key}` : kind,
    deleted,
  }));
  void client.invalidateQueries({
    predicate: ({ meta = {} }) => changed.some(({ path }) => isConcerned(meta, path)),
  });
  for (const listener of listeners) listener(changed);
}

/**
 * What changed on the array, whoever did it.
 *
 * Every few seconds the array is asked for what changed since (`cluster/changes`), which costs it
 * next to nothing; what shows one of these objects (`base/freshness`) reads that again, and nothing
 * else is asked by itself. The question says that it is a poll, so a session that nobody uses ends all the same; a
 * tab that is hidden does not ask.
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

/** Call a function with what changed, as often as something does. Return what ends that. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let counter: number | undefined;

/** Ask for changes as long as the page is open, and have what shows them read again. Used once. */
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
    // It is not known what changed: all of it is read anew.
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

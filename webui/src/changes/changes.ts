/**
 * What changed on the array, whoever did it.
 *
 * Every few seconds the array is asked for what changed since (`cluster/changes`), which costs it
 * next to nothing; what shows one of these objects reads that again, and nothing else is asked by
 * itself. The question says that it is a poll, so a session that nobody uses ends all the same; a
 * tab that is hidden does not ask.
 */
import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { poll } from '../api/client';
import { followed } from '../base/activity';
import { plainPath } from '../declarations/place';
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

/** Which queries show something of a kind: by the first part of their key. */
const SHOWN: [kind: string, query: string][] = [
  ['cluster/jobs', 'jobs'],
  ['support/ems/events', 'alerts'],
  ['cluster/software', 'software'],
  ['storage/disks', 'disks-by-shelf'],
  ['storage/disks', 'spares'],
  ['storage/disks', 'aggregate-disks'],
  // Its RAID groups tell which of their disks broke.
  ['storage/aggregates', 'aggregate-disks'],
  ['', 'dashboard'],
];

let counter: number | undefined;

/** Ask for changes as long as the page is open, and have what shows them read again. Used once. */
export function useChanges(): void {
  const client = useQueryClient();
  const mayRead = useMayRead()(CHANGES);
  useEffect(() => followed.set(mayRead), [mayRead]);
  useQuery({
    queryKey: ['changes'],
    enabled: mayRead,
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
    void client.invalidateQueries({ predicate: ({ queryKey }) => !LASTING.has(queryKey[0]) });
    return;
  }
  if (!records.length) return;
  const changed = records.map(({ kind, key, deleted = false }) => ({
    path: key ? `${kind}/${key}` : kind,
    deleted,
  }));
  void client.invalidateQueries({
    predicate: (query) => changed.some((each) => shows(query, each)),
  });
  for (const listener of listeners) listener(changed);
}

/** What is no state of objects. */
const LASTING = new Set<unknown>(['declarations', 'changes', 'licences']);

function shows({ queryKey }: Query, { path }: Changed): boolean {
  const [name, api] = queryKey as [unknown, unknown];
  // Of a single object the key is a UUID that its path does not have.
  if (name === 'record')
    return isWithin(path, plainPath(String(api))) || isWithin(plainPath(String(api)), path);
  return SHOWN.some(([kind, query]) => query === name && path.startsWith(kind));
}

const isWithin = (path: string, above: string) => path === above || path.startsWith(`${above}/`);

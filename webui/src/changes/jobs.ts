/**
 * Changes and their jobs.
 *
 * No request waits for its job: the tray shows all jobs that the array has, so what was begun
 * before a reload, or elsewhere, is there too. This page remembers only which it has begun itself,
 * to say how they ended.
 */
import {
  type Query as CachedQuery,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';

import { api, call, type Json, type Query } from '../api/client';
import type { Method } from '../api/method';
import { followed, seldom } from '../base/activity';
import { tell } from '../base/notice';
import { Store } from '../base/store';
import { guarded, mayCutOff, newAddress, WITHIN } from './guard';
import { isOpen, type Job } from './job';
import { outcomeOf } from './jobTexts';

const begun = new Store<ReadonlyMap<string, string>>(new Map());

const SHOWN = 30;

export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: async () => {
    const query = { fields: '*', order_by: 'start_time desc', max_records: SHOWN };
    const { data } = await api.GET('/cluster/jobs', { params: { query } });
    return (data?.records ?? []) as Job[];
  },
  refetchInterval: ({ state }) =>
    begun.get().size || (!followed.get() && state.data?.some(isOpen)) ? 1000 : seldom(30),
});

/**
 * Return all as out of date but declarations, which never change, and lists of several pages, which
 * are told of changes (`useFreshRows`).
 */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    () => client.invalidateQueries({ predicate: (query) => isOutdated(query) }),
    [client],
  );
}

function isOutdated({ queryKey: [name], state }: CachedQuery): boolean {
  if (name === 'declarations' || name === 'changes') return false;
  const pages = name === 'list' ? (state.data as { pages: unknown[] } | undefined)?.pages : [];
  return !followed.get() || (pages?.length ?? 0) < 2;
}

/** Tell of each job that was begun here, once it has ended. Used once, by the tray. */
export function useJobs(): Job[] {
  const { data = [] } = useQuery(jobsQuery);
  const refresh = useRefresh();
  useEffect(() => {
    const mine = begun.get();
    const ended = data.filter((job) => mine.has(job.uuid) && !isOpen(job));
    if (!ended.length) return;
    begun.set(new Map([...mine].filter(([uuid]) => !ended.some((job) => job.uuid === uuid))));
    for (const job of ended)
      if (job.state === 'success') tell('success', mine.get(job.uuid)!);
      else tell('danger', mine.get(job.uuid)!, outcomeOf(job));
    void refresh();
  }, [data, refresh]);
  return data;
}

export interface Change {
  method: Method;
  path: string;
  query?: Query;
  body?: Json | undefined;
  /** What is told when it has been done, or has failed. */
  text: string;
}

/** Return the function that changes something, and returns the answer. It throws the refusal. */
export function useChange(): (change: Change) => Promise<Json> {
  const client = useQueryClient();
  const refresh = useRefresh();
  return async (change) => {
    const { method, path, query, body, text } = change;
    const confirm = (await mayCutOff(client, change)) ? { confirm_within: WITHIN } : {};
    const options = { ...query, ...confirm, return_timeout: 0 };
    const answer = await call(method, path, options, body);
    const job = answer['job'] as { uuid: string } | undefined;
    if (job && 'confirm_within' in confirm) {
      const address = newAddress(change);
      guarded.set({ job: job.uuid, text, ...(address && { address }) });
    }
    if (job) begun.set(new Map(begun.get()).set(job.uuid, text));
    else tell('success', text);
    // What the page shows is no part of the change: it may take long to be read again.
    void refresh();
    return answer;
  };
}

/**
 * The jobs of the array.
 *
 * No request waits for its job: the tray shows all jobs of the array, so those from before a reload,
 * or from elsewhere, are there too. This page remembers only its own jobs, to say how they ended.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { api } from '../api/client';
import { followed, seldom } from '../base/activity';
import { tell } from '../base/notice';
import { Store } from '../base/store';
import { isOpen, type Job } from './job';
import { outcomeOf } from './jobTexts';
import { useRefresh } from './refresh';

/** The jobs of this page, each with the text of the notice when it has ended. */
export const ownJobs = new Store<ReadonlyMap<string, string>>(new Map());

const SHOWN = 30;

export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  meta: { shows: ['cluster/jobs'] },
  queryFn: async () => {
    const query = { fields: '*', order_by: 'start_time desc', max_records: SHOWN };
    const { data } = await api.GET('/cluster/jobs', { params: { query } });
    return (data?.records ?? []) as Job[];
  },
  refetchInterval: ({ state }) =>
    ownJobs.get().size || (!followed.get() && state.data?.some(isOpen)) ? 1000 : seldom(30),
});

/** Show a notice for each job of this page, once it has ended. Used once, by the tray. */
export function useJobs(): Job[] {
  const { data = [] } = useQuery(jobsQuery);
  const refresh = useRefresh();
  useEffect(() => {
    const own = ownJobs.get();
    const ended = data.filter((job) => own.has(job.uuid) && !isOpen(job));
    if (!ended.length) return;
    ownJobs.set(new Map([...own].filter(([uuid]) => !ended.some((job) => job.uuid === uuid))));
    for (const job of ended)
      if (job.state === 'success') tell('success', own.get(job.uuid)!);
      else tell('danger', own.get(job.uuid)!, outcomeOf(job));
    void refresh();
  }, [data, refresh]);
  return data;
}

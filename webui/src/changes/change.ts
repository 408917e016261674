import { useQueryClient } from '@tanstack/react-query';

import { call, type Json, type Query } from '../api/client';
import type { Method } from '../api/method';
import { tell } from '../base/notice';
import { guarded, mayCutOff, newAddress, WITHIN } from './guard';
import { ownJobs } from './jobs';
import { useRefresh } from './refresh';

export interface Change {
  method: Method;
  path: string;
  query?: Query;
  body?: Json | undefined;
  /** The text of the notice when it has been done, or has failed. */
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
    if (job) ownJobs.set(new Map(ownJobs.get()).set(job.uuid, text));
    else tell('success', text);
    // To read the page's data again is no part of the change, and may take long.
    void refresh();
    return answer;
  };
}

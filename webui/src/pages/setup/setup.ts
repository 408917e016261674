/** How far the array is set up, as it says itself: nothing of it is kept here. */
import { queryOptions } from '@tanstack/react-query';

import { call } from '../../api/client';
import { every } from '../../base/activity';
import { Store } from '../../base/store';

export type StepName =
  | 'password'
  | 'time'
  | 'management'
  | 'disks'
  | 'aggregate'
  | 'svm'
  | 'data_interfaces'
  | 'host_access'
  | 'storage'
  | 'host';

export interface Step {
  name: StepName;
  done: boolean;
  needed: boolean;
  message: string;
  /** Path of the resource where it is done. */
  resource: string;
}

export interface Setup {
  complete: boolean;
  next?: StepName;
  steps: Step[];
}

/** Whether somebody has seen the guide already: who goes elsewhere has left it. */
export const wasShown = new Store(false);

export const SETUP = 'cluster/setup';

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => call<Setup>('GET', SETUP, {}, undefined, signal),
  refetchInterval: () => every(5),
});

/** Whether the array is as new: no disk of it is in use. */
export const isEmpty = (setup: Setup) =>
  !setup.steps.some(({ name, done }) => name === 'aggregate' && done);

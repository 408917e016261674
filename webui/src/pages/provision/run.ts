/**
 * A run of the requests of a plan: one after the other, each read back before the next is sent.
 *
 * The browser keeps it, beyond a reload and for its other tabs; one tab at a time works on it (by a lock
 * that goes with its page). An object that was being sent when the page went away is looked for by its
 * name; whether this run created it cannot be known then, so it is used, and taking the run back
 * leaves it.
 */
import { useSyncExternalStore } from 'react';

import { call, type Json, type Page } from '../../api/client';
import { Refusal } from '../../api/refusal';
import { kept } from '../../base/store';
import type { Job } from '../../changes/job';
import { outcomeOf } from '../../changes/jobTexts';
import { at, type Declarations, nested } from '../../declarations/declarations';
import { apiPath } from '../../declarations/place';
import type { Answers, Step } from './plan';

/** `sent`: its outcome is not known yet. `found`: it is there, and perhaps this run created it. */
export type State = 'waiting' | 'sent' | 'created' | 'found' | 'failed' | 'deleted';

export interface Progress extends Step {
  state: State;
  /** Where the object is in the API, once it was read back. */
  object?: string;
  error?: string;
}

export interface Run {
  account: string;
  answers: Answers;
  phase: 'running' | 'deleting' | 'stopped' | 'done' | 'taken back';
  steps: Progress[];
}

const PAUSE = 400;
const LOCK = 'sanstone.provision';
/** Jobs are waited for here, so that progress shows. */
const AT_ONCE = { return_timeout: 0 };
const store = kept('provision', '');

addEventListener('storage', ({ key, newValue }) => {
  if (key === 'sanstone.provision') store.set(newValue ?? '');
});

const stored = (): Run | undefined => (store.get() ? (JSON.parse(store.get()) as Run) : undefined);

export function useRun(account: string): Run | undefined {
  const text = useSyncExternalStore(store.watch, store.get);
  const run = text ? (JSON.parse(text) as Run) : undefined;
  return run?.account === account ? run : undefined;
}

/** The objects that this run created. Nothing else is deleted when it is taken back. */
export const createdBy = (run: Run): Progress[] =>
  run.steps.filter(({ state, object }) => object && (state === 'created' || state === 'failed'));

export function forget(): void {
  store.set('');
}

function keep(run: Run): Run {
  store.set(JSON.stringify(run));
  return run;
}

const changed = (run: Run, index: number, changes: Partial<Progress>): Run =>
  keep({ ...run, steps: run.steps.with(index, { ...run.steps[index]!, ...changes }) });

/** Begin to send the requests of a plan. */
export function begin(
  account: string,
  answers: Answers,
  steps: readonly Step[],
  declarations: Declarations,
): Promise<void> {
  const waiting = steps.map((step) => ({ ...step, state: 'waiting' as const }));
  return proceed({ account, answers, phase: 'stopped', steps: waiting }, declarations);
}

/** Send the steps that are not done yet, until one is refused. */
export async function proceed(run: Run, declarations: Declarations): Promise<void> {
  await navigator.locks.request(LOCK, async () => {
    let now = keep({ ...run, phase: 'running' });
    for (const [index, step] of run.steps.entries()) {
      if (step.state === 'created' || step.state === 'found') continue;
      now = await make(now, index, declarations);
      if (['failed', 'sent'].includes(now.steps[index]!.state)) {
        keep({ ...now, phase: 'stopped' });
        return;
      }
    }
    keep({ ...now, phase: 'done' });
  });
}

async function make(run: Run, index: number, declarations: Declarations): Promise<Run> {
  const step = run.steps[index]!;
  let { object } = step;
  const now = changed(run, index, { state: 'sent', error: '' });
  try {
    // A change can be sent again; a POST may have created its object.
    const before = step.state === 'sent' && step.method === 'POST' ? await look(step) : undefined;
    if (!before && !object) await send(step);
    const record = before ?? (await look(step));
    if (!record) throw new Error('The array said that it was created, and it is not there.');
    object = apiPath(step.path, declarations.get(step.path), record);
    const [field, value] = step.shows ?? ['', record];
    const shown = at(record, field);
    if (shown !== value) throw new Error(`${field}: ${String(shown)}`);
    return changed(now, index, { state: before ? 'found' : 'created', object });
  } catch (error) {
    // Without an answer it may have been done nevertheless.
    const state = error instanceof TypeError ? 'sent' : 'failed';
    const message = (error as Error).message;
    return changed(now, index, { state, error: message, ...(object && { object }) });
  }
}

/** Take over a run after its page went away in the middle: look for the object that was being sent. */
export async function settle(declarations: Declarations): Promise<void> {
  await navigator.locks.request(LOCK, async () => {
    const run = stored();
    if (run?.phase !== 'running' && run?.phase !== 'deleting') return;
    let now = run;
    for (const [index, step] of run.steps.entries()) {
      if (step.state !== 'sent') continue;
      const record = step.method === 'POST' ? await look(step) : undefined;
      const object = record && apiPath(step.path, declarations.get(step.path), record);
      now = changed(now, index, object ? { state: 'found', object } : { state: 'waiting' });
    }
    keep({ ...now, phase: 'stopped' });
  });
}

/** Delete the objects that this run created, the last first. */
export async function takeBack(run: Run): Promise<void> {
  await navigator.locks.request(LOCK, async () => {
    let now = keep({ ...run, phase: 'deleting' });
    for (const step of createdBy(run).reverse()) {
      const index = run.steps.indexOf(step);
      try {
        await undo(step, step.object!);
        now = changed(now, index, { state: 'deleted', error: '' });
      } catch (error) {
        now = changed(now, index, { error: (error as Error).message });
        keep({ ...now, phase: 'stopped' });
        return;
      }
    }
    keep({ ...now, phase: 'taken back' });
  });
}

async function undo({ path, method }: Progress, object: string): Promise<void> {
  const isService = path.endsWith('/services');
  // A service is deleted only while it is disabled; one that was there is again as it was.
  if (isService) await send({ method: 'PATCH', to: object, body: { enabled: false } });
  if (isService && method === 'PATCH') return;
  const options = path === 'protocols/nvme/subsystems' ? { allow_delete_with_hosts: true } : {};
  try {
    await ended(await call('DELETE', object, { ...options, ...AT_ONCE }));
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
}

async function send({ method, to, body }: Pick<Step, 'method' | 'to' | 'body'>): Promise<void> {
  await ended(await call(method, to, AT_ONCE, nested(body)));
}

/** Wait for the job of an answer. Throws the job's error. */
async function ended(answer: Json): Promise<void> {
  const job = answer['job'] as { uuid: string } | undefined;
  while (job) {
    const fields = 'state,message,error';
    const now = await call<Pick<Job, 'state' | 'message' | 'error'>>(
      'GET',
      `cluster/jobs/${job.uuid}`,
      { fields },
    );
    if (now.state === 'success') return;
    if (now.state === 'failure') throw new Error(outcomeOf(now));
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

async function look({ path, find, shows }: Step): Promise<Json | undefined> {
  const page = await call<Page>('GET', path, { ...find, ...(shows && { fields: shows[0] }) });
  return page.records[0];
}

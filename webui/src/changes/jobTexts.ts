/** The texts of jobs, in the language of the pages. */
import type { TFunction } from 'i18next';

import { localized, translated } from '../api/refusal';
import { type Declarations, isAction } from '../declarations/declarations';
import { resourceNoun, resourceTitle } from '../declarations/labels';
import { locate } from '../declarations/place';
import type { Job } from './job';

const REQUEST = /^(POST|PATCH|DELETE) \/api(\/.*)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Return the title of a job, from the request in its description: "Delete snapshot". */
export function titleOf(t: TFunction, declarations: Declarations, description: string): string {
  const [, method, path = ''] = REQUEST.exec(description) ?? [];
  // An address of the pages writes keys with ~ in the place of %.
  const address = path.replaceAll('~', '%7E').replaceAll('%', '~');
  const place = method && locate(declarations, address);
  if (!place) return description;
  const { resource } = place;
  const isOnlyDone = isAction(resource) || (resource.single && method === 'POST');
  if (isOnlyDone) return resourceTitle(t, resource.path);
  const isOne = !resource.single && (place.object || method === 'POST');
  const noun = isOne ? resourceNoun(t, resource.path) : resourceTitle(t, resource.path);
  const key = place.object ? (Object.values(place.keys).at(-1) ?? '') : '';
  const what = `${noun} ${UUID.test(key) ? '' : key}`.trim();
  if (method === 'POST') return t('Create {{what}}', { what });
  return method === 'DELETE' ? t('Delete {{what}}', { what }) : t('Change {{what}}', { what });
}

/** Return why a job failed, else how far it is; '' if its state says it all. */
export function outcomeOf(job: Pick<Job, 'state' | 'message' | 'error'>): string {
  if (job.state === 'success') return '';
  if (job.error) return localized(job.error);
  return job.message === job.state ? '' : progressOf(job.message ?? '');
}

/** A job may wait for several pieces of work, and shows the progress of each. */
const progressOf = (message: string) =>
  message
    .split(/; (?=[A-Z])/)
    .map(stepOf)
    .join('; ');

function stepOf(step: string): string {
  const [, work = step, percent = ''] = /^(.*?)(: \d+ %)?$/.exec(step) ?? [];
  return `${translated(work)}${percent}`;
}

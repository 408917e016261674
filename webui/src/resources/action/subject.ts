import type { TFunction } from 'i18next';

import type { Json } from '../../api/client';
import { at } from '../../declarations/declarations';
import { resourceNoun, resourceTitle } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import type { Place } from '../../declarations/place';

/** The objects that a dialog is about. */
export interface Subject {
  /** The object, where it is one. */
  only: Json | undefined;
  /** "volume vol1", or "3 Volumes". */
  what: string;
  /** The text that confirms it: the name of the one, or the number of the several. */
  expected: string;
  /** The properties of a ChangeDialog for them. */
  about: { resource: string; keys: Json; known: string[]; names?: string[] };
}

export function subjectOf(t: TFunction, { resource }: Place, records: readonly Json[]): Subject {
  const [only] = records.length === 1 ? records : [];
  const { path } = resource;
  return {
    only,
    what: only
      ? `${resourceNoun(t, path)} ${nameIn(only)}`
      : `${records.length} ${resourceTitle(t, path)}`,
    expected: only ? nameIn(only) : String(records.length),
    about: {
      resource: path,
      keys: only ?? {},
      known: records.map((record) => String(record['uuid'])),
      ...(!only && { names: namesOf(records) }),
    },
  };
}

/** The names of some objects, with their SVMs where two have one name. */
function namesOf(records: readonly Json[]): string[] {
  const names = records.map(nameIn);
  if (new Set(names).size === names.length) return names;
  return records.map((record, index) => {
    const svm = at(record, 'svm.name');
    return typeof svm === 'string' ? `${names[index]} (${svm})` : names[index]!;
  });
}

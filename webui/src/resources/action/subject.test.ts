import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';

import type { Resource } from '../../declarations/declarations';
import type { Place } from '../../declarations/place';
import { subjectOf } from './subject';

const resource: Resource = { path: 'storage/luns', doc: '', methods: ['DELETE'], fields: [] };
const place: Place = {
  resource,
  keys: {},
  object: false,
  api: 'storage/luns',
  collection: 'storage/luns',
};
const t = ((text: string) => text) as unknown as TFunction;
const lun = (name: string, svm: string) => ({ uuid: `${svm}/${name}`, name, svm: { name: svm } });

test('one object is called by its name, which is typed to confirm', () => {
  const { only, what, expected, about } = subjectOf(t, place, [lun('a', 'one')]);
  expect(only).toEqual(lun('a', 'one'));
  expect([what, expected, about.names]).toEqual(['LUN a', 'a', undefined]);
});

test('several are counted and named', () => {
  const { only, what, expected, about } = subjectOf(t, place, [lun('a', 'one'), lun('b', 'one')]);
  expect(only).toBeUndefined();
  expect([what, expected]).toEqual(['2 LUNs', '2']);
  expect(about.names).toEqual(['a', 'b']);
  expect(about.known).toEqual(['one/a', 'one/b']);
});

test('SVMs distinguish objects of one name', () => {
  const { about } = subjectOf(t, place, [lun('a', 'one'), lun('a', 'two')]);
  expect(about.names).toEqual(['a (one)', 'a (two)']);
});

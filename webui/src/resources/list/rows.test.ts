import { expect, test } from 'vitest';

import { effects, replaced } from './rows';

const LUNS = 'storage/luns';
const loaded = new Set(['storage/luns/a', 'storage/luns/b']);
const change = (path: string, deleted = false) => ({ path, deleted });

test('a change is of the row, of a row that goes, or of none', () => {
  const result = effects(LUNS, 1, loaded, [
    change('storage/luns/a'),
    change('storage/luns/b', true),
    change('storage/luns/c'),
    change('storage/luns/d', true),
    change('storage/volumes/a'),
    change('storage/lunsome/a'),
  ]);
  expect([...result.changed]).toEqual(['storage/luns/a']);
  expect([...result.gone]).toEqual(['storage/luns/b']);
  expect(result.others).toBe(1);
});

test('a change of a part of an object changes its row', () => {
  const volumes = new Set(['storage/volumes/v']);
  const all = [change('storage/volumes/v/snapshots/s', true)];
  expect([...effects('storage/volumes', 1, volumes, all).changed]).toEqual(['storage/volumes/v']);
});

test('rows below an object are found by their own keys', () => {
  const rows = new Set(['storage/volumes/v/snapshots/s']);
  const all = [change('storage/volumes/v/snapshots/s')];
  expect(effects('storage/volumes/v/snapshots', 1, rows, all).changed.size).toBe(1);
});

test('an object may have two keys', () => {
  const rows = new Set(['security/accounts/u/joe']);
  const result = effects('security/accounts', 2, rows, [change('security/accounts/u/joe')]);
  expect(result.changed.size).toBe(1);
});

test('rows are replaced where they stand, in whichever page', () => {
  const page = (...records: { n: string }[]) => ({ records, num_records: records.length });
  const pages = { pages: [page({ n: 'a' }, { n: 'b' }), page({ n: 'c' })], pageParams: ['', 'x'] };
  const next = replaced(
    pages,
    (record) => String(record['n']),
    (key, record) => (key === 'b' ? undefined : { ...record, seen: key }),
  );
  expect(next.pages.map(({ records }) => records.map((record) => record['seen']))).toEqual([
    ['a'],
    ['c'],
  ]);
  expect(next.pageParams).toBe(pages.pageParams);
});

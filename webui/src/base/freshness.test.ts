import { expect, test } from 'vitest';

import { ANYTHING, isConcerned } from './freshness';

const DISK = 'storage/disks/1.0.1';

test.each([
  [['storage/disks'], DISK],
  [[DISK], DISK],
  [['storage/aggregates', 'storage/disks'], DISK],
  [['storage/volumes/one'], 'storage/volumes/one/snapshots/two'],
  [['cluster/nodes/one'], 'cluster'],
  [[ANYTHING], DISK],
])('what shows %s is concerned by a change of %s', (shows, path) => {
  expect(isConcerned({ shows }, path)).toBe(true);
});

test.each([
  [['storage/disks/1.0.2'], DISK],
  [['storage/disk'], DISK],
  [['storage/volumes'], DISK],
])('what shows %s is not concerned by a change of %s', (shows, path) => {
  expect(isConcerned({ shows }, path)).toBe(false);
});

test('a query without meta is concerned by no change', () => {
  expect(isConcerned({}, DISK)).toBe(false);
});

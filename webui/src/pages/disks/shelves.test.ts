import { expect, test } from 'vitest';

import { conditionOfDisk, type Disk, racks, type Shelf } from './shelves';

const SHELF: Shelf = {
  uid: '500605b0',
  bays: [
    { id: 0, state: 'ok' },
    { id: 1, state: 'ok' },
    { id: 2, state: 'error' },
  ],
};
const disk = (name: string, more: Partial<Disk> = {}): Disk => ({
  name,
  state: 'present',
  container_type: 'spare',
  node: { name: 'array-01' },
  ...more,
});
const inShelf = (name: string, bay: number, more: Partial<Disk> = {}) =>
  disk(name, { shelf: { uid: '500605b0' }, bay, ...more });

test('a shelf has all of its bays, empty ones too', () => {
  const [rack, ...others] = racks([inShelf('1.0.1', 1)], [SHELF]);
  expect(others).toEqual([]);
  expect(rack!.bays.map((bay) => [bay.number, bay.disk?.name, bay.isFaulty])).toEqual([
    [0, undefined, false],
    [1, '1.0.1', false],
    [2, undefined, true],
  ]);
});

test('disks in no shelf are by node, those with a bay first', () => {
  const all = [disk('1.0.3'), disk('1.0.2', { bay: 7 }), disk('1.0.1', { bay: 12 })];
  const [rack, other] = racks([...all, disk('2.0.1', { node: { name: 'array-02' } })], []);
  expect([rack!.shelf, rack!.node, other!.node]).toEqual([undefined, 'array-01', 'array-02']);
  expect(rack!.bays.map((bay) => bay.disk?.name)).toEqual(['1.0.2', '1.0.1', '1.0.3']);
});

test('a disk of a shelf that is gone is not lost', () => {
  expect(racks([inShelf('1.0.1', 0)], [])[0]!.bays).toHaveLength(1);
});

test('a disk that was taken out is in its bay until another disk is', () => {
  const removed = inShelf('1.0.1', 0, { state: 'removed' });
  expect(racks([removed], [SHELF])[0]!.bays[0]!.disk?.name).toBe('1.0.1');
  expect(racks([removed, inShelf('1.0.9', 0)], [SHELF])[0]!.bays[0]!.disk?.name).toBe('1.0.9');
});

test.each([
  ['ok', {}],
  ['ok', { health: { passed: true }, rated_life_used_percent: 89 }],
  ['worn', { rated_life_used_percent: 90 }],
  ['worn_out', { rated_life_used_percent: 100 }],
  ['too_hot', { temperature: 60, temperature_limit: 60 }],
  ['ok', { temperature: 59, temperature_limit: 60 }],
  ['failing', { health: { passed: false }, rated_life_used_percent: 120 }],
  ['broken', { state: 'broken', health: { passed: false } }],
  ['removed', { state: 'removed', health: { passed: false } }],
  ['zeroing', { state: 'zeroing' }],
  ['unsupported', { container_type: 'unsupported' }],
] as [string, Partial<Disk>][])('what matters most is that a disk is %s: %o', (word, more) => {
  expect(conditionOfDisk(disk('1.0.1', more))).toBe(word);
});

import { expect, test } from 'vitest';

import { replacements } from './replacements';

const names = (disks: { name?: string }[]) => disks.map(({ name }) => name);

test('spares that are in order come first, then the smallest, and none is too small', () => {
  const spares = [
    { name: 'failing', usable_size: 10, health: { passed: false } },
    { name: 'large', usable_size: 40 },
    { name: 'right', usable_size: 10 },
    { name: 'small', usable_size: 9 },
  ];
  const members = [{ name: 'gone', usable_size: 20 }, { usable_size: 10 }];
  expect(names(replacements(spares, members))).toEqual(['right', 'large', 'failing']);
});

test('a spare has sectors of the size of the others', () => {
  const spares = [
    { name: 'other', usable_size: 10, bytes_per_sector: 4096 },
    { name: 'right', usable_size: 20, bytes_per_sector: 512 },
  ];
  const members = [{ name: 'gone' }, { usable_size: 10, bytes_per_sector: 512 }];
  expect(names(replacements(spares, members))).toEqual(['right']);
});

test('the size of a disk that was never seen says nothing', () => {
  const members = [{ name: 'never seen' }, { usable_size: 10 }];
  expect(names(replacements([{ name: 'small', usable_size: 9 }], members))).toEqual([]);
});

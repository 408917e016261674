import { expect, test } from 'vitest';

import { allowed } from './permissions';

const BACKUP = [
  { path: '/api/storage', access: 'readonly' },
  { path: '/api/storage/volumes/*/snapshots', access: 'all' },
];

test('the longest path decides', () => {
  expect(allowed(BACKUP, 'storage/volumes/1')).toEqual(['GET']);
  expect(allowed(BACKUP, 'storage/volumes/1/snapshots/2')).toContain('DELETE');
});

test('a path that no rule leads to is not allowed', () =>
  expect(allowed(BACKUP, 'cluster')).toEqual([]));

test('a path without stars goes before one with', () => {
  const privileges = [
    { path: '/api/*', access: 'all' },
    { path: '/api/storage', access: 'readonly' },
  ];
  expect(allowed(privileges, 'storage/luns')).toEqual(['GET']);
});

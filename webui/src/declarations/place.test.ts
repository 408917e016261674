import { expect, test } from 'vitest';

import { Declarations, type Resource } from './declarations';
import { collectionPage, keysOf, locate, objectPage } from './place';

const resource = (path: string, keys: string[], more: Partial<Resource> = {}): Resource => ({
  path,
  keys,
  doc: '',
  methods: ['GET'],
  fields: [],
  ...more,
});
const ROLES = resource('security/roles', ['owner.uuid', 'name']);
const PRIVILEGES = resource('security/roles/{owner.uuid}/{role.name}/privileges', [
  'owner.uuid',
  'role.name',
  'path',
]);
const CLUSTER = resource('cluster', [], { single: true });
const declarations = new Declarations([ROLES, PRIVILEGES, CLUSTER]);

test('a collection, an object and a form have addresses of their own', () => {
  expect(locate(declarations, '/security/roles')?.object).toBe(false);
  expect(locate(declarations, '/security/roles/u/admin')?.object).toBe(true);
  expect(locate(declarations, '/security/roles/~new')?.form).toBe('new');
  expect(locate(declarations, '/cluster')?.object).toBe(true);
  expect(locate(declarations, '/nowhere')).toBeUndefined();
});

test('a key may hold any character', () => {
  const above = { 'owner.uuid': 'u', 'role.name': 'a~b%' };
  const keys = keysOf(PRIVILEGES, { path: '/api/storage' }, above)!;
  const page = objectPage(PRIVILEGES, keys);
  const place = locate(declarations, page)!;
  expect(place.keys).toEqual({ ...above, path: '/api/storage' });
  expect(place.api).toBe('security/roles/u/a~b%25/privileges/%2Fapi%2Fstorage');
  expect(collectionPage(PRIVILEGES, keys)).toBe('/security/roles/u/a~7Eb~25/privileges');
});

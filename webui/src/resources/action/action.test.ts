import { expect, test } from 'vitest';

import type { Place } from '../../declarations/place';
import { type Action, isOffered, requestOf } from './action';

const PLACE: Place = {
  resource: {
    path: 'storage/luns',
    doc: '',
    methods: ['GET', 'PATCH'],
    keys: ['uuid'],
    fields: [],
  },
  keys: {},
  object: false,
  api: 'storage/luns',
  collection: 'storage/luns',
};
const OFFLINE: Action = {
  name: 'offline',
  label: () => 'Set offline',
  needs: ['enabled'],
  body: { enabled: false },
  isDone: (record) => record['enabled'] === false,
};
const CLONE: Action = {
  name: 'clone',
  label: () => 'Clone',
  needs: [],
  request: (record, values) => ({
    method: 'POST',
    path: 'storage/luns',
    body: { ...values, 'clone.source.uuid': record['uuid'] },
  }),
};

test('one object is changed by its own address', () => {
  expect(requestOf(OFFLINE, PLACE, [{ uuid: 'a' }], {})).toEqual({
    method: 'PATCH',
    path: 'storage/luns/a',
    body: { enabled: false },
  });
});

test('several are changed by one request, each by its key', () => {
  const grow = { ...OFFLINE, body: {} };
  expect(requestOf(grow, PLACE, [{ uuid: 'a' }, { uuid: 'b' }], { 'space.size': 5 })).toEqual({
    method: 'PATCH',
    path: 'storage/luns',
    body: {
      records: [
        { uuid: 'a', space: { size: 5 } },
        { uuid: 'b', space: { size: 5 } },
      ],
    },
  });
});

test('an action that is done already is not offered, unless one of several objects lacks it', () => {
  expect(isOffered(OFFLINE, [{ enabled: false }])).toBe(false);
  expect(isOffered(OFFLINE, [{ enabled: false }, { enabled: true }])).toBe(true);
});

test('an action that converts an object is for one at a time', () => {
  expect(isOffered(CLONE, [{ uuid: 'a' }])).toBe(true);
  expect(isOffered(CLONE, [{ uuid: 'a' }, { uuid: 'b' }])).toBe(false);
});

import { expect, test } from 'vitest';

import { nameIn } from './names';

test('an object with a name is called by it, whatever it belongs to', () => {
  expect(nameIn({ name: 'vol1', svm: { name: 'svm1' } })).toBe('vol1');
});

test('a map is called by both its ends', () => {
  const map = { svm: { name: 'svm1' }, lun: { name: '/vol/v/l' }, igroup: { name: 'hosts' } };
  expect(nameIn(map)).toBe('/vol/v/l → hosts');
});

test('a session and a path are called by their initiator, a service by its SVM', () => {
  const svm = { name: 'svm1' };
  expect(nameIn({ svm, initiator: { name: 'iqn.1994-05.com.example:h' } })).toBe(
    'iqn.1994-05.com.example:h',
  );
  expect(nameIn({ svm, initiator: '20:00:00:50:56:00:00:09' })).toBe('20:00:00:50:56:00:00:09');
  expect(nameIn({ svm, enabled: true })).toBe('svm1');
});

test('an object without such fields has no name', () => {
  expect(nameIn({ enabled: true })).toBe('');
});

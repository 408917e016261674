import { expect, test } from 'vitest';

import type { Node } from '../../declarations/declarations';
import { changes, NotReadable, typedAll } from './values';

const node = (name: string, kind: string, more: Partial<Node> = {}): Node => ({
  name,
  kind,
  doc: '',
  create: true,
  modify: true,
  ...more,
});
const NODES = [
  node('name', 'text'),
  node('size', 'size'),
  node('svm', 'reference'),
  node('servers', 'ip_address', { list: true }),
  node('initiators', 'items', { items: [node('name', 'initiator')] }),
];

test('a new object is sent with the filled-in values, in the form of the array', () => {
  expect(
    changes(NODES, {
      name: 'a',
      size: '1 GiB',
      svm: { name: 'svm1' },
      servers: '192.0.2.1\n192.0.2.2',
      initiators: [{ name: 'iqn.1' }],
    }),
  ).toEqual({
    name: 'a',
    size: 1024 ** 3,
    svm: { name: 'svm1' },
    servers: ['192.0.2.1', '192.0.2.2'],
    initiators: [{ name: 'iqn.1' }],
  });
});

test('only changed values of an edited object are sent', () => {
  const before = typedAll(NODES, { name: 'a', size: 4096, svm: { name: 's', uuid: 'u' } });
  expect(changes(NODES, { ...before, size: '8 KiB' }, before)).toEqual({ size: 8192 });
  expect(changes(NODES, before, before)).toEqual({});
  expect(changes(NODES, { ...before, svm: undefined }, before)).toEqual({ svm: null });
});

test('a value that cannot be read names its field', () => {
  expect(() => changes(NODES, { size: 'much' })).toThrow(NotReadable);
});

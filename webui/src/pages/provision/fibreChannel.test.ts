import { expect, test } from 'vitest';

import { type ArrayPort, chosenPorts } from './fibreChannel';

const FIRST: ArrayPort = { name: 'a', wwpn: '21:00:00:24:ff:00:00:01', isOnline: true };
const SECOND: ArrayPort = { name: 'b', wwpn: '21:00:00:24:ff:00:00:02', isOnline: true };
const DARK: ArrayPort = { name: 'c', wwpn: '21:00:00:24:ff:00:00:03', isOnline: false };
const names = (ports: ArrayPort[], value?: string) =>
  chosenPorts(ports, value).map(({ name }) => name);

test('an SVM without interfaces is served at all ports that have a link, unless somebody chooses', () => {
  expect(names([FIRST, SECOND, DARK])).toEqual(['a', 'b']);
  expect(names([FIRST, SECOND, DARK], 'b c')).toEqual(['b', 'c']);
  expect(names([FIRST, SECOND, DARK], '')).toEqual([]);
});

test('existing interfaces are used, and others are created at the chosen ports', () => {
  const served = { ...FIRST, interface: 'fc1' };
  expect(names([served, SECOND])).toEqual(['a']);
  expect(names([served, SECOND], 'b')).toEqual(['a', 'b']);
});

import { expect, test } from 'vitest';

import { placeOf } from '../../manual/frame/places.ts';
import reference from '../../src/generated/reference.json';
import { addressOf, ownPages, places, read } from './manual.ts';

/** What pages of the web interface use, and nobody opens: the reference has them. */
const USED =
  /^\/(cluster\/(changes|counter|licensing|overview|search|setup|software)|protocols\/san\/(hosts|paths|refused)|storage\/shelves|security\/authentication\/password)/;
const [groups, pages, pictures] = read();
const addresses = places(groups, pages);

test('the manual has a place about each page of the web interface', () => {
  const lost = Object.entries(addresses)
    .filter(([page]) => !USED.test(page) && !page.includes('{'))
    .filter(([, place]) => place.startsWith('/docs/resources/'))
    .map(([page]) => page);
  expect(Object.keys(addresses).length).toBeGreaterThan(80);
  expect(lost).toEqual([]);
  const own = ownPages().filter((page) => page !== '/licences');
  expect(own.filter((page) => !(page in addresses))).toEqual([]);
});

test('tasks come before all else', () => {
  expect(addresses['/storage/luns']).toBe('/docs/tasks/luns/#create-a-lun');
});

test('each kind of event leads to its page, with the steps in order', () => {
  const addresses = new Map([...pages.values()].map((page) => [addressOf(page.path), page]));
  for (const { name, pattern, manual } of reference.events) {
    const [title, ...sections] = addresses.get(manual)!.sections.map((section) => section.title);
    expect(title).toBe(pattern || name);
    expect(sections).toEqual([
      'What it means',
      'What to look at',
      'What to do',
      'When to call for help',
    ]);
  }
});

test('each picture was taken, and all together are small', () => {
  const command = 'make screenshots ONLY=manual';
  expect(pictures.taken.toSorted(), command).toEqual(
    pictures.names.map((name) => `${name}.webp`).toSorted(),
  );
  const sizes = pictures.taken.map((file) => pictures.read(file).length);
  expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThan(600_000);
});

test('a page without a place of its own has that of the page above it', () => {
  expect(placeOf('/storage/luns/1234', addresses)).toBe('/docs/tasks/luns/#create-a-lun');
  expect(placeOf('/nowhere', { '/storage': 'x' })).toBeUndefined();
});

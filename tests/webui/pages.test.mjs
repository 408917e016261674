import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ANSWERS, arrive, hold, ORDERS, release } from './arrivals.mjs';
import {
  ADMIN,
  findings,
  load,
  logIn,
  settle,
  startArray,
  startBrowser,
  visit,
} from './browser.mjs';
import { allPages, declarations, ownPages } from './pages.mjs';

/** Bytes, compressed as they are sent. */
const FIRST_LOAD = 400 * 1024;
/** The figures of the array are the page of performance, the search is the palette; hosts and disks have pages. */
const ELSEWHERE = [
  '/cluster/metrics',
  '/cluster/search',
  '/cluster/changes',
  '/cluster/counter/tables',
  // For programs: all is included.
  '/cluster/licensing/licenses',
  '/cluster/setup',
  '/protocols/san/hosts',
  '/protocols/san/paths',
  '/protocols/san/refused-initiators',
  '/storage/shelves',
  '/cluster/overview',
  // The page of updates.
  '/cluster/software',
  '/cluster/software/download',
  '/cluster/software/history',
  '/cluster/software/images',
  '/cluster/software/packages',
];

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray('--past'), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
  await page.locator('#page h1').waitFor();
});
after(async () => {
  await browser.close();
  await array.stop();
});

const show = (path) => load(page, array.url + path);

test('every declared resource has a page, without a fault that axe finds, and nothing on it moves while it arrives', async () => {
  const [pages, own] = [await allPages(page), await ownPages(page)];
  const wrong = [];
  await hold(page);
  for (const path of pages) {
    const moved = await arrive(page, path, own.includes(path) ? ORDERS.first : ORDERS.halves);
    wrong.push(...moved.map((each) => `${path}: ${each}`));
    const title = await page.locator('#page h1').first().textContent();
    if (/^(There is no such page|This page failed)$/.test(title)) wrong.push(`${path}: ${title}`);
    const found = await findings(page, { withFrame: path === '/' });
    wrong.push(...found.map((each) => `${path}: ${each}`));
    wrong.push(...page.errors.splice(0).map((each) => `${path}: ${each}`));
  }
  await release(page);
  assert.deepEqual(wrong, []);
  const shown = new Set(pages.map((path) => path.split('/')[1]));
  for (const { path } of await declarations(page)) assert.ok(shown.has(path.split('/')[0]), path);
});

test('each top resource is in the navigation', async () => {
  await show('/');
  const links = await page
    .getByRole('navigation', { name: 'Pages' })
    .locator('a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  const missing = (await declarations(page))
    .map(({ path }) => `/${path}`)
    .filter((path) => !path.includes('{') && !ELSEWHERE.includes(path) && !links.includes(path));
  assert.deepEqual(missing, []);
});

for (const [name, order, options] of [
  ['in the dark', ORDERS.last, { colorScheme: 'dark' }],
  ['on a phone', ORDERS.middle, { viewport: { width: 390, height: 844 } }],
  ['in Japanese', ORDERS.last, { locale: 'ja-JP' }],
])
  test(`pages with components of their own are without a fault that axe finds ${name}, and nothing on them moves`, async () => {
    const other = await visit(browser, array.url, options);
    await other.locator('h1').waitFor();
    const wrong = await findings(other);
    await logIn(other);
    await settle(other);
    await hold(other);
    for (const path of await ownPages(other)) {
      const moved = await arrive(other, path, order);
      wrong.push(...moved.map((each) => `${path}: ${each}`));
      const found = await findings(other, { withFrame: path === '/' });
      wrong.push(...found.map((each) => `${path}: ${each}`));
      const [wide, seen] = await other.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      if (wide > seen) wrong.push(`${path}: wider than the screen, ${wide}`);
    }
    assert.deepEqual(wrong.concat(other.errors), []);
    await other.context().close();
  });

test('nothing moves on a page that is loaded anew, nor in its frame', async () => {
  const other = await visit(browser, array.url, { account: ADMIN });
  await settle(other);
  const lun = (await ownPages(other)).find((path) => /^\/storage\/luns\/[^~]/.test(path));
  await hold(other, ANSWERS);
  const wrong = [];
  for (const [path, order] of [
    ['/', ORDERS.last],
    ['/storage/volumes', ORDERS.first],
    [lun, ORDERS.middle],
  ]) {
    const moved = await arrive(other, path, order, { anew: true });
    wrong.push(...moved.map((each) => `${path}: ${each}`));
  }
  assert.deepEqual(wrong, []);
  await other.context().close();
});

test('the first load is small', async () => {
  for (const path of ['/', '/storage/luns']) {
    // A file that needs nothing else, so that the browser has kept nothing yet.
    const other = await visit(browser, `${array.url}/icon.svg`);
    await logIn(other);
    const sizes = [];
    other.on('requestfinished', async (request) => {
      if (!request.url().includes('/api/')) sizes.push(request.sizes());
    });
    await load(other, array.url + path);
    const bytes = (await Promise.all(sizes))
      .map(({ responseBodySize }) => responseBodySize)
      .reduce((sum, size) => sum + size, 0);
    console.log(`${path}: ${Math.round(bytes / 1024)} KiB`);
    assert.ok(bytes > 100_000 && bytes <= FIRST_LOAD, `${path}: ${bytes}`);
    await other.context().close();
  }
});

test('a missing file is answered by 404, and by no page', async () => {
  const response = await page.context().request.get(`${array.url}/assets/gone.js`);
  assert.equal(response.status(), 404);
});

test('an address that leads nowhere says so', async () => {
  await show('/storage/nothing');
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
});

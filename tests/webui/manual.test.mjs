import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ADMIN, findings, load, startArray, startBrowser, visit } from './browser.mjs';

const WAYS = ['Web interface', 'Shell', 'REST', 'Ansible'];
const FRAMED = { withFrame: true };
/** A page of each kind. */
const PAGES = [
  '',
  'first-day/',
  'concepts/',
  'tasks/snapshots/',
  'trouble/full/',
  'events/',
  'events/pool.space/',
  'differences/',
  'commands/lun/',
  'reference/roles/',
  'monitoring/',
];

let array, browser, page, requests;
before(async () => {
  [array, browser] = await Promise.all([startArray('--empty'), startBrowser()]);
  page = await visit(browser, `${array.url}/docs/`);
  requests = [];
  page.on('request', (request) => requests.push(request.url()));
});
after(async () => {
  await browser.close();
  await array.stop();
});

const show = async (path) => {
  await page.goto(`${array.url}/docs/${path}`);
  await page.locator('#page h1').waitFor();
};
const tab = (name) => page.getByRole('tab', { name, exact: true }).first();
const search = () => page.getByRole('searchbox', { name: 'Search the manual' });

test('nobody has to log in to read it, and its contents lead to the pages', async () => {
  await show('');
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await contents.getByRole('link', { name: 'Snapshots, restore and clones' }).click();
  await page.getByRole('heading', { level: 1, name: 'Snapshots, restore and clones' }).waitFor();
  const current = contents.locator('[aria-current=page]');
  assert.equal(await current.innerText(), 'Snapshots, restore and clones');
});

test('a way is chosen once for all tasks, and is remembered', async () => {
  await show('tasks/snapshots/');
  assert.deepEqual(
    await page
      .getByRole('tab')
      .allInnerTexts()
      .then((all) => all.slice(0, 4)),
    WAYS,
  );
  await tab('Shell').click();
  await page.getByText('snapshot create -vserver svm1').first().waitFor();
  await page.getByText('volume snapshot restore').waitFor();
  await show('tasks/luns/');
  assert.equal(await tab('Shell').getAttribute('aria-selected'), 'true');
  await page.getByText('sanstone::> lun create').waitFor();
  await tab('Shell').press('ArrowRight');
  assert.equal(await tab('REST').getAttribute('aria-selected'), 'true');
  await page.getByText('curl -u admin --json').first().waitFor();
});

test('the search finds an event by its name, and a task by a word of it', async () => {
  await show('');
  await page.keyboard.press('/');
  await search().fill('pool.metadata');
  const found = page.locator('#found');
  await found
    .getByRole('link', { name: /pool\.metadata/ })
    .first()
    .waitFor();
  await search().fill('restore a volume');
  await page.keyboard.press('ArrowDown');
  await found.getByRole('link').first().waitFor();
  await search().press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/tasks\/snapshots\/#restore-a-volume$/);
  await show('');
  await search().fill('xyzzyx');
  await found.getByText('No places').waitFor();
  await page.keyboard.press('Escape');
  await found.waitFor({ state: 'hidden' });
});

test('it sends requests to the array alone', async () => {
  await show('events/pool.space/');
  await search().fill('full');
  await page.locator('#found').getByRole('link').first().waitFor();
  assert.ok(requests.length > 5);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith(`${array.url}/`) || /\/api\//.test(url)),
    [],
  );
});

test('axe finds nothing, in the light and in the dark, nor is a page too wide for a phone', async () => {
  const wrong = [];
  for (const [path, colorScheme, width] of PAGES.flatMap((each) => [
    [each, 'light', 1440],
    [each, 'dark', 375],
  ])) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await show(path);
    const found = await findings(page, FRAMED);
    wrong.push(...found.map((each) => `${path}, ${colorScheme}: ${each}`));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) wrong.push(`${path}: ${wide} wide`);
  }
  assert.deepEqual(wrong, []);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a button shows the contents on a phone', async () => {
  await page.setViewportSize({ width: 375, height: 900 });
  await show('');
  const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link').first();
  assert.equal(await link.isVisible(), false);
  await page.getByRole('button', { name: 'Contents' }).click();
  await link.waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('pictures are there, and small beside the text', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await show('tasks/replace-a-disk/');
  const picture = page.getByRole('img', { name: /^Disks by shelf/ });
  await picture.scrollIntoViewIfNeeded();
  await picture.evaluate((image) => image.decode());
  const { width } = await picture.boundingBox();
  assert.ok(width > 600 && width < 900, `${width} wide`);
});

test('on paper there are all ways, and nothing of the frame', async () => {
  await show('tasks/luns/');
  await page.emulateMedia({ media: 'print' });
  for (const way of ['gui', 'shell', 'rest', 'ansible'])
    assert.ok(await page.locator(`[data-way=${way}]`).first().isVisible(), way);
  assert.equal(await page.getByRole('navigation', { name: 'Contents' }).isVisible(), false);
  assert.equal(await search().isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
});

test('the web interface leads to the manual about a page', async () => {
  const other = await visit(browser, `${array.url}/storage/aggregates`, {
    account: ADMIN,
  });
  const help = other.getByRole('link', { name: 'Help on this page' });
  const [opened] = await Promise.all([other.context().waitForEvent('page'), help.click()]);
  await opened.waitForURL(/\/docs\/tasks\/aggregates\/#create$/);
  await opened.getByRole('heading', { level: 1, name: 'Aggregates' }).waitFor();
  await load(other, `${array.url}/support/ems/messages/pool.space`);
  const event = other.getByRole('link', {
    name: 'What to look at, what to do',
  });
  const [page] = await Promise.all([other.context().waitForEvent('page'), event.click()]);
  await page.waitForURL(/\/docs\/events\/pool.space\/$/);
  await page.getByRole('heading', { level: 2, name: 'When to call for help' }).waitFor();
  assert.deepEqual(other.errors, []);
  await other.context().close();
});

test('it is there without scripts, too', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${array.url}/docs/tasks/luns/`);
  await plain.getByText('sanstone::> lun create').waitFor();
  await plain.getByText('sanstone.array.lun:').first().waitFor();
  await context.close();
});

test('nothing went wrong on the way', () => assert.deepEqual(page.errors, []));

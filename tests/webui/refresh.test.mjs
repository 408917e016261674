import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, settle, startArray, startBrowser, visit } from './browser.mjs';

const MANY = 600;

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([
    startArray('--luns', String(MANY), '--past'),
    startBrowser(),
  ]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

/** Keep the paths of requests to the array from now on. */
function requests(of = page) {
  const paths = [];
  const note = (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) paths.push(pathname + search);
  };
  of.on('request', note);
  return { paths, stop: () => of.off('request', note) };
}

const about = (requests, path) => requests.filter((each) => each.startsWith(`/api/${path}`));
const polled = (of = page) => of.waitForResponse(/cluster\/changes\?after=/);

async function lunNamed(name) {
  return (await asAdmin(array, 'GET', `storage/luns?name=*${name}&fields=uuid`)).records[0].uuid;
}

test('the dashboard sends two requests of its own', async () => {
  // A dashboard that is left may ask as long as the next one is not there: it begins elsewhere.
  const still = await visit(browser, `${array.url}/icon.svg`, { account: ADMIN });
  // No request is repeated: to draw the page may take longer than the interval between two requests.
  await still.addInitScript(() => {
    window.setInterval = () => 0;
  });
  const { paths, stop } = requests(still);
  await still.goto(`${array.url}/`);
  const health = still.getByRole('region', { name: 'Health' });
  await health.getByText(String(MANY + 3)).waitFor();
  await still.locator('.chart').first().waitFor();
  await settle(still);
  stop();
  const shell =
    /^\/api\/(security\/session|declarations|cluster\?|cluster\/jobs|cluster\/changes|support\/ems)/;
  const own = paths.filter((each) => !shell.test(each)).map((each) => each.split('?')[0]);
  assert.deepEqual(own.sort(), ['/api/cluster/metrics', '/api/cluster/overview']);
  await still.context().close();
});

test('a change elsewhere is seen in an open list, and only its row is read again', async () => {
  await page.goto(`${array.url}/storage/luns?columns=name,comment`);
  await page.getByRole('link', { name: /many00003$/ }).waitFor();
  const scroller = page.getByRole('region', { name: 'Rows' });
  const next = page.waitForResponse(/start=/);
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await next;
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  await page.getByRole('link', { name: /many00003$/ }).waitFor();
  await polled();
  const { paths, stop } = requests();
  await asAdmin(array, 'PATCH', `storage/luns/${await lunNamed('many00003')}`, { comment: 'seen' });
  await page.getByRole('cell', { name: 'seen', exact: true }).waitFor();
  stop();
  const [only, ...others] = about(paths, 'storage/luns');
  assert.match(only, /uuid=[0-9a-f-]{36}(&|$)/);
  assert.deepEqual(others, []);
});

test('the row of a deleted object goes', async () => {
  await page.goto(`${array.url}/storage/luns`);
  await page.getByRole('link', { name: /many00004$/ }).waitFor();
  await polled();
  const { paths, stop } = requests();
  const uuid = await lunNamed('many00004');
  await asAdmin(array, 'DELETE', `storage/luns/${uuid}`);
  await page.getByRole('link', { name: /many00004$/ }).waitFor({ state: 'detached' });
  stop();
  // The number of all is counted anew.
  for (const each of about(paths, 'storage/luns')) assert.match(each, /return_records=false/);
});

test('an object of another tab appears in a short list', async () => {
  const other = await visit(browser, array.url, { account: ADMIN });
  await other.goto(`${array.url}/cluster/schedules`);
  await other.getByRole('link').first().waitFor();
  await polled(other);
  await page.goto(`${array.url}/cluster/schedules/~new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('elsewhere');
  await page.getByRole('textbox', { name: 'Interval' }).fill('PT20M');
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await other.getByRole('link', { name: 'elsewhere' }).waitFor();
  await other.context().close();
});

test('the page of an object shows changes from elsewhere', async () => {
  const uuid = await lunNamed('many00005');
  await page.goto(`${array.url}/storage/luns/${uuid}`);
  await page.locator('#page h1').waitFor();
  await polled();
  await asAdmin(array, 'PATCH', `storage/luns/${uuid}`, { comment: 'from afar' });
  await page.getByText('from afar').waitFor();
});

test('requests that the page repeats by itself are marked', async () => {
  const request = await page.waitForRequest(/cluster\/changes\?after=/);
  assert.equal(await request.headerValue('x-sanstone-poll'), 'true');
  assert.deepEqual(page.errors, []);
});

test('a browser that takes itself for offline works with an array that it reaches', async () => {
  const uuid = await lunNamed('many00007');
  await page.goto(`${array.url}/storage/luns/${uuid}`);
  await page.getByRole('button', { name: 'Set offline', exact: true }).waitFor();
  await page.evaluate(() => dispatchEvent(new Event('offline')));
  await page.getByRole('button', { name: 'Set offline', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Set offline: LUN/ })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Set online', exact: true }).waitFor();
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, startArray, startBrowser, visit } from './browser.mjs';

const MANY = 300;
const PATHS_OF_EACH = 4;
const MOST_ROWS = 60;
const LAST = `iqn.1994-05.com.example:many${MANY - 1}`;

let array, browser, page, total;
before(async () => {
  [array, browser] = await Promise.all([startArray('--hosts', String(MANY)), startBrowser()]);
  ({ num_records: total } = await asAdmin(
    array,
    'GET',
    'protocols/san/hosts?return_records=false',
  ));
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const hosts = () => page.getByRole('navigation', { name: 'Hosts' });
const drawing = () => page.getByRole('region', { name: 'Drawing of the paths' });
const count = (number) => page.getByRole('status').getByText(`${number} in all`, { exact: true });

test('of hundreds of hosts only those in view are in the document', async () => {
  await page.goto(`${array.url}/hosts`);
  await count(total).waitFor();
  assert.ok(total > MANY);
  assert.ok((await hosts().getByRole('button').count()) <= MOST_ROWS);
  assert.deepEqual(await findings(page), []);
});

test('scrolling leads to the last, and its paths alone are drawn', async () => {
  await page.goto(`${array.url}/hosts?svm.name=many`);
  await count(MANY).waitFor();
  await hosts().evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await hosts().getByTitle(LAST).click();
  await drawing().getByTitle(LAST).first().waitFor();
  const lifs = drawing().getByRole('list', { name: 'Network interface' }).getByRole('listitem');
  assert.equal(await lifs.count(), PATHS_OF_EACH);
  assert.ok((await hosts().getByRole('button').count()) <= MOST_ROWS);
});

test('the page reads all hosts at once, and only the paths of those that it draws', async () => {
  const requests = [];
  page.on('request', (request) => requests.push(new URL(request.url())));
  await page.goto(`${array.url}/hosts?svm.name=many&q=${LAST}`);
  await drawing().getByTitle(LAST).first().waitFor();
  const paths = requests.filter(({ pathname }) => pathname === '/api/protocols/san/paths');
  assert.ok(paths.length > 0 && paths.every(({ searchParams }) => searchParams.has('host.uuid')));
  const each = requests.filter(({ pathname }) => /\/san\/hosts\/./.test(pathname));
  assert.deepEqual(each, []);
});

test('the table of all their paths has only the rows in view in the document', async () => {
  await page.goto(`${array.url}/hosts?view=table&svm.name=many`);
  await count(MANY * PATHS_OF_EACH)
    .or(count('1,200'))
    .first()
    .waitFor();
  assert.ok((await page.locator('tbody tr:not(.space)').count()) <= MOST_ROWS);
});

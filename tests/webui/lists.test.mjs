import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';

import { ADMIN, settle, startArray, startBrowser, visit } from './browser.mjs';

const MANY = 600;
const MOST_ROWS = 60;

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray('--luns', String(MANY)), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const rows = () => page.locator('tbody tr:not(.space)');
const count = (text) => page.getByRole('status').getByText(text, { exact: true });

test('of a long list only the rows in view are in the document', async () => {
  await page.goto(`${array.url}/storage/luns`);
  await count(`${MANY + 3} in all`).waitFor();
  assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), String(MANY + 4));
  assert.ok((await rows().count()) <= MOST_ROWS);
});

test('scrolling brings the next pages', async () => {
  const last = page.getByRole('link', { name: `many00${MANY - 1}` });
  const scroller = page.getByRole('region', { name: 'Rows' });
  for (let pages = 0; pages < 12 && !(await last.count()); pages++) {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await settle(page);
  }
  await last.waitFor();
  assert.ok((await rows().count()) <= MOST_ROWS);
});

test('a filter is in the address, and is taken away again', async () => {
  await page.goto(`${array.url}/storage/luns`);
  await page.getByRole('textbox', { name: 'Filter by Name' }).fill('many00042');
  await page.getByRole('link', { name: /many00042$/ }).waitFor();
  await count('1 in all').waitFor();
  await page.waitForURL(/q=many00042/);
  await page.reload();
  await count('1 in all').waitFor();
  await page.getByRole('textbox', { name: 'Filter by Name' }).fill('nothing such');
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await count(`${MANY + 3} in all`).waitFor();
});

test('text that is typed while a filter takes effect stays', async () => {
  await page.goto(`${array.url}/storage/luns`);
  const filter = page.getByRole('textbox', { name: 'Filter by Name' });
  await filter.pressSequentially('many0004 ');
  await page.waitForURL(/q=many0004$/);
  await settle(page);
  assert.equal(await filter.inputValue(), 'many0004 ');
});

test('a filter by a field leaves only rows with that value', async () => {
  await page.goto(`${array.url}/storage/luns`);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Field').selectOption({ label: 'SVM' });
  await page.getByLabel('Value').fill('svm2');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await count('1 in all').waitFor();
  await page.waitForURL(/svm.name=/);
});

test('a click on a column sorts by it, another the other way round', async () => {
  await page.goto(`${array.url}/storage/volumes`);
  const head = page.getByRole('columnheader', { name: 'Name' });
  await head.getByRole('button').click();
  await page.waitForURL(/order_by=name/);
  await head.getByRole('button').click();
  await page.locator('th[aria-sort="descending"]').waitFor();
  await page.locator('tbody tr:not(.space)').first().getByText('vol2').waitFor();
});

test('columns are chosen, and are in the address', async () => {
  await page.goto(`${array.url}/storage/volumes`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'Comment' }).click();
  await page.getByRole('columnheader', { name: 'Comment' }).waitFor();
  await page.waitForURL(/columns=.*comment/);
});

test('a list is saved as CSV, all of it', async () => {
  await page.goto(`${array.url}/storage/luns`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const lines = (await text(await file.createReadStream())).trim().split('\r\n');
  assert.equal(lines.length, MANY + 4);
  assert.match(lines[0], /^name,svm\.name,/);
});

test('keys lead to a row, select it and open it', async () => {
  await page.goto(`${array.url}/storage/volumes`);
  // The first rows are those of a list that is being loaded.
  await rows().getByRole('link').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('1 of 5 selected').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Parts' }).waitFor();
});

test('keys lead to pages, and the palette to objects', async () => {
  await page.goto(`${array.url}/`);
  await page.locator('#page h1').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('v');
  await page.getByRole('heading', { name: 'Volumes', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or do' }).fill('many00007');
  await page.getByRole('option', { name: /many00007 LUN · svm1/ }).click();
  await page.getByRole('heading', { name: /many00007$/ }).waitFor();
  assert.deepEqual(page.errors, []);
});

test('the palette finds tasks by the words of the field', async () => {
  await page.goto(`${array.url}/`);
  await page.locator('#page h1').waitFor();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search or do' });
  for (const [word, task] of [
    ['grow', 'Grow a volume'],
    ['reboot', 'Restart or shut down the array'],
    ['smtp', 'Set the mail server'],
  ]) {
    await box.fill(word);
    await page.getByRole('option', { name: `${task} Task` }).waitFor();
  }
  await box.fill('dark');
  await page.getByRole('option', { name: 'Dark appearance Setting' }).click();
  await page.locator('html.pf-v6-theme-dark').waitFor();
  await page.keyboard.press('Control+k');
  await box.fill('system theme');
  await page.getByRole('option', { name: 'Appearance as the system' }).click();
  await page.locator('html:not(.pf-v6-theme-dark)').waitFor();
});

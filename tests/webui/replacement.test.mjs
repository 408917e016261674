/** A disk of an aggregate that is gone is seen without a reload, and replaced by a spare. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, READER, startArray, startBrowser, visit } from './browser.mjs';

const GONE = '1.0.5';

let array, browser, page, path;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
  const [{ uuid }] = (await asAdmin(array, 'GET', 'storage/aggregates?name=aggr2')).records;
  path = `storage/aggregates/${uuid}`;
});
after(async () => {
  await browser.close();
  await array.stop();
});

const button = (other = page) => other.getByRole('button', { name: `Replace disk ${GONE}` });
const row = (name) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const groups = () => page.getByRole('region', { name: 'RAID groups' });
const dialog = () => page.getByRole('dialog');
const disks = async (query) => (await asAdmin(array, 'GET', `storage/disks?${query}`)).records;

test('the page of an aggregate shows that a disk is gone, without a reload', async () => {
  await page.goto(`${array.url}/${path}`);
  await row(GONE).getByText('worn').waitFor();
  assert.equal(await button().count(), 0);
  await array.machine('pull sde');
  await row(GONE).getByText('removed').waitFor();
  await groups().getByText('degraded').waitFor();
  await button().waitFor();
  assert.deepEqual(await findings(page), []);
});

test('an account that may only read sees why nothing can be replaced', async () => {
  const reader = await visit(browser, array.url, { account: READER });
  await reader.goto(`${array.url}/${path}`);
  await button(reader).hover();
  await reader.getByText('Your role "readonly" does not allow this.').waitFor();
  assert.equal(await button(reader).getAttribute('aria-disabled'), 'true');
  await reader.context().close();
});

test('the spares are offered, the best one first, and the group is rebuilt onto one', async () => {
  const [failing] = await disks('container_type=spare&health.passed=false');
  await button().click();
  await dialog().getByText('Changed: Aggregates (1)').waitFor();
  const offered = await dialog().getByLabel('Spare disk').getByRole('option').allTextContents();
  assert.match(offered.at(-1), new RegExp(`^${failing.name}, .*predicted to fail$`));
  assert.deepEqual(await findings(page), []);
  const [chosen] = offered[0].split(',');
  await dialog()
    .getByRole('button', { name: `Replace disk ${GONE}` })
    .click();
  await dialog().waitFor({ state: 'hidden' });
  await row(chosen).waitFor();
  await row(GONE).waitFor({ state: 'detached' });
  await groups().getByText('degraded').waitFor({ state: 'detached' });
  const members = await disks('aggregates.name=aggr2');
  assert.deepEqual(members.map(({ name }) => name).sort(), [chosen, '1.0.6'].sort());
});

test('without a spare that fits nothing can be replaced, and it says so', async () => {
  const spares = await disks('container_type=spare&state=present&fields=path');
  for (const { path: device } of [...spares, ...(await disks('name=1.0.6&fields=path'))])
    await array.machine(`pull ${device.slice('/dev/'.length)}`);
  const other = page.getByRole('button', { name: 'Replace disk 1.0.6' });
  await page.reload();
  await other.hover();
  await page
    .getByText('There is no spare disk as large as the others, with sectors as theirs.')
    .waitFor();
  assert.deepEqual(page.errors, []);
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, seeNotice, startArray, startBrowser, visit } from './browser.mjs';

const LIFS = 'network/ip/interfaces';
const HERE = '192.168.9.9';
/** The header that nginx adds: the page came by this interface. */
const BY_LIF = {
  'X-Sanstone-Server-Address': HERE,
  'X-Forwarded-For': '192.168.9.50',
};

let array, browser, page, lif;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN, extraHTTPHeaders: BY_LIF });
  [lif] = (await asAdmin(array, 'GET', `${LIFS}?ip.address=${HERE}`)).records;
});
after(async () => {
  await browser.close();
  await array.stop();
});

const dialog = () => page.getByRole('dialog', { name: 'Do you still reach the array?' });
const button = (name) => page.getByRole('dialog').getByRole('button', { name });
const current = async () =>
  (await asAdmin(array, 'GET', `${LIFS}/${lif.uuid}?fields=ip.address`)).ip.address;

async function change(address) {
  await page.goto(`${array.url}/${LIFS}/${lif.uuid}/~edit`);
  await page.locator('[id="field-ip.address"]').fill(address);
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor();
}

beforeEach(async () => {
  assert.equal(await current(), HERE);
});

test('the preview of a change says that it may cut off this browser', async () => {
  await page.goto(`${array.url}/${LIFS}/${lif.uuid}/~edit`);
  await page.locator('[id="field-ip.address"]').fill('192.168.9.10');
  await page.getByText('What it would do').click();
  await page.getByText('It may cut off the connection of this browser.').waitFor();
});

test('a change of the own connection is in effect, and taken back on request', async () => {
  await change('192.168.9.10');
  await button('Take back now').and(page.locator(':enabled')).waitFor();
  assert.equal(await current(), '192.168.9.10');
  assert.deepEqual(await findings(page), []);
  await page.getByRole('link', { name: '192.168.9.10' }).waitFor();
  await button('Take back now').click();
  await page.getByRole('dialog', { name: 'The change was taken back' }).waitFor();
  assert.equal(await current(), HERE);
  await button('Close').click();
});

test('a page that is cut off names the new address, and goes on when the array answers again', async () => {
  await change('192.168.9.10');
  await button('Keep this').and(page.locator(':enabled')).waitFor();
  await page.context().setOffline(true);
  await page.getByText('The array does not answer at this address.').waitFor();
  assert.ok(await button('Keep this').isDisabled());
  await page.context().setOffline(false);
  // The browser's message about that is no fault of the page.
  page.errors = page.errors.filter((each) => !each.includes('ERR_INTERNET_DISCONNECTED'));
  await button('Keep this').and(page.locator(':enabled')).waitFor();
  await button('Take back now').click();
  await page.getByRole('dialog', { name: 'The change was taken back' }).waitFor();
  await button('Close').click();
});

test('another page, at the new address, opens the dialog and keeps the change', async () => {
  await change('192.168.9.10');
  await button('Keep this').and(page.locator(':enabled')).waitFor();
  const link = await page.getByRole('link', { name: '192.168.9.10' }).getAttribute('href');
  const { search } = new URL(link);
  const other = await visit(browser, `${array.url}/${search}`, { account: ADMIN });
  const dialog = other.getByRole('dialog', {
    name: 'Do you still reach the array?',
  });
  await dialog.getByRole('button', { name: 'Keep this' }).click();
  await other.getByRole('dialog', { name: 'The change is kept' }).waitFor();
  await page.getByRole('dialog', { name: 'The change is kept' }).waitFor();
  assert.equal(await current(), '192.168.9.10');
  assert.deepEqual([...page.errors, ...other.errors], []);
  await asAdmin(array, 'PATCH', `${LIFS}/${lif.uuid}`, { 'ip.address': HERE });
});

test('a change of another interface asks nothing', async () => {
  const query = `${LIFS}?ip.address=!${HERE}&scope=svm&fields=enabled`;
  const [{ uuid, enabled }] = (await asAdmin(array, 'GET', query)).records;
  await page.goto(`${array.url}/${LIFS}/${uuid}/~edit`);
  await page.getByLabel('Enabled').first().click();
  await seeNotice(page, 'Change LIF', () => page.getByRole('button', { name: 'Save' }).click());
  const { enabled: now } = await asAdmin(array, 'GET', `${LIFS}/${uuid}?fields=enabled`);
  assert.equal(now, !enabled);
  assert.equal(await page.getByRole('dialog').count(), 0);
});

import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, go, READER, startArray, startBrowser, visit } from './browser.mjs';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const bundles = async () => (await asAdmin(array, 'GET', 'support/bundles?fields=**')).records;

test('a support bundle is created, downloaded and deleted', async () => {
  for (const { uuid } of await bundles())
    await asAdmin(array, 'DELETE', `support/bundles/${uuid}?return_timeout=30`);
  await asAdmin(array, 'POST', 'support/bundles?return_timeout=30', {
    name: 'case-1',
  });
  const [{ uuid, size }] = await bundles();
  await go(page, `/support/bundles/${uuid}`);
  const file = page.getByRole('region', { name: 'File', exact: true });
  await file.getByText('No secret is in it').waitFor();
  assert.deepEqual(await findings(page), []);
  const coming = page.waitForEvent('download');
  await file.getByRole('link', { name: 'Download', exact: true }).click();
  const download = await coming;
  assert.equal(download.suggestedFilename(), 'case-1.tar.gz');
  const content = await buffer(await download.createReadStream());
  assert.equal(content.length, size);
  assert.deepEqual([...content.subarray(0, 2)], [0x1f, 0x8b]);
});

test('an account that may create no bundle sees why there is no download', async () => {
  const [{ uuid }] = await bundles();
  const other = await visit(browser, array.url, { account: READER });
  await go(other, `/support/bundles/${uuid}`);
  const button = other
    .getByRole('region', { name: 'File', exact: true })
    .getByRole('button', { name: 'Download', exact: true });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
});

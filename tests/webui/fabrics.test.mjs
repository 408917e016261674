import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findings, logIn, startArray, startBrowser, visit } from './browser.mjs';

const FABRIC = '10:00:00:05:1e:00:00:01';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url);
  await logIn(page);
  await page.locator('#page h1').waitFor();
});
after(async () => {
  await browser.close();
  await array.stop();
});

const row = (text) => page.getByRole('row').filter({ hasText: text });

test('the fabric of a Fibre Channel port leads to its zones and switches', async () => {
  await page.goto(`${array.url}/network/fc/ports`);
  const link = row('0000:03:00.0').getByRole('link', { name: FABRIC });
  await link.click();
  await page.locator('#page h1').filter({ hasText: FABRIC }).waitFor();
  await page.getByText('production').waitFor();
  const parts = page.getByRole('navigation', { name: 'Parts' });
  await parts.getByRole('link', { name: 'Zones of the active zone set' }).click();
  await row('host1').getByText('21:00:00:24:ff:00:00:01').waitFor();
  await row('host1').getByText('1/7').waitFor();
  assert.deepEqual(await findings(page), []);
  await parts.getByRole('link', { name: 'Switches' }).click();
  await row('san-a').getByText('Example').waitFor();
  await row('san-a').getByRole('link').first().click();
  await page.getByText('20:00:00:05:1e:00:00:01').first().waitFor();
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.errors, []);
});

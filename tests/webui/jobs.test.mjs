import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, startArray, startBrowser, visit } from './browser.mjs';

const LIFS = 'network/ip/interfaces';
const TITLE = 'Netzwerkschnittstelle ändern';
const WHY = 'Die Änderung wurde aufgegeben und wird zurückgenommen.';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  const [lif] = (await asAdmin(array, 'GET', LIFS)).records;
  const change = `${LIFS}/${lif.uuid}?confirm_within=600`;
  const { job } = await asAdmin(array, 'PATCH', change, { enabled: false });
  await asAdmin(array, 'PATCH', `cluster/jobs/${job.uuid}?action=cancel`, {});
  page = await visit(browser, array.url, { account: ADMIN, locale: 'de-DE' });
});
after(async () => {
  await browser.close();
  await array.stop();
});

test('the job tray shows in German each change and why it failed', async () => {
  await page.getByRole('button', { name: /^Aufträge/ }).click();
  const item = page.getByRole('listitem').filter({ hasText: TITLE });
  await item.getByText(WHY).first().waitFor();
});

test('the list of jobs says so, too, and is searched by the request', async () => {
  await page.goto(`${array.url}/cluster/jobs?q=PATCH&state=failure`);
  const row = page.getByRole('row').filter({ hasText: TITLE });
  await row.getByText(WHY).waitFor();
  await page.goto(`${array.url}/cluster/jobs?state=failure`);
  await page.getByText('add address: Vorgang nicht zulässig').waitFor();
  await row.getByRole('link').first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText(WHY).first().waitFor();
});

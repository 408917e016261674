import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, READER, seeNotice, startArray, startBrowser, visit } from './browser.mjs';

const MIRROR = 'https://mirror.example.org/sanstone-2.0.raucb';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const region = (name) => page.getByRole('region', { name, exact: true });
const packages = async () =>
  (await asAdmin(array, 'GET', 'cluster/software/packages')).records.map(({ version }) => version);

/** Choose a file, and upload it. */
async function upload(name, content) {
  await page.getByLabel('File of the package').setInputFiles({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
}

test('the slots show their releases, and which runs', async () => {
  await page.goto(`${array.url}/system/update`);
  const slots = region('Slots');
  await slots.getByRole('heading', { name: 'Release 2.0' }).waitFor();
  await slots.getByRole('heading', { name: 'Release 1.0' }).waitFor();
  assert.match(await slots.locator('.is-current').textContent(), /Release 2\.0.*image2.*runs now/s);
  const back = slots.getByRole('button', { name: 'Go back to release 1.0' });
  assert.equal(await back.getAttribute('aria-disabled'), 'true');
  await back.hover();
  await page.getByText('It cannot be started as it is').waitFor();
  await region('Updates so far').getByRole('cell', { name: '2.0', exact: true }).waitFor();
});

test('a package is fetched from a web server, and a refusal is shown', async () => {
  await page.goto(`${array.url}/system/update`);
  const fetching = region('Fetch a package');
  await fetching.getByLabel('URL of the package').fill('ftp://mirror/a.raucb');
  await fetching.getByRole('button', { name: 'Fetch', exact: true }).click();
  await fetching.getByRole('alert').getByText('http or https').waitFor();
  await asAdmin(array, 'DELETE', 'cluster/software/packages/2.0?return_timeout=30');
  await region('Packages').getByText('Release 2.0').waitFor({ state: 'detached' });
  await fetching.getByLabel('URL of the package').fill(MIRROR);
  await fetching.getByRole('button', { name: 'Fetch', exact: true }).click();
  await fetching.getByText('Package download completed.').waitFor();
  await region('Packages').getByText('Release 2.0').waitFor();
  assert.deepEqual(await packages(), ['2.0']);
});

test('a package shows the changes of its release', async () => {
  await page.goto(`${array.url}/system/update`);
  await region('Packages').getByText('What it brings').click();
  await region('Packages').getByRole('heading', { name: '2.0 · 2026-12-01' }).waitFor();
  await region('Packages').getByText('A disk can be erased.').waitFor();
});

test('a file that is no package is refused when it was uploaded', async () => {
  await page.goto(`${array.url}/system/update`);
  const content = JSON.parse(await array.machine('package 9.0'));
  await upload('evil.raucb', JSON.stringify({ ...content, signed: false }));
  await region('Upload a package').getByRole('alert').getByText('cannot be trusted').waitFor();
  assert.ok(!(await packages()).includes('9.0'));
});

test('a package is uploaded in pieces, with its progress', async () => {
  await page.goto(`${array.url}/system/update`);
  const content = await array.machine('package 3.0');
  const pieces = [];
  page.on('request', (request) => {
    if (request.url().includes('/software/upload')) pieces.push(request.url());
  });
  // Blanks at the end of JSON mean nothing.
  await seeNotice(page, 'Package sanstone-3.0.raucb was uploaded', () =>
    upload('sanstone-3.0.raucb', content.padEnd(3 * 1024 ** 2 + 5)),
  );
  assert.equal(pieces.length, 4);
  await region('Packages').getByText('Release 3.0').waitFor();
  assert.ok((await packages()).includes('3.0'));
});

test('a package is checked', async () => {
  await page.goto(`${array.url}/system/update`);
  const row = region('Packages').getByRole('listitem').filter({ hasText: 'Release 3.0' });
  await seeNotice(page, 'Check package 3.0', () =>
    row.getByRole('button', { name: 'Check' }).click(),
  );
});

test('an update is watched through the restart until the new release answers', async () => {
  await page.goto(`${array.url}/system/update`);
  const row = region('Packages').getByRole('listitem').filter({ hasText: 'Release 3.0' });
  await row.getByRole('button', { name: 'Install and restart' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Hosts that use it now').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog.getByRole('button', { name: 'Install 3.0 and restart the array' }).click();
  const progress = region('Update under way');
  await progress.getByText('Release 3.0 is being installed').waitFor();
  await progress.getByText('Release 3.0 is written. The array reboots into it.').waitFor();
  assert.equal(await array.machine('reboot-requested'), 'true');
  await array.machine('down');
  await progress.getByText('The array restarts. This page waits').waitFor();
  await array.machine('boot a');
  await page.getByText('The update is complete.').waitFor();
  await page.reload();
  await page.getByText('The update is complete.').waitFor();
  assert.match(await region('Slots').locator('.is-current').textContent(), /Release 3\.0/);
});

test('the way back needs no package, and a failed one is shown', async () => {
  for (const version of await packages())
    await asAdmin(array, 'DELETE', `cluster/software/packages/${version}?return_timeout=30`);
  await page.goto(`${array.url}/system/update`);
  await region('Packages').getByText('No package is on the array').waitFor();
  await region('Slots').getByRole('button', { name: 'Go back to release 2.0' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The other slot holds this release').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog.getByRole('button', { name: 'Go back to 2.0 and restart the array' }).click();
  await region('Update under way').getByText('reboots into it').waitFor();
  await array.machine('down');
  await array.machine('boot a');
  await page.getByText('The update failed.').waitFor();
  await page.getByText('did not come up serving; the array went back').first().waitFor();
});

test('an account that may not update sees everything, and why nothing can be done', async () => {
  const other = await visit(browser, array.url, { account: READER });
  await other.goto(`${array.url}/system/update`);
  const fetching = other.getByRole('button', { name: 'Fetch', exact: true });
  await fetching.waitFor();
  await other.getByLabel('URL of the package').fill(MIRROR);
  assert.equal(await fetching.getAttribute('aria-disabled'), 'true');
});

test('the node restarts once its name is typed', async () => {
  await page.goto(`${array.url}/cluster/nodes`);
  const { records } = await asAdmin(array, 'GET', 'cluster/nodes?fields=name');
  await page.getByRole('link', { name: records[0].name }).click();
  await page.getByRole('button', { name: 'Restart …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Hosts that use it now').waitFor();
  const run = dialog.getByRole('button', { name: `Restart node ${records[0].name}` });
  assert.ok(await run.isDisabled());
  await dialog.getByLabel(/To go on, type/).fill(records[0].name);
  await run.click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText(`Restart node ${records[0].name}`).waitFor();
  assert.equal(await array.machine('reboot-requested'), 'true');
  const others = page.errors.filter((each) => !/status of 503/.test(each));
  assert.deepEqual(others, []);
});

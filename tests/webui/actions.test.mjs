import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, READER, seeNotice, startArray, startBrowser, visit } from './browser.mjs';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const button = (name) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const first = async (path) => (await asAdmin(array, 'GET', path)).records[0];

async function open(kind, query) {
  const { uuid } = await first(`${kind}?${query}`);
  await page.goto(`${array.url}/${kind}/${uuid}`);
}

test('a LUN is resized, and the commands for its host are shown', async () => {
  await open('storage/luns', 'name=/vol/vol1/lun1&svm.name=svm1');
  await button('Resize').click();
  await dialog().getByText('64 MiB').first().waitFor();
  await dialog().getByRole('textbox', { name: /Size/ }).fill('128 MiB');
  await dialog().getByText('Hosts that use it now: 1').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog().getByRole('button', { name: 'Resize: LUN /vol/vol1/lun1' }).click();
  await dialog().getByText('iscsiadm -m session --rescan').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  const { space } = await first('storage/luns?name=/vol/vol1/lun1&svm.name=svm1&fields=space.size');
  assert.equal(space.size, 128 * 1024 ** 2);
});

test('several LUNs are taken offline by one request, and the buttons follow', async () => {
  await page.goto(`${array.url}/storage/luns?svm.name=svm1`);
  for (const name of ['lun1', 'lun2'])
    await page.getByRole('checkbox', { name: `Select /vol/vol1/${name}` }).check();
  await button('Set offline').click();
  await dialog()
    .getByText(/Hosts that use it now/)
    .waitFor();
  const text = 'Set offline: 2 LUNs';
  await seeNotice(page, text, () => dialog().getByRole('button', { name: text }).click());
  const off = await asAdmin(array, 'GET', 'storage/luns?svm.name=svm1&enabled=false');
  assert.equal(off.num_records, 2);
  await open('storage/luns', 'name=/vol/vol1/lun1&svm.name=svm1');
  await button('Set online').waitFor();
  assert.equal(await button('Set offline').count(), 0);
});

test('fields of several rows are changed together', async () => {
  await page.goto(`${array.url}/storage/namespaces?svm.name=svm1`);
  for (const name of ['ns1', 'ns2'])
    await page.getByRole('checkbox', { name: `Select /vol/vol1/${name}` }).check();
  await button('Edit').click();
  await dialog().getByLabel('Field to change').selectOption({ label: 'Comment' });
  await dialog().getByRole('textbox', { name: 'Comment' }).fill('of the lab');
  await dialog()
    .getByText(/Hosts that use it now/)
    .waitFor();
  const text = 'Edit: 2 Namespaces';
  await seeNotice(page, text, () => dialog().getByRole('button', { name: text }).click());
  const changed = await asAdmin(array, 'GET', 'storage/namespaces?comment=of the lab');
  assert.equal(changed.num_records, 2);
});

test('a snapshot is taken and restored, once its name is typed', async () => {
  await open('storage/volumes', 'name=vol1&svm.name=svm1');
  await button('Take a snapshot').click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('before');
  await dialog().getByRole('button', { name: 'Take a snapshot: volume vol1' }).click();
  await dialog().waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Snapshots', exact: true }).click();
  await page.getByRole('link', { name: 'before', exact: true }).click();
  await button('Restore the volume').click();
  const run = dialog().getByRole('button', {
    name: 'Restore the volume: snapshot before',
  });
  await dialog()
    .getByText(/Hosts that use it now/)
    .waitFor();
  assert.ok(await run.isDisabled());
  await dialog()
    .getByLabel(/What was written since is lost/)
    .fill('before');
  await run.click();
  await dialog().waitFor({ state: 'hidden' });
});

test('a LUN is cloned', async () => {
  await open('storage/luns', 'name=/vol/vol1/lun2&svm.name=svm1');
  await button('Clone').click();
  await dialog().getByText('Created: LUNs (1)').waitFor();
  await dialog()
    .getByRole('button', { name: /^Clone: LUN/ })
    .click();
  await dialog().waitFor({ state: 'hidden' });
  assert.ok(await first('storage/luns?name=/vol/vol1/lun2_clone'));
});

test('a LUN becomes a namespace, and a LUN again', async () => {
  const path = '/vol/vol1/to_convert';
  const lun = {
    'svm.name': 'svm1',
    name: path,
    os_type: 'linux',
    'space.size': 64 * 1024 ** 2,
  };
  await asAdmin(array, 'POST', 'storage/luns', lun);
  const { uuid } = await first(`storage/luns?name=${path}`);
  await page.goto(`${array.url}/storage/luns/${uuid}`);
  await button('Convert to namespace').click();
  await dialog().getByText('Deleted: LUNs (1)').waitFor();
  await dialog().getByText('Created: Namespaces (1)').waitFor();
  assert.deepEqual(await findings(page), []);
  await dialog()
    .getByRole('button', { name: `Convert to namespace: LUN ${path}` })
    .click();
  await page.waitForURL(`${array.url}/storage/namespaces/${uuid}`);
  await button('Convert to LUN').waitFor();
  await page.goto(`${array.url}/storage/namespaces`);
  await page.getByRole('link', { name: path, exact: true }).click();
  await button('Convert to LUN').click();
  await dialog()
    .getByRole('button', { name: `Convert to LUN: namespace ${path}` })
    .click();
  await page.waitForURL(`${array.url}/storage/luns/${uuid}`);
  await page.goto(`${array.url}/storage/luns?svm.name=svm1`);
  await page.getByRole('link', { name: path, exact: true }).waitFor();
});

test('a LUN or namespace that cannot be converted says why', async () => {
  const why = async (text) => {
    await page.getByRole('button', { name: /^Convert to/ }).hover();
    await page.getByText(text).waitFor();
  };
  await open('storage/luns', 'name=/vol/vol1/lun1&svm.name=svm1');
  await why('It is mapped; unmap it first.');
  const large = 'status.mapped=false&space.block_size=4096';
  const namespace = {
    'svm.name': 'svm1',
    name: '/vol/vol1/large',
    os_type: 'linux',
  };
  await asAdmin(array, 'POST', 'storage/namespaces', {
    ...namespace,
    'space.size': 64 * 1024 ** 2,
  });
  await open('storage/namespaces', `name=/vol/vol1/large&${large}`);
  await why('A LUN has blocks of 512 bytes, this namespace has larger ones.');
});

test('an account that may only read sees each button with its reason', async () => {
  const other = await visit(browser, array.url, { account: READER });
  const { uuid } = await first('storage/volumes?name=vol2');
  await other.goto(`${array.url}/storage/volumes/${uuid}`);
  const resize = other.getByRole('button', { name: 'Resize', exact: true });
  await resize.waitFor();
  assert.equal(await resize.getAttribute('aria-disabled'), 'true');
  await resize.hover();
  await other.getByText('Your role "readonly" does not allow this.').waitFor();
  await other.context().close();
  assert.deepEqual(page.errors, []);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, startArray, startBrowser, visit } from './browser.mjs';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray('--empty'), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const field = (name) => page.locator(`[id="field-${name}"]`);
const step = (name) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name });

test('an empty array leads to the guide, which can be left', async () => {
  await page.getByRole('heading', { name: 'Setup guide', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'To the dashboard' }).click();
  await page.getByText('The array is not set up yet').waitFor();
  assert.deepEqual(await findings(page), []);
  await page.getByRole('link', { name: 'Go on with the setup guide' }).click();
  await step(/^Aggregate Next$/).waitFor();
  assert.deepEqual(await findings(page), []);
});

test('the aggregate is suggested, with its request and a preview', async () => {
  const spares = (await asAdmin(array, 'GET', 'storage/disks?container_type=spare')).num_records;
  assert.equal(await field('block_storage.primary.disk_count').inputValue(), String(spares));
  await page.getByText('Show as a command').click();
  await page.getByText(/curl .*\/api\/storage\/aggregates/s).waitFor();
  await page.getByText('What it would do').click();
  await page.getByText('Created: Aggregates (1)').waitFor();
  await page.getByRole('button', { name: 'Create aggregate' }).click();
  await step(/^Aggregate Done$/).waitFor();
});

test('it goes on where the array is, after a reload too', async () => {
  await step(/^SVM and its protocols Next$/).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'SVM and its protocols' }).waitFor();
  assert.equal(await field('name').inputValue(), 'svm1');
  await page.getByRole('button', { name: 'Create SVM' }).click();
  await step(/^SVM and its protocols Done$/).waitFor();
  const query = 'svm/svms?fields=iscsi.enabled,nvme.enabled';
  const [svm] = (await asAdmin(array, 'GET', query)).records;
  assert.deepEqual([svm.name, svm.iscsi.enabled, svm.nvme.enabled], ['svm1', true, true]);
});

test('an interface for data is created on the first port for data', async () => {
  await page.getByRole('heading', { name: 'Interfaces for data' }).waitFor();
  await field('ip.address').fill('10.10.1.7');
  await page.getByRole('button', { name: 'Create LIF' }).click();
  await step(/^Interfaces for data Done$/).waitFor();
  const query = 'network/ip/interfaces?name=data1&fields=location.home_port.name,svm.name';
  const [lif] = (await asAdmin(array, 'GET', query)).records;
  assert.equal(lif.svm.name, 'svm1');
  assert.notEqual(lif.location.home_port.name, 'e0M');
});

test('steps that were done elsewhere are marked as done, up to the end', async () => {
  await page.getByRole('heading', { name: 'Access of hosts' }).waitFor();
  const content = page.getByRole('main', { name: 'Content' });
  await content.getByRole('link', { name: 'Provision for a host' }).waitFor();
  const svm = { svm: { name: 'svm1' } };
  const os = { ...svm, os_type: 'linux' };
  const initiators = [{ name: 'iqn.1994-05.com.redhat:host1' }];
  await asAdmin(array, 'POST', 'protocols/san/igroups', {
    ...os,
    name: 'hosts',
    initiators,
  });
  await step(/^First LUN or namespace Next$/).waitFor();
  await asAdmin(array, 'POST', 'storage/volumes?return_timeout=15', {
    ...svm,
    name: 'vol1',
    size: 2 ** 30,
  });
  await asAdmin(array, 'POST', 'storage/luns', {
    ...os,
    name: '/vol/vol1/lun1',
    space: { size: 2 ** 28 },
  });
  await asAdmin(array, 'POST', 'protocols/san/lun-maps', {
    ...svm,
    lun: { name: '/vol/vol1/lun1' },
    igroup: { name: 'hosts' },
  });
  await page.getByText('Everything that hosts need is set up.').waitFor();
  await step(/^A host is connected Optional$/).waitFor();
  assert.deepEqual(page.errors, []);
});

test('an array that is set up is not led to the guide', async () => {
  await page.goto(array.url);
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  assert.equal(await page.getByText('The array is not set up yet').count(), 0);
});

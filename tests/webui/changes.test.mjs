import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { hold, letGo, ORDERS, release } from './arrivals.mjs';
import { ADMIN, load, seeNotice, settle, startArray, startBrowser, visit } from './browser.mjs';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const field = (name) => page.locator(`[id="field-${name}"]`);

const create = () => page.getByRole('button', { name: 'Create volume' }).click();

async function pick(name, text) {
  await field(name).fill(text);
  await page.getByRole('option', { name: text }).first().click();
}

test('a volume is created, and the job tray says that it is there, after a reload too', async () => {
  await page.goto(`${array.url}/storage/volumes/~new`);
  await field('name').fill('made');
  await pick('svm', 'svm1');
  await field('size').fill('100 MiB');
  await seeNotice(page, 'Create volume made', create);
  await page.getByRole('link', { name: 'made', exact: true }).waitFor();
  const [volume] = (await asAdmin(array, 'GET', 'storage/volumes?name=made&fields=size')).records;
  assert.equal(volume.size, 100 * 1024 ** 2);
  await page.reload();
  await page.getByRole('button', { name: /^Jobs/ }).click();
  await page.getByText(`POST /api/storage/volumes/${volume.uuid}`).waitFor();
});

test('a missing value is named beside its field, which gets the focus', async () => {
  await page.goto(`${array.url}/storage/volumes/~new`);
  await create();
  await page.locator('[id="field-name-help"]').getByText('This is needed.').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'field-name');
});

test('a refusal of the array is shown beside the field that it names', async () => {
  await page.goto(`${array.url}/storage/volumes/~new`);
  await field('name').fill('not a name');
  await pick('svm', 'svm1');
  await field('size').fill('100 MiB');
  await create();
  await page.locator('[id="field-name"][aria-invalid="true"]').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'field-name');
  await field('name').fill('a_name');
  await field('size').fill('much');
  await create();
  await page.locator('[id="field-size-help"]').getByText('Write a size').waitFor();
});

test('a form shows its change as a request, a command of the shell, and a task of Ansible', async () => {
  await page.goto(`${array.url}/storage/volumes/~new`);
  await field('name').fill('shown');
  await pick('svm', 'svm1');
  await field('size').fill('2 GiB');
  await page.getByRole('button', { name: 'Show as a command' }).click();
  const text = page.getByLabel('Command', { exact: true });
  await text.getByText('"size":2147483648').waitFor();
  await page.getByRole('button', { name: 'Shell' }).click();
  await text.getByText('volume create -volume shown -vserver svm1').waitFor();
  assert.match(await text.textContent(), /-size 2gb/);
  await page.getByRole('button', { name: 'Ansible' }).click();
  await text.getByText('sanstone.array.volume').waitFor();
  assert.match(await text.textContent(), /size: 2147483648/);
});

test('a LUN is created, edited and deleted', async () => {
  await page.goto(`${array.url}/storage/luns/~new`);
  await pick('svm', 'svm1');
  await pick('location.volume', 'vol1');
  await field('location.logical_unit').fill('made');
  await field('os_type').selectOption('linux');
  await field('space.size').fill('8 MiB');
  await page.getByRole('button', { name: 'Create LUN' }).click();
  await page.getByRole('link', { name: '/vol/vol1/made' }).click();

  await page.getByRole('button', { name: 'Edit' }).click();
  await field('space.size').fill('16 MiB');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('16 MiB').first().waitFor();
  const found = await asAdmin(array, 'GET', 'storage/luns?name=*made&fields=space.size');
  assert.equal(found.records[0].space.size, 16 * 1024 ** 2);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const run = dialog.getByRole('button', { name: 'Delete LUN /vol/vol1/made' });
  assert.ok(await run.isDisabled());
  await dialog.getByLabel(/Its data is lost/).fill('/vol/vol1/made');
  await run.click();
  await page.getByRole('heading', { name: 'LUNs', level: 1 }).waitFor();
  const left = await asAdmin(array, 'GET', 'storage/luns?name=*made');
  assert.equal(left.num_records, 0);
});

test('a button that is pressed while a page arrives does not move away from a slow pointer', async () => {
  const [{ uuid }] = (await asAdmin(array, 'GET', 'storage/luns?name=/vol/vol1/lun1')).records;
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await load(page, `${array.url}/cluster/schedules`);
  await hold(page);
  await page.evaluate((to) => history.pushState({}, '', to), `/storage/luns/${uuid}`);
  await settle(page);
  while (!(await edit.isVisible())) await letGo(page, ORDERS.first);
  const pressed = await edit.elementHandle();
  await pressed.hover();
  await page.mouse.down();
  while (page.held.length) {
    const what = await letGo(page, ORDERS.first);
    const isUnder = await pressed.evaluate(
      (button) => button.matches(':hover') && button.checkVisibility(),
    );
    assert.ok(isUnder, `the button is under the pointer when ${what} has arrived`);
  }
  await page.mouse.up();
  await release(page);
  await settle(page);
  assert.equal(new URL(page.url()).pathname, `/storage/luns/${uuid}/~edit`);
  await field('space.size').waitFor();
});

test('a user who leaves a form before its answer stays on the next page', async () => {
  let answer;
  const isHeld = new Promise((resolve) => {
    void page.route(/\/api\/cluster\/schedules/, (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      answer = () => route.continue();
      resolve();
    });
  });
  await load(page, `${array.url}/cluster/schedules/~new`);
  await field('name').fill('late');
  await field('interval').fill('PT20M');
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await isHeld;
  await page.getByRole('link', { name: 'Volumes', exact: true }).click();
  await page.getByRole('heading', { name: 'Volumes', level: 1 }).waitFor();
  await seeNotice(page, 'Create schedule late', answer);
  await settle(page);
  assert.equal(new URL(page.url()).pathname, '/storage/volumes');
  await page.unrouteAll();
});

test('the dialog that deletes a volume names its content, and why it cannot go', async () => {
  await page.goto(`${array.url}/storage/volumes?name=vol1&svm.name=svm1`);
  await page.getByRole('link', { name: 'vol1', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('/vol/vol1/lun1').waitFor();
  await dialog.getByLabel(/Its data is lost/).fill('vol1');
  await dialog.getByRole('button', { name: 'Delete volume vol1' }).click();
  await dialog.getByRole('alert').waitFor();
});

test('the dialog that deletes a volume names the LUNs that go with it, before anything does', async () => {
  const volume = { 'svm.name': 'svm1', name: 'doomed', size: 1024 ** 3 };
  await asAdmin(array, 'POST', 'storage/volumes?return_timeout=30', volume);
  const lun = { 'svm.name': 'svm1', name: '/vol/doomed/lun7', os_type: 'linux' };
  await asAdmin(array, 'POST', 'storage/luns', { ...lun, 'space.size': 1024 ** 2 });
  await page.goto(`${array.url}/storage/volumes?name=doomed`);
  await page.getByRole('link', { name: 'doomed', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Deleted: LUNs (1)').waitFor();
  await dialog.getByText('/vol/doomed/lun7').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await asAdmin(array, 'GET', 'storage/luns?name=*lun7')).num_records, 1);
});

test('a form shows the changes that it would make', async () => {
  await page.goto(`${array.url}/storage/volumes/~new`);
  await field('name').fill('huge');
  await pick('svm', 'svm1');
  await field('size').fill('900 TiB');
  await page.getByRole('button', { name: 'What it would do' }).click();
  await page.getByText('Created: Volumes (1)').waitFor();
  await page.getByText(/900 TiB of .* promised/).waitFor();
  assert.equal((await asAdmin(array, 'GET', 'storage/volumes?name=huge')).num_records, 0);
});

test('several objects are deleted at once', async () => {
  for (const name of ['one', 'two'])
    await asAdmin(array, 'POST', 'cluster/schedules', { name, interval: 'PT20M' });
  await page.goto(`${array.url}/cluster/schedules`);
  await page.getByRole('checkbox', { name: 'Select one' }).check();
  await page.getByRole('checkbox', { name: 'Select two' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete 2 Schedules' }).click();
  // Elements behind the dialog are hidden from roles as long as that is open.
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'two', exact: true }).waitFor({ state: 'detached' });
  const left = await asAdmin(array, 'GET', 'cluster/schedules?name=one|two');
  assert.equal(left.num_records, 0);
  assert.deepEqual(page.errors, []);
});

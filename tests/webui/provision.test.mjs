import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, startArray, startBrowser, visit } from './browser.mjs';

const NQN = 'nqn.2014-08.org.nvmexpress:uuid:ec573842-6bfd-03a6-2faa-b22df8512800';
const IQN = 'iqn.1994-05.com.example:new';

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
const button = (name) => page.getByRole('button', { name, exact: true });
const count = async (path) => (await asAdmin(array, 'GET', path)).num_records;

async function pick(name, text) {
  // The text entered before is still there.
  await field(name).fill('');
  await field(name).fill(text);
  await page.getByRole('option', { name: text }).first().click();
}

/** Fill in all that has no default: no more than six fields. */
async function fill({ svm = 'svm1', protocol = 'iscsi', host, name, size = '8 MiB' }) {
  await page.goto(`${array.url}/provision`);
  await pick('svm', svm);
  await field('protocol').selectOption(protocol);
  await field('initiator').fill(host);
  await field('name').fill(name);
  await field('size').fill(size);
}

async function review() {
  await button('Review').click();
  await page.getByRole('heading', { name: 'New objects' }).waitFor();
}

test('iSCSI: one form creates all that a host needs, and shows the commands for the host', async () => {
  await fill({ host: IQN, name: 'db' });
  assert.deepEqual(await findings(page), []);
  await field('count').fill('2');
  await review();
  const steps = await page.locator('.steps summary').allTextContents();
  assert.equal(steps.length, 6);
  assert.match(steps[0], /volume.*db.*20 MiB.*tried/);
  assert.match(steps[1], /\/vol\/db\/db1.*8 MiB/);
  await page
    .getByText(/Aggregate/)
    .first()
    .waitFor();
  assert.deepEqual(await findings(page), []);
  assert.equal(await count('storage/volumes?name=db'), 0);
  await page.locator('.steps summary').nth(1).click();
  await button('Show as a command').first().click();
  await page.getByText('"name":"/vol/db/db1"').waitFor();

  await button('Make all of it').click();
  await page.getByText('All of it is there').waitFor();
  assert.equal(await count('protocols/san/lun-maps?igroup.name=db&svm.name=svm1'), 2);
  const text = await page
    .getByLabel('Discover and connect on every interface', { exact: true })
    .textContent();
  assert.match(text, /sendtargets -p \S+:3260/);
  assert.match(text, /-T iqn\.2001-04\.com\.example:target1 --login/);
  await page.getByText(`# ${IQN}`).waitFor();
  assert.deepEqual(await findings(page), []);
  await button('Provision for another host').click();
});

test('SRP: each port of the host is an initiator, and commands name the targets of its logins', async () => {
  await fill({
    svm: 'svm2',
    protocol: 'srp',
    host: '5054:00ff:fe00:0301 5054:00ff:fe00:0302',
    name: 'fast',
  });
  await review();
  await button('Make all of it').click();
  await page.getByText('All of it is there').waitFor();
  const query = 'protocols/san/igroups?name=fast&fields=protocol,initiators';
  const [igroup] = (await asAdmin(array, 'GET', query)).records;
  const ports = ['0x0000000000000000505400fffe000301', '0x0000000000000000505400fffe000302'];
  assert.equal(igroup.protocol, 'srp');
  assert.deepEqual(igroup.initiators.map(({ name }) => name).sort(), ports);
  const text = await page.getByLabel('Log in on every interface', { exact: true }).textContent();
  const served = 'protocols/san/srp/services?svm.name=svm2&fields=target';
  const [{ target }] = (await asAdmin(array, 'GET', served)).records;
  assert.match(text, new RegExp(`id_ext=${target.name},ioc_guid=${target.name},`));
  assert.match(text, /log_in 10\.10\.2\.3 10\.10\.2\.3:5555/);
  for (const port of ports) await page.getByText(`# ${port}`).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.getByRole('link', { name: '/vol/fast/fast', exact: true }).click();
  await page.getByText('Show the commands').click();
  await page.getByLabel('Log in on every interface', { exact: true }).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.goto(`${array.url}/provision`);
  await button('Provision for another host').click();
});

test('FCP: ports that were seen are ticked, and the SVM gets an interface where it has none', async () => {
  await page.goto(`${array.url}/provision`);
  await pick('svm', 'svm2');
  await field('protocol').selectOption('fcp');
  const seen = page.getByRole('checkbox', { name: '20:00:00:50:56:00:00:09', exact: true });
  await seen.check();
  assert.equal(await field('initiator').inputValue(), '20:00:00:50:56:00:00:09');
  // The array's own port is in the fabric as well, and is no host's.
  const all = await page.locator('#field-seen input').evaluateAll((boxes) => boxes.length);
  assert.equal(all, 2);
  const own = page.getByRole('checkbox', { name: '0000:03:00.0', exact: true });
  assert.deepEqual([await own.isChecked(), await own.isDisabled()], [true, true]);
  await page.getByRole('checkbox', { name: '0000:03:00.1', exact: true }).check();
  await field('name').fill('wide');
  await field('size').fill('8 MiB');
  assert.deepEqual(await findings(page), []);
  await review();
  const steps = await page.locator('.steps summary').allTextContents();
  assert.match(steps.at(-1), /fcp_0000-03-00\.1.*0000:03:00\.1.*tried/);
  await page.locator('.steps summary').last().click();
  await button('Show as a command').last().click();
  await page.getByText('"data_protocol":"fcp"').waitFor();
  await button('Make all of it').click();
  await page.getByText('All of it is there').waitFor();
  assert.equal(await count('network/fc/interfaces?svm.name=svm2&data_protocol=fcp'), 2);
  assert.equal(await count('protocols/san/igroups?name=wide&protocol=fcp'), 1);
  const commands = page.getByLabel('Look for the LUNs at every port', { exact: true });
  // The new interface is named once the list of interfaces has been read again.
  await commands.getByText('# 0x21000024ff000002').waitFor();
  assert.match(await commands.textContent(), /# 0x21000024ff000001\n# 0x21000024ff000002\n/);
  await page.getByText('# 0x2000005056000009').waitFor();
  assert.deepEqual(await findings(page), []);
  await page.getByRole('link', { name: '/vol/wide/wide', exact: true }).click();
  await page.getByText('Show the commands').click();
  await page.getByLabel('Look for the LUNs at every port', { exact: true }).waitFor();
  await page.goto(`${array.url}/provision`);
  await button('Provision for another host').click();
});

test('NVMe/FC: the interface that the SVM has is used, and hosts connect through each port', async () => {
  await fill({ protocol: 'nvme_fc', host: NQN, name: 'quick' });
  await page.getByRole('checkbox', { name: '0000:03:00.2', exact: true }).waitFor();
  await review();
  assert.equal(await page.locator('.steps summary').count(), 4);
  await button('Make all of it').click();
  await page.getByText('All of it is there').waitFor();
  const text = await page.getByLabel('Connect through every port', { exact: true }).textContent();
  assert.match(text, /-t fc -n nqn\S+quick .*-a nn-0x20000024ff000003:pn-0x21000024ff000003/);
  await page.getByRole('link', { name: '/vol/quick/quick', exact: true }).click();
  await page.getByText('Show the commands').last().click();
  await page.getByLabel('Connect through every port', { exact: true }).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.goto(`${array.url}/provision`);
  await button('Provision for another host').click();
});

test('NVMe that fails at its third step says what exists, after a reload too, and is taken back', async () => {
  await fill({ protocol: 'nvme_tcp', host: NQN, name: 'logs' });
  await review();
  const taken = { 'svm.name': 'svm1', name: 'logs', os_type: 'linux' };
  await asAdmin(array, 'POST', 'protocols/nvme/subsystems', taken);
  await button('Make all of it').click();
  await page.getByText('Step 3 failed').waitFor();
  await page.getByText('Created so far: 2').waitFor();
  await page.reload();
  await page.getByText('Step 3 failed').waitFor();
  await page.getByRole('link', { name: '/vol/logs/logs' }).waitFor();
  assert.deepEqual(await findings(page), []);

  await button('Take back').click();
  await button('Delete 2 objects').click();
  await page.getByText('The new objects of this run are deleted again').waitFor();
  assert.equal(await count('storage/namespaces?name=*logs'), 0);
  assert.equal(await count('storage/volumes?name=logs'), 0);
  // Objects of others stay.
  assert.equal(await count('protocols/nvme/subsystems?name=logs'), 1);
  await button('Change what was entered').click();
  assert.equal(await field('name').inputValue(), 'logs');
});

test('a failed step is tried again from there, and no object is created twice', async () => {
  await fill({ host: 'iqn.1994-05.com.example:again', name: 'again' });
  await review();
  const taken = { 'svm.name': 'svm1', name: 'again', os_type: 'linux' };
  await asAdmin(array, 'POST', 'protocols/san/igroups', taken);
  await button('Make all of it').click();
  await page.getByText('Step 3 failed').waitFor();
  await asAdmin(array, 'DELETE', 'protocols/san/igroups?name=again');
  await button('Try again from there').click();
  await page.getByText('All of it is there').waitFor();
  assert.equal(await count('storage/luns?name=*again'), 1);
  assert.equal(await count('protocols/san/lun-maps?lun.name=/vol/again/again'), 1);
  await button('Provision for another host').click();
});

test('the service that the SVM lacks is created, too', async () => {
  await fill({
    svm: 'svm3',
    host: 'iqn.1994-05.com.example:third',
    name: 'third',
  });
  await page.getByText('The SVM does not serve this protocol yet.').waitFor();
  await review();
  assert.match((await page.locator('.steps summary').allTextContents())[0], /svm3/);
  await page.getByText('no network interface for this protocol').waitFor();
  await button('Make all of it').click();
  await page.getByText('All of it is there').waitFor();
  const served = await asAdmin(
    array,
    'GET',
    'protocols/san/iscsi/services?svm.name=svm3&fields=enabled',
  );
  assert.equal(served.records[0].enabled, true);
  await button('Provision for another host').click();
});

test('a value that the array would refuse is named beside its field, and nothing is created', async () => {
  await fill({ host: 'iqn.bad', name: 'vol1' });
  await button('Review').click();
  await page.locator('[id="field-initiator"][aria-invalid="true"]').waitFor();
  await page.locator('[id="field-volume"][aria-invalid="true"]').waitFor();
  await field('initiator').fill('');
  await button('Review').click();
  await page.locator('[id="field-initiator-help"]').getByText('This is needed.').waitFor();
  assert.deepEqual(page.errors, []);
});

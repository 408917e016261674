import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, startArray, startBrowser, visit } from './browser.mjs';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const IQN = 'iqn.1994-05.com.example:host1';
const REFUSED = 'iqn.1994-05.com.example:host2';
const host = (name) => page.getByRole('navigation', { name: 'Hosts' }).getByTitle(name);
const drawing = () => page.getByRole('region', { name: 'Drawing of the paths' });
const column = (name) => drawing().getByRole('list', { name });

/**
 * Open the page and return the table of refused hosts. Elements above come later, and a button that they
 * move between a pointer's down and up is not clicked.
 */
async function showRefused() {
  await page.goto(`${array.url}/hosts`);
  await drawing().waitFor();
  return page.getByRole('region', { name: 'Refused hosts', exact: true });
}

async function choose(initiator) {
  await page.goto(`${array.url}/hosts`);
  await host(initiator).click();
  await drawing().getByTitle(initiator).waitFor();
}

test('a host that is logged in by iSCSI is drawn, each part with a link to its page', async () => {
  await choose(IQN);
  await column('Network interface').getByText('connected').waitFor();
  const links = await drawing()
    .locator('a')
    .evaluateAll((all) =>
      all.map((link) => link.getAttribute('href').replace(/[0-9a-f-]{36}/g, '*')),
    );
  for (const link of [
    '/protocols/san/hosts/*/*',
    '/network/ip/interfaces/*',
    '/protocols/san/igroups/*',
    '/storage/luns/*',
  ])
    assert.ok(links.includes(link), `${link} in ${links}`);
  await column('Igroup or subsystem').getByRole('link', { name: 'group1' }).click();
  await page.getByRole('heading', { name: 'group1', level: 1 }).waitFor();
});

test('a host that is connected by NVMe is drawn with its subsystem and namespace', async () => {
  await page.goto(`${array.url}/hosts?state=connected&q=nqn`);
  await column('Igroup or subsystem').getByText('sub1').waitFor();
  await column('LUN or namespace').getByText('/vol/vol1/ns1').waitFor();
  await column('Network interface').getByText('connected').waitFor();
});

test('a LIF that goes down is seen as broken, without a reload, in words', async () => {
  await choose(IQN);
  await column('Network interface').getByText('connected').waitFor();
  const query = 'network/ip/interfaces?name=lif1&svm.name=svm1';
  const [{ uuid }] = (await asAdmin(array, 'GET', query)).records;
  const lif = `network/ip/interfaces/${uuid}?return_timeout=30`;
  await asAdmin(array, 'PATCH', lif, { enabled: false });
  try {
    await column('Network interface').getByText('LIF down').first().waitFor();
    await page.getByText('LIF "lif1" is down: switched off.').waitFor();
    await host(IQN).getByText('lost').waitFor();
    const first = page.getByRole('navigation', { name: 'Hosts' }).getByRole('button').first();
    assert.match(await first.textContent(), /lost/);
    await page.goto(`${array.url}/hosts?view=table&state=lif_down`);
    await page.getByRole('cell', { name: 'lif1' }).first().waitFor();
  } finally {
    await asAdmin(array, 'PATCH', lif, { enabled: true });
  }
});

test('the view and the filters are in the address', async () => {
  await page.goto(`${array.url}/hosts`);
  await page.getByLabel('State').selectOption('connected');
  await page.getByLabel('Filter hosts').fill('host1');
  await page.waitForURL(/state=connected/);
  await page.waitForURL(/q=host1/);
  await host(IQN).waitFor();
  await page.reload();
  assert.equal(await page.getByLabel('Filter hosts').inputValue(), 'host1');
  await page.getByLabel('Filter hosts').fill('no such host');
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await host(IQN).waitFor();
  await page.getByRole('button', { name: 'Table' }).click();
  await page.waitForURL(/view=table/);
  await page.getByRole('cell', { name: 'lif1' }).first().waitFor();
});

test('the paths are saved as CSV', async () => {
  await page.goto(`${array.url}/hosts`);
  await host(IQN).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const stream = await (await saved).createReadStream();
  let text = '';
  for await (const piece of stream) text += piece;
  assert.match(text, /^initiator\.name,/);
  assert.ok(text.includes(IQN));
});

test('a refused host is listed, with the form that lets it in', async () => {
  const row = (await showRefused()).getByRole('row').filter({ hasText: '10.10.1.201' });
  await row.getByText('not allowed').waitFor();
  await row.getByText(/It is in no igroup/).waitFor();
  await row.getByRole('button', { name: 'Add to an igroup' }).click();
  await page.getByRole('menuitem', { name: 'group1' }).click();
  await page.waitForURL(/initiators\/~new$/);
  await page.locator('[id="field-name"]').fill(REFUSED);
  await page.getByRole('button', { name: /^Create/ }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('~new'));
  const group = 'protocols/san/igroups?name=group1&svm.name=svm1&fields=initiators';
  const [{ initiators }] = (await asAdmin(array, 'GET', group)).records;
  assert.ok(initiators.some(({ name }) => name === REFUSED));
  await showRefused();
  // The credential of this initiator denies it still.
  await row.getByText(/It is in igroup "group1", but/).waitFor();
});

test('a refused initiator of Fibre Channel leads to its interface and to igroups of FCP', async () => {
  const row = (await showRefused()).getByRole('row').filter({ hasText: '010400' });
  await row.getByText(/It is in no igroup/).waitFor();
  const link = row.getByRole('link', { name: 'fc1', exact: true });
  assert.match(await link.getAttribute('href'), /^\/network\/fc\/interfaces\//);
  await row.getByRole('button', { name: 'Add to an igroup' }).click();
  await page.getByRole('menuitem', { name: 'A new igroup' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'group1' }).count(), 0);
  await page.keyboard.press('Escape');
});

test('axe finds nothing in the drawing with a host that is not seen', async () => {
  await page.goto(`${array.url}/hosts?state=never`);
  await drawing().waitFor();
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.errors, []);
});

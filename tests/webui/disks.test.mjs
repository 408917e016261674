import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ADMIN, findings, go, READER, startArray, startBrowser, visit } from './browser.mjs';
import { ask } from './pages.mjs';

const PAGE = '/storage/disks';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
  await page.locator('#page h1').waitFor();
});
after(async () => {
  await browser.close();
  await array.stop();
});

const show = (path, other = page) => go(other, path);

const shelf = (other = page) => other.getByRole('region', { name: /^Shelf / });
const bayOf = (name, other = page) =>
  other.getByRole('listitem').filter({ has: other.getByRole('link', { name, exact: true }) });
const disk = async (query) => (await ask(page, `storage/disks?fields=*&${query}`)).records[0];

test('disks are shown by shelf at first, with the empty bays and who uses each', async () => {
  await show('/');
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Disks' })
    .click();
  const shelves = await ask(page, 'storage/shelves?fields=*');
  await shelf().waitFor();
  const [{ uid, bays, disk_count }] = shelves.records;
  await page.getByText(`${disk_count} of ${bays.length} bays in use`).waitFor();
  assert.equal(await shelf().getByRole('listitem').count(), bays.length);
  assert.equal(await shelf().getByText('Empty', { exact: true }).count(), bays.length - disk_count);
  await shelf()
    .getByRole('link', { name: `Shelf ${uid}` })
    .waitFor();
  const member = await disk('aggregates.name=*&raid_group=0');
  const tile = bayOf(member.name);
  await tile.getByRole('link', { name: member.aggregates[0].name }).waitFor();
  await tile.getByText('Group 0').waitFor();
  const others = page.getByRole('region', { name: /^Node / });
  assert.ok((await others.getByRole('listitem').count()) > 0);
});

test('a disk that predicts its failure says so in a word, in its bay and at its shelf', async () => {
  await show(PAGE);
  const failing = await disk('health.passed=false');
  await bayOf(failing.name).getByText('predicted to fail').waitFor();
  await shelf().locator('header').getByText('predicted to fail').waitFor();
  const worn = await disk('rated_life_used_percent=>=90');
  await bayOf(worn.name).getByText('worn').waitFor();
});

test('a bay leads to its disk, which shows its health, its wear and its place', async () => {
  await show(PAGE);
  const worn = await disk('rated_life_used_percent=>=90');
  await bayOf(worn.name).getByRole('link', { name: worn.name, exact: true }).click();
  await page.getByRole('heading', { name: worn.name, level: 1 }).waitFor();
  const health = page.getByRole('region', { name: 'Condition' });
  await health.getByText(`${worn.rated_life_used_percent} % of its life used`).waitFor();
  await health
    .getByText(`${worn.temperature} °C, critical from ${worn.temperature_limit} °C`)
    .waitFor();
  const place = page.getByRole('region', { name: 'Place' });
  await place.getByText(String(worn.shelf.uid)).waitFor();
  const failing = await disk('health.passed=false');
  await show(`${PAGE}/${failing.name}`);
  await health.getByText('predicted to fail').waitFor();
  await health.getByText(failing.health.message).waitFor();
});

test('a light is switched on in the drawing and off on the page of the disk', async () => {
  await show(PAGE);
  const { name } = await disk('location_led=off');
  const button = page.getByRole('button', { name: `Locate disk ${name}`, exact: true });
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  await button.click();
  await page.getByRole('button', { name: `Locate disk ${name}`, pressed: true }).waitFor();
  await bayOf(name).getByText('Locate light is on').waitFor();
  assert.equal((await disk(`name=${name}`)).location_led, 'on');
  assert.deepEqual(await findings(page), []);
  await show(`${PAGE}/${name}`);
  await page.getByText('It goes off by itself after half an hour.').waitFor();
  await page.getByRole('button', { name: 'Locate', pressed: true }).click();
  await page.getByRole('button', { name: 'Locate', pressed: false }).waitFor();
  assert.equal((await disk(`name=${name}`)).location_led, 'off');
});

test('a disk is erased once its name is typed', async () => {
  const { name } = await disk('container_type=spare&state=present&health.passed=!false');
  await show(`${PAGE}/${name}`);
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const erase = dialog.getByRole('button', { name: /^Erase: / });
  assert.equal(await erase.isDisabled(), true);
  await dialog.getByLabel(/^It is empty already.* type/).fill(name);
  assert.deepEqual(await findings(page), []);
  await erase.click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal((await disk(`name=${name}`)).container_type, 'spare');
});

test('a disk that cannot sanitize itself is not offered it', async () => {
  const { name } = await disk('container_type=spare&state=present&health.passed=!false');
  await show(`${PAGE}/${name}`);
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const ways = page.getByRole('dialog').getByLabel('How it is erased').locator('option');
  const texts = await ways.allTextContents();
  assert.ok(texts.includes('zeroes') && !texts.includes('crypto erase'), texts.join());
  assert.equal(await page.getByRole('button', { name: 'Use again' }).count(), 0);
});

test('where there is no light, the button says so', async () => {
  await show(PAGE);
  const { records } = await ask(page, 'storage/disks?fields=location_led,state');
  const { name } = records.find((each) => each.location_led === undefined);
  const button = page.getByRole('button', { name: `Locate disk ${name}`, exact: true });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await button.hover();
  await page.getByRole('tooltip', { name: 'This disk has no locate light.' }).waitFor();
});

test('an account that may only read sees all and switches nothing', async () => {
  const reader = await visit(browser, array.url, { account: READER });
  await show(PAGE, reader);
  const { name } = await disk('location_led=off');
  const button = reader.getByRole('button', { name: `Locate disk ${name}`, exact: true });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await reader.context().close();
});

test('the list is one click away, and the address holds it', async () => {
  await show(PAGE);
  await page.getByRole('button', { name: 'List' }).click();
  await page.getByRole('table').waitFor();
  assert.match(page.url(), /\?view=list$/);
  await page.reload();
  await page.getByRole('table').waitFor();
  await page.getByRole('button', { name: 'By shelf' }).click();
  await shelf().waitFor();
  assert.equal(new URL(page.url()).search, '');
});

test('a filter shows the list, and the drawing ends it', async () => {
  await show(`${PAGE}?container_type=spare`);
  await page.getByRole('table').waitFor();
  await page.getByRole('button', { name: 'By shelf' }).click();
  await shelf().waitFor();
  assert.equal(new URL(page.url()).search, '');
});

for (const [name, options, button] of [
  ['in the dark', { colorScheme: 'dark' }, 'List'],
  ['on a phone', { viewport: { width: 390, height: 844 } }, 'List'],
  ['in German', { locale: 'de-DE' }, 'Liste'],
  ['in Japanese', { locale: 'ja-JP' }, '一覧'],
  ['in Chinese', { locale: 'zh-CN' }, '列表'],
])
  test(`shelves and disks are without a fault that axe finds ${name}`, async () => {
    const other = await visit(browser, array.url, { account: ADMIN, ...options });
    await show(PAGE, other);
    await other.getByRole('button', { name: button }).waitFor();
    const wrong = await findings(other);
    await show(`${PAGE}/${(await disk('health.passed=false')).name}`, other);
    wrong.push(...(await findings(other)));
    const [wide, seen] = await other.evaluate(() => [
      document.documentElement.scrollWidth,
      innerWidth,
    ]);
    assert.ok(wide <= seen, `wider than the screen: ${wide}`);
    assert.deepEqual(wrong.concat(other.errors), []);
    await other.context().close();
  });

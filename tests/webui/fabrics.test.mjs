import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ADMIN, findings, go, startArray, startBrowser, visit } from './browser.mjs';
import { allPages } from './pages.mjs';

const FABRIC = '10:00:00:05:1e:00:00:01';
const NARROW = { width: 375, height: 812 };
/** Texts that no page should show: names of fields, values that are none, texts without their object. */
const RAW = /\b[a-z]+(_[a-z]+)+\b|\bundefined\b|\bnull\b|\bNaN\b|\[object|{{|~3A/g;

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
  await page.getByText('0x010300').first().waitFor();
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.errors, []);
});

/** The visible part of a page: its texts, and elements that are cut off at its sides. */
const seen = (other) =>
  other.evaluate(() => {
    const scrolls = (element) =>
      element &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const cut = [...document.querySelectorAll('#page *')].filter((element) => {
      const { right, width } = element.getBoundingClientRect();
      return width > 0 && right > innerWidth + 1 && !scrolls(element.parentElement);
    });
    return {
      text: document.querySelector('#page').innerText,
      width: document.documentElement.scrollWidth,
      cut: cut.slice(0, 3).map((element) => element.outerHTML.slice(0, 120)),
    };
  });

for (const locale of ['en-US', 'de-DE'])
  test(`the pages of Fibre Channel fit a narrow screen and show no raw texts in ${locale}`, async () => {
    const other = await visit(browser, array.url, { account: ADMIN, locale, viewport: NARROW });
    await other.locator('#page h1').waitFor();
    const pages = (await allPages(other)).filter((path) => path.startsWith('/network/fc/'));
    for (const part of ['ports', 'interfaces', 'logins', 'wwpn-aliases', 'fabrics'])
      assert.ok(pages.filter((path) => path.startsWith(`/network/fc/${part}/`)).length, part);
    for (const part of ['zones', 'switches'])
      assert.ok(
        pages.some((path) => path.endsWith(`/${part}`)),
        part,
      );
    const wrong = [];
    for (const path of [...pages, '/protocols/san/fcp/services']) {
      await go(other, path);
      const { text, width, cut } = await seen(other);
      wrong.push(...(text.match(RAW) ?? []).map((each) => `${path}: ${each}`));
      if (width > NARROW.width) wrong.push(`${path}: ${width} wide`);
      wrong.push(...cut.map((each) => `${path}: cut off: ${each}`));
    }
    wrong.push(...other.errors);
    await other.context().close();
    assert.deepEqual(wrong, []);
  });

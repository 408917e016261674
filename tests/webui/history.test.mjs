import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ADMIN, startArray, startBrowser, visit } from './browser.mjs';
import { ask } from './pages.mjs';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray('--past'), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
  await page.locator('#page h1').waitFor();
});
after(async () => {
  await browser.close();
  await array.stop();
});

const first = async (path) => (await ask(page, `${path}?max_records=1`)).records[0].uuid;

/** Return the figures of a chart, as who cannot see it has them: lines of cells. */
async function figures(title) {
  const chart = page.getByRole('region', { name: title, exact: true });
  await chart.locator('summary').click();
  await chart.locator('details tbody tr').first().waitFor();
  return chart
    .locator('details tr')
    .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
}

test('an aggregate shows its past, and when it will be full', async () => {
  await page.goto(`${array.url}/storage/aggregates/${await first('storage/aggregates')}`);
  const chart = page.getByRole('region', { name: 'Use over time' });
  await chart
    .getByText(/^Full in about 4[01] days, on \w+ \d+, \d{4}, at [\d.]+ MiB a day\.$/)
    .waitFor();
  await chart.locator('canvas').waitFor();
  const [head, latest, before] = await figures('Use over time');
  assert.deepEqual(head, ['Time', 'Used', 'Size', 'Provisioned', 'Forecast']);
  assert.match(latest[1], /^5\.\d+ GiB$/);
  assert.match(latest[2], /^7\.\d+ GiB$/);
  assert.equal(before[4], '–');
});

test('a volume shows the space of its snapshots', async () => {
  await page.goto(`${array.url}/storage/volumes/${await first('storage/volumes')}`);
  const chart = page.getByRole('region', { name: 'Use over time' });
  await chart.getByText(/^Full in about 1?\d\d days, on .* at [\d.]+ MiB a day\.$/).waitFor();
  await chart.getByRole('button', { name: 'Year' }).click();
  await chart.locator('canvas').waitFor();
  const [head, latest] = await figures('Use over time');
  assert.deepEqual(head, ['Time', 'Used', 'Size', 'Provisioned', 'Snapshots', 'Forecast']);
  assert.match(latest[4], /MiB$/);
});

for (const path of ['/performance', 'LUN'])
  test(`latency is shown by percentiles and by how many took how long: ${path}`, async () => {
    const place = path === 'LUN' ? `/storage/luns/${await first('storage/luns')}` : path;
    await page.goto(array.url + place);
    const map = page.getByRole('region', {
      name: 'Distribution of latency',
      exact: true,
    });
    await map.locator('canvas').waitFor();
    const [head, ...lines] = await figures('Distribution of latency');
    assert.deepEqual(head.slice(1, 4), ['100 µs – 250 µs', '250 µs – 500 µs', '500 µs – 1 ms']);
    assert.ok(lines.some((line) => Number(line[3].replace(/\D/g, '')) > 0));
    const [names, ...percentiles] = await figures('Percentiles of latency');
    assert.deepEqual(names, ['Time', 'p50', 'p95', 'p99']);
    assert.ok(percentiles.some(([, p50]) => /µs$/.test(p50)));
    const canvas = map.locator('canvas');
    const summary = map.getByText(/: [\d,]+ operations$/);
    // Late elements move the canvas from under the pointer.
    for (let times = 0; times < 50 && !(await summary.isVisible()); times++) {
      const { width, height } = await canvas.boundingBox();
      await canvas.hover({ position: { x: width - 40 - (times % 2), y: height / 2 } });
    }
    await summary.waitFor();
    assert.deepEqual(page.errors, []);
  });

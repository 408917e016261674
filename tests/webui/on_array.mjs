/**
 * An administrator's steps in the browser, on an array that runs elsewhere.
 *
 *     SANSTONE_URL=… SANSTONE_PASSWORD=… node on_array.mjs STEP '{"…": …}'
 *
 * Prints the page's texts, as JSON. A step that waits for a change of the array prints a line before, once
 * the page shows the array as it was.
 */
import { startBrowser, visit } from './browser.mjs';

const { SANSTONE_URL: url, SANSTONE_PASSWORD: password } = process.env;
const [, , step, settings] = process.argv;
const options = JSON.parse(settings ?? '{}');

const browser = await startBrowser();
const page = await visit(browser, url, { ignoreHTTPSErrors: true });
// Emulated machines beside other work are slow.
const PATIENCE = 240_000;
page.setDefaultTimeout(PATIENCE);
const field = (name) => page.locator(`[id="field-${name}"]`);
const button = (name, within = page) => within.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog');
const region = (name) => page.getByRole('region', { name, exact: true });
const link = (name) => page.getByRole('link', { name, exact: true });

async function open(path) {
  await page.goto(new URL(path, url).href);
  await page.locator('#page h1').waitFor();
}

/** Return the commands for the host, by their titles. */
async function commands(within = page) {
  const parts = within.locator('.host-commands pre');
  await parts.first().waitFor();
  return parts.evaluateAll((all) =>
    Object.fromEntries(all.map((each) => [each.getAttribute('aria-label'), each.textContent])),
  );
}

const steps = {
  /** One form for all that a host needs. */
  async provision({ svm, protocol, host, name, size }) {
    await open('/provision');
    // The only SVM is filled in by the page, maybe just now: a click shows the choices either way.
    await field('svm').click();
    await field('svm').fill(svm);
    await page.getByRole('option', { name: svm, exact: true }).click();
    await field('protocol').selectOption(protocol);
    await field('initiator').fill(host);
    await field('name').fill(name);
    await field('size').fill(size);
    await button('Review').click();
    await page.getByRole('heading', { name: 'New objects' }).waitFor();
    await button('Make all of it').click();
    await page.getByText('All of it is there').waitFor();
    return commands();
  },

  async grow({ path, size }) {
    await open(`/${path}`);
    await button('Resize').click();
    await dialog.getByRole('textbox', { name: /Size/ }).fill(size);
    await dialog.getByRole('button', { name: /^Resize: / }).click();
    return commands(dialog);
  },

  async take({ path, name }) {
    await open(`/${path}`);
    await button('Take a snapshot').click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: /^Take a snapshot: / }).click();
    await dialog.waitFor({ state: 'hidden' });
  },

  async restore({ path, name }) {
    await open(`/${path}`);
    await button('Restore the volume').click();
    await dialog.getByLabel(/What was written since is lost/).fill(name);
    await dialog.getByRole('button', { name: /^Restore the volume: / }).click();
    await dialog.waitFor({ state: 'hidden' });
  },

  /** Switch a LIF off, and see its path broken without a reload; and whole again. */
  async lose({ initiator, lif }) {
    await open('/hosts');
    await page.getByRole('navigation', { name: 'Hosts' }).getByTitle(initiator).click();
    const drawing = page.getByRole('region', { name: 'Drawing of the paths' });
    const interfaces = drawing.getByRole('list', { name: 'Network interface' });
    await interfaces.getByText('connected').first().waitFor();
    await set(lif, false);
    const start = Date.now();
    await interfaces.getByText('LIF down').waitFor();
    const seconds = (Date.now() - start) / 1000;
    await set(lif, true);
    await interfaces.getByText('LIF down').waitFor({ state: 'detached' });
    return { seconds };
  },

  /** See a disk fail without a reload: at its aggregate, and on the dashboard. */
  async degrade({ aggregate, disk }) {
    await open(`/${aggregate}`);
    const row = page.getByRole('row').filter({ has: link(disk) });
    await row.waitFor();
    console.log('shown');
    await row.getByText('broken').waitFor();
    await region('RAID groups').getByText('degraded').waitFor();
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Dashboard' })
      .click();
    await region('Alerts').getByText('runs without 1 of its 2 disks').waitFor();
  },

  /** Replace a disk by the spare that is offered first, and see the RAID group rebuilt. */
  async replace({ aggregate, disk }) {
    await open(`/${aggregate}`);
    await button(`Replace disk ${disk}`).click();
    const spare = await dialog.getByLabel('Spare disk').inputValue();
    await button(`Replace disk ${disk}`, dialog).click();
    await link(disk).waitFor({ state: 'detached' });
    await link(spare).waitFor();
    await region('RAID groups').getByText('degraded').waitFor({ state: 'detached' });
    return { spare };
  },

  /** Have the array make a certificate that it signs itself. */
  async certify({ name, host }) {
    await open('/security/certificates/~new');
    await field('name').fill(name);
    await field('type').selectOption('server');
    await field('common_name').fill(host);
    await button('Create certificate').click();
    await link(name).waitFor();
  },

  /** Have the web server take another certificate. */
  async serve({ name, uuid }) {
    await open(`/security/certificates/${uuid}`);
    await button('Serve the web interface with it …').click();
    await button(`Serve the web interface with ${name}`, dialog).click();
    await page.getByText('The web server answers with the new certificate.').waitFor();
  },

  /** Fetch a package and install it, until the array is about to restart. */
  async update({ url: from, version }) {
    await open('/system/update');
    await page.getByLabel('URL of the package').fill(from);
    await button('Fetch').click();
    const fetched = region('Packages').getByRole('listitem').filter({ hasText: version });
    await button('Install and restart …', fetched).click();
    await button(`Install ${version} and restart the array`, dialog).click();
    await page
      .getByText(`Release ${version} is written. The array reboots into it.`)
      .waitFor({ timeout: 3 * PATIENCE });
  },
};

/** Switch a LIF by the page's own session. */
async function set(lif, enabled) {
  const status = await page.evaluate(
    async ([path, body]) => {
      const session = await (await fetch('/api/security/session')).json();
      const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': session.csrf_token };
      const request = { method: 'PATCH', headers, body: JSON.stringify(body) };
      return (await fetch(path, request)).status;
    },
    [`/api/network/ip/interfaces/${lif}?return_timeout=60`, { enabled }],
  );
  if (status >= 400) throw new Error(`${status} when the LIF was switched`);
}

try {
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('#page h1').waitFor();
  const answer = await steps[step](options);
  if (page.errors.length) throw new Error(page.errors.join('\n'));
  console.log(JSON.stringify(answer ?? {}));
} catch (error) {
  console.error(`${page.url()} showed:\n${await page.locator('body').innerText()}\n`);
  throw error;
} finally {
  await browser.close();
}

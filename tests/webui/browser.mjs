/**
 * An array and a browser for tests of the web interface.
 *
 * The array is the product on a kernel in memory (web_array.py), with what is built in webui/dist;
 * the browser is Debian's Chromium. Both end with the test.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { afterEach } from 'node:test';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(join(REPOSITORY, 'webui/package.json'));
const { chromium } = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Milliseconds. Beside machines there may be no processor for a minute. */
const PATIENCE = 180_000;
/** Milliseconds without a request after which a page is taken for complete. */
const QUIET = 150;

export const ADMIN = { name: 'admin', password: 'a password' };
export const READER = { name: 'reader', password: 'a passw0rd' };

/**
 * Return a furnished array: its address, `stop`, and `machine`, which does something to the machine
 * (see web_array.py) and returns what that tells.
 */
export async function startArray(...options) {
  const folders = ['api', 'tests', 'tests/unit', 'tests/contract', 'tests/webui'];
  const python = process.env.SANSTONE_PYTHON ?? join(REPOSITORY, 'output/venv/bin/python');
  const array = spawn(python, ['-m', 'web_array', ...options], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      PYTHONPATH: folders.map((each) => join(REPOSITORY, each)).join(delimiter),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  array.stderr.on('data', (text) => (said += text));
  const url = await new Promise((resolve, reject) => {
    array.stdout.on('data', (text) => {
      const found = /^http\S+$/m.exec(String(text));
      if (found) resolve(found[0]);
    });
    array.on('exit', () => reject(new Error(`the array did not start:\n${said}`)));
  });
  const ended = new Promise((resolve) => array.on('exit', resolve));
  return {
    url,
    machine(line) {
      return new Promise((resolve) => {
        array.stdout.on('data', function told(text) {
          const found = /^done ?(.*)$/m.exec(String(text));
          if (!found) return;
          array.stdout.off('data', told);
          resolve(found[1]);
        });
        array.stdin.write(`${line}\n`);
      });
    },
    stop() {
      array.stdin.end();
      return ended;
    },
  };
}

/** Return a browser, with further options of Chromium, which is closed by its `close`. */
export function startBrowser(...options) {
  // Tests run as root, for whom Chromium has no sandbox, and on machines whose processors would
  // do the work of graphics adapters.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer', ...options];
  return chromium.launch({ executablePath: '/usr/bin/chromium', args });
}

const pages = new Set();
// A step that did not happen is told by what the page shows in its place.
if (process.env.NODE_TEST_CONTEXT)
  afterEach(async ({ name, passed }) => {
    if (passed) return;
    for (const page of pages)
      if (!page.isClosed())
        console.log(`${name}: ${page.url()} shows\n${await page.locator('body').innerText()}`);
  });

/** Open a page of a new visitor. What its console tells as errors is kept in `page.errors`. */
export async function visit(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.errors = [];
  pages.add(page);
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.on('console', (message) => {
    // A refusal is told by the browser, too.
    const isRefusal = /the server responded with a status of 4\d\d/.test(message.text());
    if (message.type() === 'error' && !isRefusal) page.errors.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** Log in by the array's API, as the page does, so that the page is there at once. */
export async function logIn(page, { name, password } = ADMIN) {
  const done = await page
    .context()
    .request.post(new URL('/api/security/session', page.url()).href, {
      data: { name, password },
      headers: { Accept: 'application/json' },
    });
  if (!done.ok()) throw new Error(await done.text());
  const [cookie] = done.headersArray().filter((each) => /^set-cookie$/i.test(each.name));
  if (!cookie) throw new Error('no cookie');
  await page.reload();
}

/** Go to another page as a link does, without loading all anew, and wait until it is there. */
export async function go(page, path) {
  const open = new Set();
  let last = Date.now();
  const begin = (request) => open.add(request);
  const end = (request) => {
    open.delete(request);
    last = Date.now();
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await page.evaluate((to) => history.pushState({}, '', to), path);
  await page.locator('#page h1').waitFor();
  while (open.size || Date.now() - last < QUIET) await page.waitForTimeout(QUIET / 3);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  await page.locator('#page h1').waitFor();
}

/** Return what axe finds on a page, in words. */
export async function findings(page) {
  // By evaluate, since the content policy stops a script tag.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  // It would describe each element that is as it should be, too, and all of that would be sent here.
  const violations = await page.evaluate(async (rules) => {
    const options = { runOnly: rules, resultTypes: ['violations'] };
    return (await globalThis.axe.run(document, options)).violations;
  }, RULES);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)} (${node.failureSummary})`),
  );
}

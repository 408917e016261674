/**
 * An array and a browser for tests of the web interface.
 *
 * The array is the product on a kernel in memory (web_array.py), with the files of webui/dist;
 * the browser is Debian's Chromium. Both end with the test, except the arrays of `share`.
 */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach } from 'node:test';
import { fileURLToPath } from 'node:url';

import { watchPage } from './watch.mjs';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(join(REPOSITORY, 'webui/package.json'));
const { chromium } = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Chromium without windows, which would take half as much of the processor again. */
const CHROMIUM = '/usr/bin/chromium-headless-shell';
// Tests run as root, where Chromium has no sandbox, and on machines where processors would do the
// work of graphics adapters. All processors are busy with other tests: V8's work beside a page, to
// have it sooner, makes nothing sooner.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--js-flags=--single-threaded',
];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Milliseconds, so that a hang ends. */
const PATIENCE = 600_000;
/** The factor by which the processor is slowed for pages. */
const SLOWED = Number(process.env.SANSTONE_BROWSER_SLOWED ?? 1);
/** The request that a page repeats as long as it is open. */
const POLL = '/api/cluster/changes';

export const ADMIN = { name: 'admin', password: 'a password' };
export const READER = { name: 'reader', password: 'a passw0rd' };

/** Path, in the environment of a process that runs tests, of the arrays that it shares with others. */
const SHARED_ARRAYS = 'SANSTONE_ARRAYS';

/** Start `web_array.py`. */
function startPython(...options) {
  const folders = ['api', 'board', 'tests', 'tests/unit', 'tests/contract', 'tests/webui'];
  const python = process.env.SANSTONE_PYTHON ?? join(REPOSITORY, 'output/venv/bin/python');
  return spawn(python, ['-m', 'web_array', ...options], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      PYTHONPATH: folders.map((each) => join(REPOSITORY, each)).join(delimiter),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Return the first matching line of a program, or fail with its errors when it ends without. */
async function firstLine(output, errors, pattern) {
  let wrong = '';
  errors?.on('data', (text) => (wrong += text));
  return new Promise((resolve, reject) => {
    output.on('data', (text) => {
      const found = pattern.exec(String(text));
      if (found) resolve(found[0]);
    });
    output.on('close', () => reject(new Error(`the array did not start:\n${wrong}`)));
  });
}

/**
 * Start an array that the tests of several files share: each has a copy.
 *
 * Processes that inherit the environment find it. Return a function that ends it.
 */
export async function share() {
  const folder = mkdtempSync(join(tmpdir(), 'arrays-'));
  const path = join(folder, 'socket');
  const arrays = startPython('--socket', path);
  await firstLine(arrays.stdout, arrays.stderr, /^\S+$/m);
  process.env[SHARED_ARRAYS] = path;
  return async () => {
    const ended = once(arrays, 'exit');
    arrays.stdin.end();
    await ended;
    rmSync(folder, { recursive: true });
  };
}

/**
 * Return a furnished array: its address, `stop`, and `machine`, which sends a command to the machine
 * (see web_array.py) and returns its answer.
 */
export async function startArray(...options) {
  const path = process.env[SHARED_ARRAYS];
  const array = path ? connect(path) : startPython(...options);
  const [output, commands] = path ? [array, array] : [array.stdout, array.stdin];
  if (path) commands.write(`${JSON.stringify(options)}\n`);
  const url = await firstLine(output, array.stderr, /^http\S+$/m);
  const ended = once(array, 'close');
  return {
    url,
    machine(line) {
      return new Promise((resolve) => {
        output.on('data', function answered(text) {
          const found = /^done ?(.*)$/m.exec(String(text));
          if (!found) return;
          output.off('data', answered);
          resolve(found[1]);
        });
        commands.write(`${line}\n`);
      });
    },
    stop() {
      commands.end();
      return ended;
    },
  };
}

/**
 * Return a browser, which is closed by its `close`. Each file of tests has its own: to start one costs
 * less than to pass on all messages to and from a common one.
 */
export function startBrowser(...options) {
  return chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...options] });
}

const pages = new Set();
// The page shows why a step did not happen.
if (process.env.NODE_TEST_CONTEXT)
  afterEach(async ({ name, passed }) => {
    if (passed) return;
    for (const page of pages)
      if (!page.isClosed())
        console.log(`${name}: ${page.url()} shows\n${await page.locator('body').innerText()}`);
  });

/**
 * Open a page of a new visitor, who is logged in as `account` if there is one. Errors of its console
 * are kept in `page.errors`.
 */
export async function visit(browser, url, { account, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  if (account) await begin(context, url, account);
  await context.addInitScript(watchPage, POLL);
  const page = await context.newPage();
  if (SLOWED !== 1) {
    const tools = await context.newCDPSession(page);
    await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  }
  page.errors = [];
  pages.add(page);
  noteRequests(page);
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.on('console', (message) => {
    // The browser reports a refusal, too.
    const isRefusal = /the server responded with a status of 4\d\d/.test(message.text());
    if (message.type() === 'error' && !isRefusal) page.errors.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** Log in by the array's API, as the page does, so that the page is there at once. */
export async function logIn(page, account = ADMIN) {
  await begin(page.context(), page.url(), account);
  await page.reload();
}

/** Begin a session of an account; the browser keeps its cookie. */
async function begin(context, url, { name, password }) {
  const done = await context.request.post(new URL('/api/security/session', url).href, {
    data: { name, password },
    headers: { Accept: 'application/json' },
  });
  if (!done.ok()) throw new Error(await done.text());
  const [cookie] = done.headersArray().filter((each) => /^set-cookie$/i.test(each.name));
  if (!cookie) throw new Error('no cookie');
}

/** Keep which requests of a page are open, in `page.open`, and which of them a test holds (arrivals.mjs). */
function noteRequests(page) {
  const changes = new EventEmitter();
  page.open = new Set();
  page.held = [];
  page.noted = () => changes.emit('noted');
  page.changed = () => once(changes, 'noted');
  const begin = (request) => {
    // Answers to requests of the page before reach nobody.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) page.open.clear();
    if (!request.url().includes(POLL)) page.open.add(request);
  };
  const end = (request) => {
    page.open.delete(request);
    page.held = page.held.filter((route) => route.request() !== request);
    page.noted();
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
}

/** Wait until a page is there: it waits for no answer but those that are held, and nothing changes on it. */
export async function settle(page) {
  const isAsking = () => page.open.size > page.held.length;
  let waiting;
  do {
    while (isAsking()) await page.changed();
    // Requests of the page may be known here later than that it is still.
    waiting = await page.evaluate(() => globalThis.watch.still());
  } while (isAsking() || waiting > page.held.length);
}

/** Do something, and wait for the page's notice about it. Notices disappear by themselves: one that was there counts. */
export async function seeNotice(page, text, act) {
  await act();
  await page.waitForFunction(
    (sought) => globalThis.watch.notices.some((each) => each.includes(sought)),
    text,
  );
}

/** Load another page anew, and wait until it is there. */
export async function load(page, url) {
  await page.goto(url);
  await settle(page);
  await page.locator('#page h1').first().waitFor();
}

/** Go to another page as a link does, without loading all anew, and wait until it is there. */
export async function go(page, path) {
  await page.evaluate((to) => history.pushState({}, '', to), path);
  await settle(page);
  await page.locator('#page h1').first().waitFor();
}

/**
 * Return axe's findings on a page, in words. Navigation and masthead are the same with all pages, and
 * most of the elements: one look is enough, with `withFrame`.
 */
export async function findings(page, { withFrame = false } = {}) {
  // By evaluate, since the content policy stops a script tag.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  // It would describe each element that is as it should be, too, and all of that would be sent here.
  const violations = await page.evaluate(
    async ([rules, left]) => {
      const options = { runOnly: rules, resultTypes: ['violations'] };
      return (await globalThis.axe.run({ exclude: left }, options)).violations;
    },
    [RULES, withFrame ? [] : ['.pf-v6-c-masthead', '.pf-v6-c-nav']],
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)} (${node.failureSummary})`),
  );
}

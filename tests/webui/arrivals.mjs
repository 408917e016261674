/**
 * A page whose answers arrive one by one.
 *
 * What it asks the array for, and the parts of the interface that it fetches, are held; each is let go
 * when the page is still. What can be pressed is looked at in between: it may come, but neither move nor go.
 */
import { settle } from './browser.mjs';

/** What a page asks by itself, again and again, is no part of its arrival. */
export const ANSWERS = /\/api\/(?!cluster\/changes)/;
const ALL = new RegExp(`${ANSWERS.source}|/assets/.*[.]js$`);

/** Which of what is held is let go next. */
export const ORDERS = {
  first: (held) => held.shift(),
  last: (held) => held.pop(),
  middle: (held) => held.splice(held.length >> 1, 1)[0],
};

/** Hold from now on what a page asks for, or just some of it. */
export async function hold(page, what = ALL) {
  await page.route(what, (route) => {
    page.held.push(route);
    page.noted();
  });
}

/** Let go of one thing, chosen by an order, and wait until the page is still. Return its path. */
export async function letGo(page, order) {
  const route = order(page.held);
  const { pathname } = new URL(route.request().url());
  await route.continue();
  await settle(page);
  return pathname;
}

/** Let go of all that is held, and hold nothing more. */
export async function release(page) {
  while (page.held.length) await letGo(page, ORDERS.first);
  await page.unrouteAll();
}

/**
 * Go to another page while all is held, or load it `anew` with all that is around it; let it arrive in an
 * order, and return what moved on the way.
 */
export async function arrive(page, path, order, { anew = false } = {}) {
  if (anew) await page.goto(new URL(path, page.url()).href, { waitUntil: 'commit' });
  else await page.evaluate((to) => globalThis.watch.leaveFor(to), path);
  await settle(page);
  await page.evaluate(() => globalThis.watch.look());
  const moved = [];
  // What is asked for may be told here later than that the page is still.
  while (page.held.length || !(await page.evaluate(() => globalThis.watch.isThere()))) {
    const what = page.held.length ? await letGo(page, order) : 'something';
    await settle(page);
    const found = await page.evaluate(() => globalThis.watch.look());
    moved.push(...found.map((each) => `${each} when ${what} arrived`));
  }
  return moved;
}

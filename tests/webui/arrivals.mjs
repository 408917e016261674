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

/** What of that which is held is let go next: one thing, or the first half of all. */
export const ORDERS = {
  first: (held) => held.splice(0, 1),
  last: (held) => held.splice(-1),
  middle: (held) => held.splice(held.length >> 1, 1),
  halves: (held) => held.splice(0, Math.ceil(held.length / 2)),
};

/** Hold from now on what a page asks for, or just some of it. */
export async function hold(page, what = ALL) {
  await page.route(what, (route) => {
    page.held.push(route);
    page.noted();
  });
}

/** Let go of what an order chooses, and wait until the page is still. Return its paths. */
export async function letGo(page, order) {
  const routes = order(page.held);
  await Promise.all(routes.map((route) => route.continue()));
  await settle(page);
  return routes.map((route) => new URL(route.request().url()).pathname).join(' and ');
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
    let what = 'something';
    if (page.held.length) what = await letGo(page, order);
    else await settle(page);
    const found = await page.evaluate(() => globalThis.watch.look());
    moved.push(...found.map((each) => `${each} when ${what} arrived`));
  }
  return moved;
}

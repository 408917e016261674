/**
 * A page that gets its answers one by one.
 *
 * Its requests to the array, and for parts of the interface, are held; each is let go when the page is
 * still. In between the test looks at all elements that can be pressed: they may come, but neither move nor go.
 */
import { settle } from './browser.mjs';

/** A page's requests, without the one that it repeats: that is no part of its arrival. */
export const ANSWERS = /\/api\/(?!cluster\/changes)/;
const ALL = new RegExp(`${ANSWERS.source}|/assets/.*[.]js$`);

/** Which of the held requests are let go next: one, or the first half of all. */
export const ORDERS = {
  first: (held) => held.splice(0, 1),
  last: (held) => held.splice(-1),
  middle: (held) => held.splice(held.length >> 1, 1),
  halves: (held) => held.splice(0, Math.ceil(held.length / 2)),
};

/** Hold a page's requests from now on, or just some of them. */
export async function hold(page, what = ALL) {
  await page.route(what, (route) => {
    page.held.push(route);
    page.noted();
  });
}

/** Let go of the requests that an order chooses, and wait until the page is still. Return their paths. */
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
 * Go to another page while all is held, or load it `anew` with its frame; let it arrive in an
 * order, and return what moved on the way.
 */
export async function arrive(page, path, order, { anew = false } = {}) {
  if (anew) await page.goto(new URL(path, page.url()).href, { waitUntil: 'commit' });
  else await page.evaluate((to) => globalThis.watch.leaveFor(to), path);
  await settle(page);
  await page.evaluate(() => globalThis.watch.look());
  const moved = [];
  // Requests may be known here later than that the page is still.
  while (page.held.length || !(await page.evaluate(() => globalThis.watch.isThere()))) {
    let what = 'something';
    if (page.held.length) what = await letGo(page, order);
    else await settle(page);
    const found = await page.evaluate(() => globalThis.watch.look());
    moved.push(...found.map((each) => `${each} when ${what} arrived`));
  }
  return moved;
}

/**
 * Whether somebody is there. To the array every request is use of the session, so a page that asks
 * again by itself would keep it open for ever: after as long without a key or a touch as sessions
 * last, it asks no more.
 */
import { Store } from './store';

const IDLE = 30 * 60_000;
let last = Date.now();

for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  addEventListener(kind, () => (last = Date.now()), { passive: true });

/** Whether the array reports changes (`changes`), so that few queries have to be repeated. */
export const followed = new Store(false);

/** Return the interval of a query that is repeated, or that it is not. */
export function every(seconds: number): number | false {
  return Date.now() - last < IDLE ? seconds * 1000 : false;
}

/** The same for objects with reported changes: only figures need to be read again, and those seldom. */
export function seldom(seconds: number): number | false {
  return every(followed.get() ? Math.max(60, seconds) : seconds);
}

/**
 * Runs in every page that tests visit: knows whether the page is still, which notices it has shown, and
 * where all buttons, links and fields are.
 *
 * `watchPage` is sent to the browser as text, so it uses nothing from outside but the address of the page's
 * repeated request.
 */
export function watchPage(poll) {
  const PRESSABLE = 'a[href], button, input, select, textarea, summary, [role="option"]';
  const NOTICES = '.pf-v6-c-alert-group';
  const places = new Map();
  const notices = [];
  let changes = 0;
  let waiting = 0;
  let shown;
  let left;

  /** Parts of the interface are fetched by links that are added to the document. */
  function noteLink(link) {
    waiting++;
    const end = () => waiting--;
    link.addEventListener('load', end, { once: true });
    link.addEventListener('error', end, { once: true });
  }

  new MutationObserver((records) => {
    changes += records.length;
    for (const { target, addedNodes } of records) {
      if (addedNodes.length && target.closest?.(NOTICES))
        notices.push(...[...addedNodes].map((node) => node.textContent));
      if (target === document.head && document.readyState !== 'loading')
        for (const node of addedNodes) if (node.localName === 'link') noteLink(node);
    }
  }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });

  const { fetch } = globalThis;
  globalThis.fetch = async (what, ...options) => {
    if (String(what.url ?? what).includes(poll)) return fetch(what, ...options);
    waiting++;
    try {
      return await fetch(what, ...options);
    } finally {
      waiting--;
    }
  };

  /** Resolve when the page was drawn, and nothing else is to be done. */
  const drawn = () =>
    new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => done())));
  const isMoving = () =>
    document
      .getAnimations()
      .some(
        ({ playState, effect }) =>
          playState === 'running' && isFinite(effect.getComputedTiming().endTime),
      );
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const nameOf = (element) => {
    const text = element.getAttribute('aria-label') || element.textContent || element.id;
    return `${element.localName} "${text.trim().slice(0, 40)}"`;
  };

  globalThis.watch = {
    notices,

    /**
     * Resolve when nothing was changed between two times that the page was drawn. Return how many
     * answers the page waits for, at the least.
     */
    async still() {
      for (let before; before !== changes || isMoving();) {
        before = changes;
        await drawn();
        await drawn();
      }
      return Math.max(waiting, document.querySelector('.arriving') ? 1 : 0);
    },

    /** Go to another page, as a link does. */
    leaveFor(path) {
      const isOther = new URL(path, location.href).pathname !== location.pathname;
      left = isOther ? document.querySelector('#page > *') : undefined;
      history.pushState({}, '', path);
    },

    /** Whether the page of the last `leaveFor` is there, and nothing on it is arriving. */
    isThere() {
      const page = document.querySelector('#page > *');
      const title = document.querySelector('#page h1');
      return (
        page !== left && !document.querySelector('.arriving') && title !== null && isSeen(title)
      );
    },

    /** Look where elements are, and return those that have moved since the last look, or are gone. */
    look() {
      const page = document.querySelector('#page > *');
      // Another page is another matter.
      if (page !== shown) places.clear();
      shown = page;
      if (page === left) return [];
      const moved = [];
      for (const [element, { name, left, top }] of places)
        if (!element.isConnected || !isSeen(element)) {
          moved.push(`${name} went away`);
          places.delete(element);
        } else {
          const now = element.getBoundingClientRect();
          const [across, down] = [Math.round(now.left - left), Math.round(now.top - top)];
          if (across || down) moved.push(`${name} moved by ${across} and ${down} pixels`);
        }
      for (const element of document.querySelectorAll(PRESSABLE)) {
        if (!isSeen(element)) continue;
        const { left, top } = element.getBoundingClientRect();
        places.set(element, { name: nameOf(element), left, top });
      }
      return moved;
    },
  };
}

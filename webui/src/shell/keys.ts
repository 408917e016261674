import { useEffect, useRef } from 'react';

import { useGo } from './address';
import { SHORTCUTS } from './navigation';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Listen to a key anywhere on the page, unless something is being typed or a dialog is open. */
export function useKeys(handle: (key: string) => boolean): void {
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  });
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"]')) return;
      if (latest.current(event.key)) event.preventDefault();
    }
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** The keys that work on every page. */
export function useGlobalKeys(open: (what: 'palette' | 'keys') => void): void {
  const go = useGo();
  const prefixed = useRef(false);
  useKeys((key) => {
    const to = prefixed.current ? SHORTCUTS[key] : undefined;
    prefixed.current = key === 'g' && !to;
    if (to) go(to);
    else if (key === '?') open('keys');
    else if (key === '/') {
      const filter = document.querySelector<HTMLInputElement>(
        '[data-filter] input, input[data-filter]',
      );
      if (filter) filter.focus();
      else open('palette');
    } else return key === 'g';
    return true;
  });
  const opening = useRef(open);
  useEffect(() => {
    opening.current = open;
  });
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      opening.current('palette');
    }
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

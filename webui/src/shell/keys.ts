import { useEffect, useRef } from 'react';

import { useGo } from '../base/address';
import { useKeys } from '../base/keys';
import { SHORTCUTS } from './navigation';

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

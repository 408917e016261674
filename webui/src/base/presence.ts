import { useEffect, useRef } from 'react';

import { useGo } from './address';

/** Return whether the component is still on the page, for code that goes on after an answer. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => isHere.current;
}

/**
 * Return the function that leads from a page to the next one after an answer. Who has left the page
 * before that stays on the other one.
 */
export function useGoOn(): (to: string) => void {
  const go = useGo();
  const isHere = useIsHere();
  return (to) => {
    if (isHere()) go(to);
  };
}

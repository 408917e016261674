import { useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

export function useGo(): (to: string) => void {
  const router = useRouter();
  return useCallback((to) => router.history.push(to), [router]);
}

/** Return the path of the page that is shown. While the next one is fetched, the address is that one's already. */
export function usePathname(): string {
  return useRouterState({
    select: ({ matches, location }) => matches.at(-1)?.pathname ?? location.pathname,
  });
}

/** The parameters of the page's address, and a function that changes some; '' removes one. */
export function useParameters(): [URLSearchParams, (changes: Record<string, string>) => void] {
  const router = useRouter();
  const text = useRouterState({ select: (state) => state.location.searchStr });
  const parameters = useMemo(() => new URLSearchParams(text), [text]);
  const change = useCallback(
    (changes: Record<string, string>) => {
      // Another change of the address is not drawn yet.
      const { pathname, searchStr } = router.latestLocation;
      const next = new URLSearchParams(searchStr);
      for (const [name, value] of Object.entries(changes))
        if (value) next.set(name, value);
        else next.delete(name);
      router.history.replace(next.size ? `${pathname}?${next}` : pathname);
    },
    [router],
  );
  return [parameters, change];
}

import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { followed } from '../base/activity';

/**
 * Return the function after which all counts as out of date but what lasts, and lists of several
 * pages, which are told of changes (`useFreshRows`).
 */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    () => client.invalidateQueries({ predicate: (query) => isOutdated(query) }),
    [client],
  );
}

function isOutdated({ meta, state }: Query): boolean {
  if (meta?.isLasting) return false;
  const pages = meta?.hasRows ? (state.data as { pages: unknown[] } | undefined)?.pages : [];
  return !followed.get() || (pages?.length ?? 0) < 2;
}

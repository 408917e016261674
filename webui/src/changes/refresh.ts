import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { followed } from '../base/activity';

/**
 * Return the function that marks all queries as out of date, except lasting ones, and lists of several
 * pages, which follow the array's changes themselves (`useFreshRows`).
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

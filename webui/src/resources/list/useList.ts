import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { call } from '../../api/client';
import { useParameters } from '../../base/address';
import type { Place } from '../../declarations/place';
import { usePresentation } from '../presentation';
import { columnsOf, defaultColumns } from './columns';
import { csv, download } from './csv';
import { COLUMNS, everything, filtersOf, listQuery, SEARCH } from './query';
import { useFreshRows } from './useFreshRows';

/** Return the rows of a list as its address says, and the functions for the list as a whole. */
export function useList(place: Place) {
  const { resource } = place;
  const [parameters, change] = useParameters();
  const columns = useColumns(place, parameters.get(COLUMNS));
  const options = listQuery(place, usePresentation(resource.path), parameters, columns);
  const list = useInfiniteQuery(options);
  const { data, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const records = useMemo(() => data?.pages.flatMap((page) => page.records) ?? [], [data]);
  const query = options.queryKey[2] as Record<string, string>;
  const total = useTotal(place, query, hasNextPage) ?? records.length;
  const fresh = useFreshRows({ place, queryKey: options.queryKey, query, records, refetch });
  const filters = filtersOf(parameters);

  async function save() {
    const { max_records: _page, ...rest } = query;
    download(`${resource.path.split('/').at(-1)}.csv`, csv(columns, await everything(place, rest)));
  }

  return {
    columns,
    list,
    records,
    total,
    fresh,
    refresh: () => {
      fresh.forget();
      void refetch();
    },
    readOn: () => hasNextPage && !isFetchingNextPage && void fetchNextPage(),
    save: () => void save(),
    isFiltered: Boolean(parameters.get(SEARCH)) || filters.length > 0,
    clearFilters: () =>
      change({ [SEARCH]: '', ...Object.fromEntries(filters.map(([name]) => [name, ''])) }),
  };
}

/** Return the columns that were chosen, by names, else the usual ones. */
function useColumns({ resource }: Place, chosen: string | null) {
  const { t } = useTranslation();
  const presentation = usePresentation(resource.path);
  return useMemo(() => {
    const names = chosen?.split(',') ?? defaultColumns(resource, presentation);
    return columnsOf(t, resource, presentation, names);
  }, [t, resource, presentation, chosen]);
}

/** The number of all records, which the array counts in a call of its own: only of long lists. */
function useTotal(
  place: Place,
  query: Record<string, string>,
  isLong: boolean,
): number | undefined {
  const { fields: _fields, order_by: _order, max_records: _page, ...filters } = query;
  const { data } = useQuery({
    queryKey: ['count', place.collection, filters],
    enabled: isLong,
    staleTime: 60_000,
    queryFn: async () =>
      Number(
        (await call('GET', place.collection, { ...filters, return_records: false }))['num_records'],
      ),
  });
  return isLong ? data : undefined;
}

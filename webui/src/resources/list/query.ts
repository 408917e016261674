/** The query of a list, from the address of its page. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';

import { call, type Json, type Page, type Query } from '../../api/client';
import { anywhere } from '../../api/search';
import { every, followed } from '../../base/activity';
import type { Resource } from '../../declarations/declarations';
import { leaves } from '../../declarations/fields';
import { described } from '../../declarations/labels';
import type { Place } from '../../declarations/place';
import type { Presentation } from '../presentation';
import type { Column } from './columns';

/** Parameters of the page that are no filters. */
export const SEARCH = 'q';
export const ORDER = 'order_by';
export const COLUMNS = 'columns';
/** Parameters of a page around a list: its view, and the chosen host. */
export const VIEW = 'view';
export const HOST = 'host';
const RESERVED = [SEARCH, ORDER, COLUMNS, VIEW, HOST];
/** The view that shows rows in the place of a drawing. */
export const AS_LIST = 'list';

const PAGE = 200;
/** The array sorts anew for each page, so a sorted list comes in few of them. */
const SORTED_PAGE = 2000;

export function filtersOf(parameters: URLSearchParams): [string, string][] {
  return [...parameters].filter(([name]) => !RESERVED.includes(name));
}

/** The field that the search above the list looks at. */
export function searchField(
  resource: Resource,
  { search }: Presentation,
  columns: readonly Column[],
): string | undefined {
  if (search) return search;
  const names = leaves(resource).map(({ name }) => name);
  const keys = described(resource.path).keys.filter((key) => names.includes(key));
  return (
    ['name', ...keys.toReversed()].find((name) => names.includes(name)) ??
    columns.find(({ node }) => node?.kind === 'text')?.name
  );
}

export function listQuery(
  place: Place,
  presentation: Presentation,
  parameters: URLSearchParams,
  columns: readonly Column[],
) {
  const order = parameters.get(ORDER) ?? '';
  const text = parameters.get(SEARCH) ?? '';
  const field = searchField(place.resource, presentation, columns);
  const { actions = [], refresh: period } = presentation;
  const needs = actions.flatMap((action) => action.needs);
  const query: Query = {
    ...Object.fromEntries(filtersOf(parameters)),
    ...(text && field && { [field]: anywhere(text) }),
    fields: [...new Set([...columns.flatMap((column) => column.fields), ...needs])].join(','),
    order_by: order,
    max_records: order ? SORTED_PAGE : PAGE,
  };
  return infiniteQueryOptions({
    queryKey: ['list', place.collection, query],
    meta: { hasRows: true },
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      pageParam
        ? call<Page>('GET', pageParam, {}, undefined, signal)
        : call<Page>('GET', place.collection, query, undefined, signal),
    getNextPageParam: (last) => last._links?.next?.href.replace(/^\/api\//, ''),
    placeholderData: keepPreviousData,
    // A list that is opened again, or looked at again, would be read page by page.
    gcTime: 0,
    refetchOnWindowFocus: () => !followed.get(),
    refetchOnReconnect: () => !followed.get(),
    // Every page would be read again: `useFreshRows` reads changed rows, if the array reports changes.
    refetchInterval: ({ state }) => {
      if ((state.data?.pages.length ?? 1) > 1 || (followed.get() && !period)) return false;
      return every(period ?? (order ? 60 : 15));
    },
  });
}

/** Return all records of a list, however many pages. */
export async function everything(place: Place, query: Query): Promise<Json[]> {
  const records: Json[] = [];
  let next: string | undefined;
  do {
    const page: Page = next
      ? await call<Page>('GET', next)
      : await call<Page>('GET', place.collection, { ...query, max_records: SORTED_PAGE });
    records.push(...page.records);
    next = page._links?.next?.href.replace(/^\/api\//, '');
  } while (next);
  return records;
}

/**
 * The `meta` of queries, by which they are read again when their objects have changed.
 *
 * Each says which paths of the API it shows: of kinds, such as `storage/disks`, or of single objects.
 * One that says none is read again as often as it asks for by itself.
 */
export interface Meta extends Record<string, unknown> {
  /** Paths of the objects that it shows; `ANYTHING` where each change may concern it. */
  shows?: readonly string[];
  /** It shows no state of objects, and stays as it is. */
  isLasting?: boolean;
  /** It is a list; its rows are read again one by one, once it has several pages. */
  hasRows?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta;
  }
}

export const ANYTHING = '';

/** Return whether a change of the object at a path concerns a query. */
export function isConcerned({ shows = [] }: Meta, path: string): boolean {
  // Of a single object the key is a UUID that its path does not have.
  return shows.some((shown) => isWithin(path, shown) || isWithin(shown, path));
}

const isWithin = (path: string, above: string) =>
  above === ANYTHING || path === above || path.startsWith(`${above}/`);

/** The loaded rows of a list, and the effects of the array's changes on them. */
import type { InfiniteData } from '@tanstack/react-query';

import type { Json, Page } from '../../api/client';
import type { Changed } from '../../changes/changes';
import { apiPath, type Place, plainPath } from '../../declarations/place';

export type Pages = InfiniteData<Page>;

/** The key of a row: the path of its object. */
export const keyOf = (place: Place, record: Json) =>
  plainPath(apiPath(place.collection, place.resource, record));

export interface Effects {
  /** Keys of rows that are to be read again. */
  changed: Set<string>;
  /** Keys of rows that are gone. */
  gone: Set<string>;
  /** The number of objects that are not among the rows; perhaps they do not belong there. */
  others: number;
}

/** Return the effects of changes on the rows of a list; `parts` is how many keys an object has. */
export function effects(
  collection: string,
  parts: number,
  loaded: ReadonlySet<string>,
  all: readonly Changed[],
): Effects {
  const above = plainPath(collection);
  const result: Effects = { changed: new Set(), gone: new Set(), others: 0 };
  const others = new Set<string>();
  for (const { path, deleted } of all) {
    if (!path.startsWith(`${above}/`)) continue;
    const rest = path.slice(above.length + 1).split('/');
    const key = [above, ...rest.slice(0, parts)].join('/');
    // A part of an object that is gone, such as a snapshot, is a change of that object.
    const isGone = deleted && rest.length === parts;
    if (!loaded.has(key)) {
      if (!isGone) others.add(key);
    } else if (isGone) {
      result.gone.add(key);
      result.changed.delete(key);
    } else result.changed.add(key);
  }
  return { ...result, others: others.size };
}

/** Return the pages with rows replaced; those that `next` leaves out are taken away. */
export function replaced(
  pages: Pages,
  keyOf: (record: Json) => string,
  next: (key: string, record: Json) => Json | undefined,
): Pages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      records: page.records
        .map((record) => next(keyOf(record), record))
        .filter((record) => record !== undefined),
    })),
  };
}

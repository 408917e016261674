import { queryOptions } from '@tanstack/react-query';

import { call, type Json } from '../api/client';
import { seldom } from '../base/activity';
import type { Declarations, Resource } from '../declarations/declarations';
import { isCounter } from '../declarations/fields';
import { locate, type Place, plainPath } from '../declarations/place';

/** Everything that an object shows, but for counters, which have charts. */
export function recordQuery({ api, resource }: Place) {
  return queryOptions({
    queryKey: ['record', api],
    meta: { shows: [plainPath(api)] },
    queryFn: ({ signal }) =>
      call<Json>('GET', api, { fields: fieldsOf(resource) }, undefined, signal),
    refetchInterval: () => seldom(15),
  });
}

function fieldsOf(resource: Resource): string {
  const costly = resource.fields.filter((node) => node.costly && !isCounter(node) && !node.secret);
  return ['*', ...costly.map((node) => node.name)].join(',');
}

/** Return the object that a collection, or an object in it, is below. */
export function parentOf(declarations: Declarations, pathname: string): Place | undefined {
  const parts = pathname.split('/').filter(Boolean);
  while (parts.length > 1) {
    parts.pop();
    const place = locate(declarations, `/${parts.join('/')}`);
    if (place?.object && !place.resource.single) return place;
  }
  return undefined;
}

/**
 * Addresses of pages and of the API, one derived from the other.
 *
 * A page has the address of its object or collection: /storage/volumes, /storage/volumes/<uuid>/snapshots.
 * Keys may hold any character; they are written with ~ for the browser's %, which neither the
 * browser nor the router changes. ~new and ~edit at the end are forms.
 */
import type { Json } from '../api/client';
import {
  at,
  type Declarations,
  isAction,
  ownKeys,
  placeholders,
  type Resource,
} from './declarations';

export type Form = 'new' | 'edit';

export interface Place {
  resource: Resource;
  /** The keys in the address, the parents' first. */
  keys: Record<string, string>;
  /** An object, as opposed to its collection. */
  object: boolean;
  form?: Form;
  /** The path of the object or collection in the API. */
  api: string;
  /** The path of the collection it is in. */
  collection: string;
}

const escaped = (key: string) =>
  encodeURIComponent(key).replaceAll('~', '%7E').replaceAll('%', '~');

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('~', '%'));
  } catch {
    return undefined;
  }
}

/** Return the place of the address of a page, undefined for none. */
export function locate(declarations: Declarations, pathname: string): Place | undefined {
  const parts = pathname.split('/').filter(Boolean);
  const last = parts.at(-1);
  const form = last === '~new' ? 'new' : last === '~edit' ? 'edit' : undefined;
  if (form) parts.pop();
  for (const resource of declarations.resources) {
    const pattern = resource.path.split('/');
    const own = isAction(resource) ? [] : ownKeys(resource);
    const object = own.length > 0 && parts.length === pattern.length + own.length;
    if (!object && parts.length !== pattern.length) continue;
    const names = [...pattern, ...own.map((key) => `{${key}}`)];
    const keys: Record<string, string> = {};
    const fits = parts.every((part, index) => {
      const name = names[index]!;
      if (!name.startsWith('{')) return name === part;
      const key = unescaped(part);
      if (key !== undefined) keys[name.slice(1, -1)] = key;
      return key !== undefined;
    });
    if (!fits) continue;
    const path = (count: number) =>
      parts
        .slice(0, count)
        .map((part) => (part.includes('~') ? encodeURIComponent(unescaped(part)!) : part))
        .join('/');
    return {
      resource,
      keys,
      object: object || Boolean(resource.single),
      ...(form && { form }),
      api: path(parts.length),
      collection: path(pattern.length),
    };
  }
  return undefined;
}

/** Return the address of the page of a collection. */
export function collectionPage(resource: Resource, keys: Record<string, string> = {}): string {
  return `/${resource.path.replace(/{([^}]*)}/g, (_all, key: string) => escaped(keys[key] ?? ''))}`;
}

/** Return the keys of a record in a collection that has `keys`; undefined if the record lacks one. */
export function keysOf(
  resource: Resource,
  record: Json,
  keys: Record<string, string> = {},
): Record<string, string> | undefined {
  const own = ownKeys(resource).map((key) => [key, at(record, key)] as const);
  if (own.some(([, value]) => value === undefined)) return undefined;
  return { ...keys, ...Object.fromEntries(own.map(([key, value]) => [key, String(value)])) };
}

/** Return the address of the page of an object. */
export function objectPage(resource: Resource, keys: Record<string, string>): string {
  return [
    collectionPage(resource, keys),
    ...ownKeys(resource).map((key) => escaped(keys[key]!)),
  ].join('/');
}

/** Return the address of the collection of `child` below the object at `place`. */
export function childPage(place: Place, child: Resource): string {
  const values = placeholdersInOrder(place);
  const names = placeholders(child.path);
  return collectionPage(child, Object.fromEntries(names.map((name, n) => [name, values[n] ?? ''])));
}

/** A child names its parents' keys in its own way: only their order is the same. */
function placeholdersInOrder({ resource, keys }: Place): string[] {
  return [...placeholders(resource.path), ...ownKeys(resource)].map((key) => keys[key] ?? '');
}

/** Return the path in the API of an object. */
export function apiPath(collection: string, resource: Resource, record: Json): string {
  const keys = ownKeys(resource).map((key) => encodeURIComponent(String(at(record, key))));
  return [collection, ...keys].join('/');
}

/** A path in the API as the array writes it where it is no address, such as in `cluster/changes`. */
export function plainPath(api: string): string {
  return api.split('/').map(decodeURIComponent).join('/');
}

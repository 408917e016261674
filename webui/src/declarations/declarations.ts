/**
 * The array's declarations: its resources, and the description of all that their pages show.
 *
 * The page reads them from the array, as the shell does, so that the pages are those of its release. The
 * shapes here are those of api/sanstone/core/declaration/description.py.
 */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { call, type Json } from '../api/client';
import type { Method } from '../api/method';

export interface Node {
  name: string;
  doc: string;
  /** A type of api/sanstone/core/declaration/types.py, or items, reference, references. */
  kind: string;
  create?: boolean;
  modify?: boolean;
  required?: boolean;
  /** Shown only when a request names it. */
  costly?: boolean;
  secret?: boolean;
  choices?: string[];
  default?: unknown;
  /** Several values of the kind. */
  list?: boolean;
  /** The path of the resource that is referred to. */
  to?: string;
  /** Of items: the field that stands for an entry. */
  bare?: string;
  items?: Node[];
}

export interface Resource {
  path: string;
  doc: string;
  methods: Method[];
  keys?: string[];
  single?: boolean;
  /** Its changes may need a confirmation in time, or be taken back. */
  confirmable?: boolean;
  fields: Node[];
  options?: Node[];
  answer?: Node[];
}

export const isAction = (resource: Resource) => !resource.methods.includes('GET');
/** Whether there is one at most, which can be created and deleted. */
export const mayBeAbsent = ({ single, methods }: Resource) =>
  Boolean(single) && methods.includes('POST') && methods.includes('DELETE');
export const isBelow = (resource: Resource) => resource.path.includes('{');
export const placeholders = (path: string) =>
  [...path.matchAll(/{([^}]*)}/g)].map((match) => match[1]!);

/** The keys of an object that follow the path of its collection. */
export function ownKeys(resource: Resource): string[] {
  const above = placeholders(resource.path);
  return resource.single ? [] : (resource.keys ?? []).filter((key) => !above.includes(key));
}

/** The resources with collections below the objects of one. */
export function below(resources: Iterable<Resource>, resource: Resource): Resource[] {
  return [...resources].filter(
    ({ path }) =>
      path.startsWith(`${resource.path}/{`) &&
      placeholders(path).length === placeholders(resource.path).length + ownKeys(resource).length,
  );
}

export class Declarations {
  readonly byPath: ReadonlyMap<string, Resource>;

  constructor(readonly resources: readonly Resource[]) {
    this.byPath = new Map(resources.map((resource) => [resource.path, resource]));
  }

  find = (path: string): Resource | undefined => this.byPath.get(path);

  get(path: string): Resource {
    const resource = this.byPath.get(path);
    if (!resource) throw new Error(`The array has no resource ${path}.`);
    return resource;
  }
}

export const declarationsQuery = queryOptions({
  queryKey: ['declarations'],
  meta: { isLasting: true },
  queryFn: () => call<{ resources: Resource[] }>('GET', 'declarations.json'),
  staleTime: Infinity,
  gcTime: Infinity,
});

export function useDeclarations(): Declarations {
  const { data } = useSuspenseQuery(declarationsQuery);
  return useMemo(() => new Declarations(data.resources), [data]);
}

/** The value under a dotted name; of a list, its entries' values. */
export function at(record: unknown, name: string): unknown {
  if (!name) return record;
  if (Array.isArray(record)) {
    const values = record.map((entry) => at(entry, name)).filter((value) => value !== undefined);
    return values.length ? values : undefined;
  }
  if (typeof record !== 'object' || record === null) return undefined;
  const [first = '', ...rest] = name.split('.');
  return at((record as Json)[first], rest.join('.'));
}

/** A body with objects in the place of dotted names. */
export function nested(values: Json): Json {
  const body: Json = {};
  for (const [name, value] of Object.entries(values)) {
    const parents = name.split('.');
    const last = parents.pop()!;
    let place = body;
    for (const parent of parents) place = (place[parent] ??= {}) as Json;
    const known = place[last];
    place[last] = isPlain(known) && isPlain(value) ? { ...known, ...value } : value;
  }
  return body;
}

const isPlain = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

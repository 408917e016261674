/** Columns of a list: the chosen ones, else those of its presentation, else those of the shell. */
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';

import type { Json } from '../../api/client';
import { CapacityBar } from '../../base/CapacityBar';
import { at, type Node, type Resource } from '../../declarations/declarations';
import { isCounter, isFixed, type Leaf, leaves } from '../../declarations/fields';
import { described, fieldLabel } from '../../declarations/labels';
import type { Presentation } from '../presentation';
import { Value } from '../Value';

export interface Column {
  name: string;
  label: string;
  /** Fields to ask the array for. */
  fields: string[];
  /** The field that the array sorts by. */
  order: string;
  width: number;
  isNumber: boolean;
  node?: Node;
  cell: (record: Json) => ReactNode;
  text: (record: Json) => string;
}

const CAPACITY = '#capacity';
const WIDTHS: Record<string, number> = {
  size: 100,
  integer: 100,
  boolean: 90,
  choice: 130,
  timestamp: 165,
  uuid: 270,
  [CAPACITY]: 210,
};
const USUAL = 170;
const FIRST = 230;
const MOST = 7;
/** On a phone columns are narrower, so that more than the name is in view, but have room for a size. */
const NARROW = matchMedia('(max-width: 48rem)');
const LEAST = 85;
const narrowed = (width: number) =>
  NARROW.matches ? Math.max(LEAST, Math.round(0.65 * width)) : width;

export function columnsOf(
  t: TFunction,
  resource: Resource,
  presentation: Presentation,
  names: readonly string[],
): Column[] {
  const all = new Map(leaves(resource).map((leaf) => [leaf.name, leaf]));
  return names.flatMap((name, index) => {
    const first = index === 0 ? FIRST : 0;
    if (name === CAPACITY) return capacity(t, presentation) ?? [];
    const leaf = all.get(name) ?? entry(resource, name);
    return leaf ? [column(t, resource, presentation, leaf, first)] : [];
  });
}

export function defaultColumns(resource: Resource, { columns }: Presentation): string[] {
  if (columns) return columns;
  const shown = described(resource.path).columns.filter((name) => !name.startsWith('../'));
  if (shown.length) return [...shown].sort((one, other) => rank(one) - rank(other));
  return leaves(resource)
    .filter(
      ({ node }) => !isCounter(node) && !isFixed(node) && node.kind !== 'uuid' && !node.costly,
    )
    .map(({ name }) => name)
    .slice(0, MOST);
}

/** The name of an object comes before those of the objects above it. */
const rank = (name: string) => (name === 'name' ? 0 : 1);

/** All columns that a person may choose. */
export function choosable(resource: Resource, { capacity }: Presentation): string[] {
  const names = leaves(resource)
    .filter(({ node }) => !isFixed(node))
    .map(({ name }) => name);
  return capacity ? [CAPACITY, ...names] : names;
}

/** The shell names a field within entries, which are a column together here. */
function entry(resource: Resource, name: string): Leaf | undefined {
  const node = resource.fields.find(
    (each) => each.kind === 'items' && name.startsWith(`${each.name}.`),
  );
  return node && { name: node.name, node };
}

function column(
  t: TFunction,
  resource: Resource,
  { renderers }: Presentation,
  { name, node }: Leaf,
  least: number,
): Column {
  const isNumber = !node.list && ['size', 'integer'].includes(node.kind);
  return {
    name,
    label: fieldLabel(t, name),
    fields: [name, ...(renderers?.[name]?.needs ?? [])],
    order: name,
    width: narrowed(Math.max(WIDTHS[node.kind] ?? USUAL, least)),
    isNumber,
    node,
    cell: (record) => <Value node={node} record={record} path={resource.path} />,
    text: (record) => plain(at(record, name)),
  };
}

export function columnLabel(t: TFunction, name: string): string {
  return name === CAPACITY ? t('Capacity') : fieldLabel(t, name);
}

function capacity(t: TFunction, { capacity: fields }: Presentation): Column | undefined {
  if (!fields) return undefined;
  const { used, size } = fields;
  const number = (record: Json, name: string) => Number(at(record, name) ?? 0);
  return {
    name: CAPACITY,
    label: columnLabel(t, CAPACITY),
    fields: [used, size],
    order: size,
    width: WIDTHS[CAPACITY]!,
    isNumber: false,
    cell: (record) =>
      at(record, size) === undefined ? null : (
        <CapacityBar used={number(record, used)} size={number(record, size)} />
      ),
    text: (record) => `${number(record, used)}/${number(record, size)}`,
  };
}

function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(plain).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

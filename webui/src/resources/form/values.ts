/** The values of a form, and the body of its request. */
import type { Json } from '../../api/client';
import { parseSize, writtenSize } from '../../base/sizes';
import { at, nested, type Node } from '../../declarations/declarations';

/** An object that is referred to; without a UUID, the text that was typed. */
export interface Chosen {
  name: string;
  uuid?: string;
}

/** As typed: a text, a choice, a reference, several of these, or entries of items. */
export type Typed = string | boolean | Chosen | Chosen[] | Values[];
export type Values = Record<string, Typed | undefined>;

const isList = (node: Node) => node.list || ['strings', 'lines'].includes(node.kind);

/** Return the form's value of a field of the array's record. */
export function typed(node: Node, shown: unknown): Typed | undefined {
  if (shown === undefined || shown === null) return undefined;
  if (node.kind === 'items')
    return (shown as Json[]).map((entry) => typedAll(node.items ?? [], entry));
  if (node.kind === 'reference') return shown as Chosen;
  if (node.kind === 'references') return shown as Chosen[];
  if (node.kind === 'boolean') return Boolean(shown);
  if (node.kind === 'size') return writtenSize(shown as number);
  if (Array.isArray(shown)) return shown.join('\n');
  return String(shown);
}

export function typedAll(nodes: readonly Node[], record: Json): Values {
  return Object.fromEntries(nodes.map((node) => [node.name, typed(node, at(record, node.name))]));
}

export class NotReadable extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Return the value to send. Throws NotReadable. */
function sent(node: Node, value: Typed): unknown {
  if (node.kind === 'items')
    return (value as Values[]).map((entry) => nested(sentAll(node.items ?? [], entry)));
  if (typeof value !== 'string') return value;
  if (isList(node) && node.kind !== 'lines')
    return value
      .split(/[\n,]/)
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map((entry) => (node.kind === 'integer' ? Number(entry) : entry));
  if (node.kind === 'size') {
    const bytes = parseSize(value);
    if (bytes === undefined) throw new NotReadable(node.name, 'Write a size such as "100 GiB".');
    return bytes;
  }
  if (['integer', 'duration'].includes(node.kind)) {
    if (!/^-?\d+$/.test(value.trim())) throw new NotReadable(node.name, 'Write a whole number.');
    return Number(value);
  }
  if (['boolean', 'never', 'always'].includes(node.kind)) return value === 'true';
  return value;
}

function sentAll(nodes: readonly Node[], values: Values): Json {
  const filled = nodes.filter(({ name }) => !isEmpty(values[name]));
  return Object.fromEntries(filled.map((node) => [node.name, sent(node, values[node.name]!)]));
}

export function isEmpty(value: Typed | undefined): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Return the values to send, by field: of `before`, only changed ones. */
export function changes(nodes: readonly Node[], values: Values, before?: Values): Json {
  if (!before) return sentAll(nodes, values);
  const differ = nodes.filter(
    ({ name }) => JSON.stringify(values[name]) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(
    differ
      .filter(({ name }) => !(isEmpty(values[name]) && isEmpty(before[name])))
      .map((node) => [node.name, emptied(node, values[node.name])]),
  );
}

function emptied(node: Node, value: Typed | undefined): unknown {
  if (!isEmpty(value)) return sent(node, value!);
  if (node.kind === 'reference') return null;
  return node.kind === 'items' || node.kind === 'references' || isList(node) ? [] : '';
}

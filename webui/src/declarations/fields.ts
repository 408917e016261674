/** Fields as pages need them: which there are, in which order, and under which names. */
import type { Node, Resource } from './declarations';

/** One value that a list or a page shows, under its dotted name. */
export interface Leaf {
  name: string;
  node: Node;
}

/** The fields of a resource, references under the name of the object that they refer to. */
export function leaves(resource: Resource): Leaf[] {
  return resource.fields
    .filter((node) => !node.secret)
    .map((node) => ({ name: nameOf(node), node }));
}

export function nameOf(node: Node): string {
  if (node.kind === 'reference' || node.kind === 'references') return `${node.name}.name`;
  return node.name;
}

/** Whether a field is the same on every array: it is there for programs that set it. */
export function isFixed(node: Node): boolean {
  return ['never', 'always'].includes(node.kind) || node.choices?.length === 1;
}

const COUNTERS = /^(statistics|metric)\./;

export const isCounter = (node: Node) => COUNTERS.test(node.name);

export function settable(resource: Resource, how: 'create' | 'modify'): Node[] {
  return resource.fields.filter((node) => node[how]);
}

/** The first part of the name, for fields that are shown together; '' for a field that stands alone. */
export function groupOf(node: Node, all: readonly Node[]): string {
  const [first = '', ...rest] = node.name.split('.');
  const alone = all.filter((each) => each.name.split('.')[0] === first).length < 3;
  return rest.length && !alone ? first : '';
}

/**
 * Values as YAML 1.2 that readers of YAML 1.1, such as Ansible's, take for the same.
 *
 * A text that could be anything else is quoted as in JSON; YAML is a superset of that. One with
 * braces of a template is marked, so that Ansible leaves it as it is.
 */

/** A template of Ansible's, which is to be filled in: "{{ password }}". */
export class Template {
  constructor(readonly text: string) {}
}

/** Letters first, then characters without a meaning in YAML; neither a number nor a date begins so. */
const PLAIN = /^[A-Za-z/][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/;
/** Words that YAML 1.1 takes for a truth value or for nothing. */
const WORDS = /^(?:y|yes|n|no|on|off|true|false|null|none|nan|inf)$/i;
const TEMPLATED = /{{|{%|{#/;

export function scalar(value: unknown): string {
  if (value instanceof Template) return JSON.stringify(value.text);
  if (typeof value === 'string') {
    if (TEMPLATED.test(value)) return `!unsafe ${quoted(value)}`;
    return PLAIN.test(value) && !WORDS.test(value) ? value : quoted(value);
  }
  return value === null || value === undefined ? 'null' : String(value);
}

/** JSON, with escapes for characters that YAML does not take: line separators, the byte order mark. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const isTree = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Template) &&
  Object.keys(value).length > 0;

const empty = (value: unknown) =>
  Array.isArray(value) ? '[]' : typeof value === 'object' && value !== null ? '{}' : undefined;

const leaf = (value: unknown) =>
  value instanceof Template ? scalar(value) : (empty(value) ?? scalar(value));

/** Return a value as lines of YAML, each indented by `depth` levels. */
export function yaml(value: unknown, depth = 0): string {
  const indent = '  '.repeat(depth);
  if (!isTree(value)) return `${indent}${leaf(value)}\n`;
  if (Array.isArray(value))
    return value
      .map((entry: unknown) =>
        isTree(entry)
          ? `${indent}- ${yaml(entry, depth + 1).trimStart()}`
          : `${indent}- ${leaf(entry)}\n`,
      )
      .join('');
  return Object.entries(value)
    .map(([key, entry]) =>
      isTree(entry)
        ? `${indent}${scalar(key)}:\n${yaml(entry, depth + 1)}`
        : `${indent}${scalar(key)}: ${leaf(entry)}\n`,
    )
    .join('');
}

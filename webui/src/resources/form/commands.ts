/** A change as other clients of the array write it: a call of curl, and a command of the shell. */
import type { Json } from '../../api/client';
import type { Method } from '../../api/method';
import { writtenSize } from '../../base/sizes';
import { nested, type Node } from '../../declarations/declarations';
import { described } from '../../declarations/labels';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function curl(method: Method, url: string, account: string, body: Json): string {
  const send = Object.keys(body).length
    ? ` \\\n  --json ${quoted(JSON.stringify(nested(body)))}`
    : '';
  return `curl --user ${account} --request ${method}${send} \\\n  ${quoted(url)}`;
}

const DOES: Partial<Record<Method, string>> = { POST: 'create', PATCH: 'modify', DELETE: 'delete' };

/**
 * Return the shell's command, '' where there is none. `keys` are values by field that say which
 * object is meant, with `../` before keys of its parent.
 */
export function command(
  method: Method,
  path: string,
  nodes: readonly Node[],
  keys: Json,
  body: Json,
): string {
  const verb = described(path).verbs[DOES[method] ?? ''];
  if (!verb) return '';
  const kinds = new Map(nodes.map((node) => [node.name, node]));
  const words: [string, string][] = [];
  for (const [field, value] of Object.entries({ ...keys, ...body }))
    for (const [name, text] of parts(field, value, kinds.get(field))) {
      const word = verb.parameters[name];
      if (word && text !== '') words.push([word, text]);
    }
  const parameters = words.map(([word, text]) => `-${word} ${escaped(text)}`);
  return [verb.words, ...parameters].join(' ');
}

function parts(field: string, value: unknown, node: Node | undefined): [string, string][] {
  if (Array.isArray(value)) {
    const objects = value.filter(
      (entry): entry is Json => typeof entry === 'object' && entry !== null,
    );
    if (!objects.length) return [[field, value.join(',')]];
    const names = [...new Set(objects.flatMap((entry) => Object.keys(entry)))];
    return names
      .filter((name) => name !== 'uuid')
      .map((name) => [`${field}.${name}`, objects.map((entry) => entry[name] ?? '-').join(',')]);
  }
  if (typeof value === 'object' && value !== null)
    return [[`${field}.name`, String((value as Json)['name'] ?? '')]];
  if (node?.secret) return [[field, '…']];
  if (node?.kind === 'size')
    return [
      [
        field,
        writtenSize(value as number)
          .replace(/ (.)i?B?$/, '$1b')
          .toLowerCase(),
      ],
    ];
  return [[field, value === null ? '-' : String(value)]];
}

const escaped = (text: string) =>
  /^[\w./:@-]+(,[\w./:@-]+)*$/.test(text) ? text : `"${text.replace(/(["\\])/g, '\\$1')}"`;

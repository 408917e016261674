import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { anchor } from './markdown.ts';

interface EventKind {
  name: string;
  pattern: string;
  severity: string;
  description: string;
  corrective_action: string;
}

interface Command {
  words: string;
  doc: string;
  synopsis: string[];
  resource: string;
}

interface Field {
  name: string;
  doc: string;
  access: string[];
  required: boolean;
}

interface Resource {
  path: string;
  doc: string;
  methods: string[];
  fields: Field[];
}

interface Reference {
  events: EventKind[];
  roles: Record<'array' | 'svm', Record<string, Record<string, string>>>;
  accesses: Record<string, string[]>;
  metrics: string;
  commands: Record<string, Command[]>;
  resources: Resource[];
}

const declared = (generated: string) =>
  JSON.parse(readFileSync(join(generated, 'reference.json'), 'utf8')) as Reference;

export const resourcePaths = (generated: string): string[] =>
  declared(generated).resources.map(({ path }) => path);

/** Returns pages in Markdown, by their paths, from the array's declarations. */
export function reference(generated: string, folder: string): Map<string, string> {
  const api = declared(generated);
  const pages = new Map([...eventPages(api.events, written(join(folder, 'events')))]);
  pages.set('reference/roles', rolesPage(api));
  pages.set('reference/metrics', metricsPage(api.metrics));
  for (const [place, commands] of Object.entries(api.commands))
    pages.set(`commands/${place}`, commandsPage(place, commands));
  pages.set('reference/commands', commandsIndex(api.commands));
  const areas: Record<string, Resource[]> = {};
  for (const resource of api.resources) (areas[resource.path.split('/')[0]!] ??= []).push(resource);
  for (const [area, resources] of Object.entries(areas))
    pages.set(`resources/${area}`, resourcesPage(area, resources));
  pages.set('reference/resources', resourcesIndex(areas));
  return pages;
}

/** The hand-written part about an event; the rest is in the catalogue. */
interface EventText {
  lookAt: string;
  call: string;
}

const EVENT_TEXT = /^### What to look at\n(.*)^### When to call for help\n(.*)/ms;

/** Returns the hand-written part about each event: the texts below its two headings. */
function written(folder: string): Map<string, EventText> {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const parts = files.flatMap((text) => text.split(/^## /m).slice(1));
  const split = parts.map((part): [string, EventText] => {
    const name = part.split('\n')[0]!.trim();
    const [, lookAt, call] = EVENT_TEXT.exec(part) ?? [];
    if (!lookAt?.trim() || !call?.trim())
      throw new Error(`${name} lacks "What to look at", or "When to call for help" below it.`);
    return [name, { lookAt: lookAt.trim(), call: call.trim() }];
  });
  const named = new Map(split);
  if (named.size < split.length) throw new Error('An event is written of twice.');
  return named;
}

function eventPages(kinds: EventKind[], texts: Map<string, EventText>): [string, string][] {
  const lost = kinds.filter(({ name }) => !texts.has(name)).map(({ name }) => name);
  const strange = [...texts.keys()].filter((name) => !kinds.some((kind) => kind.name === name));
  if (lost.length + strange.length)
    throw new Error(
      `Events without a text: ${lost.join(', ')}; texts of none: ${strange.join(', ')}`,
    );
  const rows = kinds
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(
      ({ name, pattern, severity, description }) =>
        `| [${pattern || name}](events/${name}.md) | ${severity} | ${description} |`,
    );
  const index = `# Events\n\nEvery kind of event that the array raises. \`event log show\` and **Events** in the web
interface list what happened; what lasts is on the dashboard under **Alerts** until it ends, and then
comes an event whose name ends in \`.resolved\`.\n\n| event | at worst | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  return [
    ['events', index],
    ...kinds.map((kind): [string, string] => [
      `events/${kind.name}`,
      eventPage(kind, texts.get(kind.name)!),
    ]),
  ];
}

const eventPage = (kind: EventKind, { lookAt, call }: EventText) => `# ${kind.pattern || kind.name}

At worst of severity **${kind.severity}**. [All events](../events.md)

## What it means

${kind.description}

## What to look at

${lookAt}

## What to do

${kind.corrective_action}

## When to call for help

${call}
`;

function rolesPage({ roles, accesses }: Reference): string {
  const table = (held: Record<string, Record<string, string>>) =>
    Object.entries(held)
      .flatMap(([role, privileges]) =>
        Object.entries(privileges).map(
          ([path, access]) => `| \`${role}\` | \`${path}\` | \`${access}\` |`,
        ),
      )
      .join('\n');
  const head = '| role | path | access |\n| --- | --- | --- |\n';
  const methods = Object.entries(accesses).map(
    ([name, allowed]) => `| \`${name}\` | ${allowed.join(', ') || 'nothing'} |`,
  );
  return `# Roles and privileges

A privilege is a path of the API and an access. The longest path that is the beginning of a request's
decides. [Accounts](../tasks/accounts.md) shows how to create roles and assign them.

## Accesses

| access | methods |
| --- | --- |
${methods.join('\n')}

## Built-in roles of the array

${head}${table(roles.array)}

## Built-in roles of each SVM

${head}${table(roles.svm)}
`;
}

function metricsPage(doc: string): string {
  const text = doc.replace(
    /((?:^ {4}.*\n)+)/gm,
    (block) => `\`\`\`text\n${block.replace(/^ {4}/gm, '')}\`\`\`\n`,
  );
  return `# Metrics\n\n${text}\n\n[Monitoring](../tasks/monitoring.md) shows how to scrape them.\n`;
}

const link = (folder: string, path: string, text = path) =>
  `[${text}](${folder}${path.split('/')[0]}.md#${anchor(path)})`;

function commandsPage(place: string, commands: Command[]): string {
  const parts = commands.map(({ words, doc, synopsis, resource }) => {
    const line = [words, ...synopsis].join(' ');
    const rest = resource && `\n\nREST: ${link('../resources/', resource)}`;
    return `## ${words}\n\n${doc}.\n\n\`\`\`text\n${folded(line)}\n\`\`\`${rest}`;
  });
  const title = place === 'session' ? 'The session itself' : `${place}`;
  return `# Commands: ${title}\n\nBrackets stand around optional parts. \`man\` and a command describes each parameter.\n\n${parts.join('\n\n')}\n`;
}

/** Breaks a line between parameters, as a terminal would. */
function folded(line: string, width = 96): string {
  const lines = [''];
  for (const part of line.split(/ (?=\[?-)/)) {
    const last = lines.at(-1)!;
    if (last && last.length + part.length >= width) lines.push(`    ${part}`);
    else lines[lines.length - 1] = last ? `${last} ${part}` : part;
  }
  return lines.join('\n');
}

function commandsIndex(all: Record<string, Command[]>): string {
  const parts = Object.entries(all).map(([place, commands]) => {
    const links = commands.map(
      ({ words, doc }) => `| [${words}](../commands/${place}.md#${anchor(words)}) | ${doc} |`,
    );
    return `## ${place}\n\n| command | effect |\n| --- | --- |\n${links.join('\n')}`;
  });
  return `# Shell commands\n\n${parts.join('\n\n')}\n`;
}

function resourcesPage(area: string, resources: Resource[]): string {
  const parts = resources.map(({ path, doc, methods, fields }) => {
    const rows = fields.map(({ name, doc: text, access, required }) => {
      const set = access.length ? `${access.join(', ')}${required ? ', required' : ''}` : '';
      return `| \`${name}\` | ${set} | ${text.replaceAll('|', '\\|')} |`;
    });
    return `## ${path}\n\n${doc}\n\nMethods: ${methods.join(', ')}.\n\n| field | set by | meaning |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  return `# REST: ${area}\n\nPaths are below \`/api/\`. Types and examples are in the [description of the API](/docs/api/).\n\n${parts.join('\n\n')}\n`;
}

function resourcesIndex(areas: Record<string, Resource[]>): string {
  const parts = Object.entries(areas).map(([area, resources]) => {
    const rows = resources.map(({ path, doc }) => `| ${link('../resources/', path)} | ${doc} |`);
    return `## ${area}\n\n| path | resource |\n| --- | --- |\n${rows.join('\n')}`;
  });
  return `# REST resources\n\n${parts.join('\n\n')}\n`;
}

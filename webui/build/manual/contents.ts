import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Group {
  title: string;
  /** Paths of the pages, as in the folder and in the address. */
  pages: string[];
}

/** The order of the pages; `generated` pages are beside those that are written. */
export function contents(
  folder: string,
  generated: Map<string, string>,
): [Group[], Map<string, string>] {
  const groups = JSON.parse(readFileSync(join(folder, 'contents.json'), 'utf8')) as Group[];
  const placed = groups.flatMap(({ pages }) => pages);
  const written = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.md') && !name.startsWith('events/'))
      written.set(name.slice(0, -3), readFileSync(join(folder, name), 'utf8'));
  const sources = new Map([...generated, ...written]);
  const wrong = {
    'not there': placed.filter((path) => !sources.has(path)),
    twice: placed.filter((path, at) => placed.indexOf(path) !== at),
    'in no group': [...written.keys()].filter((path) => !placed.includes(path)),
  };
  for (const [what, paths] of Object.entries(wrong))
    if (paths.length) throw new Error(`contents.json: ${what}: ${paths.join(', ')}`);
  return [groups, sources];
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

import { contents, type Group } from './contents.ts';
import { type Files, framed } from './frame.ts';
import { anchor, render, type Rendered } from './markdown.ts';
import { Pictures, PICTURES } from './pictures.ts';
import { reference, resourcePaths } from './reference.ts';

/** Where the manual is served. */
const PLACE = 'docs';
const FOLDER = 'manual';
const GENERATED = 'src/generated';
/** Files below PLACE that the array serves and that are no page of the manual, but for FILES. */
const BESIDE = [
  '/docs/api/',
  '/docs/ansible/sanstone-array.tar.gz',
  '/docs/monitoring/SANSTONE-MIB.txt',
];
/** Whence files are that the array serves beside the manual. */
const FILES = '../overlay/usr/share/sanstone';

export interface Page extends Rendered {
  path: string;
}

/** Writes the manual: a page of HTML for each of Markdown, and the index of the search. */
export function manual(): Plugin {
  return {
    name: 'manual',
    apply: 'build',
    generateBundle(_options, bundle) {
      const [groups, pages, pictures] = read();
      const files = filesOf(bundle);
      const emit = (name: string, source: string | Uint8Array) =>
        this.emitFile({ type: 'asset', fileName: `${PLACE}/${name}`, source });
      for (const page of pages.values())
        emit(posix.join(...under(page.path), 'index.html'), framed(page, groups, pages, files));
      for (const file of pictures.taken) emit(`${PICTURES}/${file}`, pictures.read(file));
      emit('search.json', JSON.stringify(searched(groups, pages)));
      emit('places.json', JSON.stringify(places(groups, pages)));
    },
  };
}

/** Returns the contents, all pages and their pictures, and fails where a link is dead. */
export function read(): [Group[], Map<string, Page>, Pictures] {
  const [groups, sources] = contents(FOLDER, reference(GENERATED, FOLDER));
  const pages = new Map<string, Page>();
  const shown = webPages();
  const pictures = new Pictures(FOLDER);
  for (const [path, source] of sources) {
    const rendered = render(source, {
      address: (link) => address(path, link),
      drawing: (name) => readFileSync(join(FOLDER, 'drawings', name), 'utf8'),
      picture: (name, text) => pictures.shown(name, text, PLACE),
    });
    pages.set(path, { path, ...rendered });
  }
  const dead = [...pages.values()].flatMap(({ path, links }) =>
    links
      .map(({ to }) => to)
      .filter((to) => !leads(address(path, to), pages, shown))
      .map((to) => `${path}: ${to}`),
  );
  if (dead.length) throw new Error(`The manual has dead links:\n${dead.join('\n')}`);
  if (pictures.unshown.length)
    throw new Error(`No page shows the pictures ${pictures.unshown.join(', ')}.`);
  return [groups, pages, pictures];
}

/** Returns the address of a page's link: `snapshots.md#restore` is of a page beside it. */
function address(path: string, link: string): string {
  const [file, part] = link.split('#') as [string, string?];
  if (!file) return link;
  if (!file.endsWith('.md')) return link;
  const to = posix.join(dirname(path), file.slice(0, -3));
  return `${addressOf(to)}${part === undefined ? '' : `#${part}`}`;
}

/** Returns the folder of a page, if it has one of its own: the first page stands for the manual. */
const under = (path: string) => (path === 'index' ? [] : [path]);

/** Returns the address of a page. */
export function addressOf(path: string): string {
  return `/${[PLACE, ...under(path)].join('/')}/`;
}

/** Returns the addresses of the web interface's pages that are not of a resource. */
export function ownPages(): string[] {
  const router = readFileSync('src/router.tsx', 'utf8');
  return [...router.matchAll(/page\('(\/[^']*)'/g)].map((match) => match[1]!);
}

/** Returns the addresses of the web interface: of pages of their own, and of resources. */
function webPages(): Set<string> {
  return new Set([...ownPages(), ...resourcePaths(GENERATED).map((path) => `/${path}`)]);
}

function leads(to: string, pages: Map<string, Page>, shown: Set<string>): boolean {
  if (to.startsWith('https://') || BESIDE.includes(to) || shown.has(to)) return true;
  if (/\.\w+$/.test(to)) return existsSync(FILES + to);
  const [place, part] = to.split('#') as [string, string?];
  if (!place) return true;
  const page = [...pages.values()].find(({ path }) => addressOf(path) === place);
  return !!page && (!part || page.sections.some(({ id }) => id === part));
}

/**
 * Returns the place in the manual about each page of the web interface: the first that leads there, tasks
 * before all else, and for a resource that nobody wrote about its place in the reference.
 */
export function places(groups: Group[], pages: Map<string, Page>): Record<string, string> {
  const addresses: Record<string, string> = {};
  for (const path of resourcePaths(GENERATED))
    addresses[`/${path}`] = `${addressOf(`resources/${path.split('/')[0]!}`)}#${anchor(path)}`;
  const shown = webPages();
  const order = groups.flatMap((group) => group.pages);
  for (const path of order
    .sort((one, other) => Number(isTask(other)) - Number(isTask(one)))
    .reverse())
    for (const { to, section } of pages.get(path)!.links.toReversed())
      if (shown.has(to)) addresses[to] = `${addressOf(path)}${section && `#${section}`}`;
  return addresses;
}

const isTask = (path: string) => path.startsWith('tasks/');

/** Returns the entries of the search: each section of each page. */
function searched(groups: Group[], pages: Map<string, Page>) {
  return [...pages.values()].flatMap((page) =>
    page.sections.map(({ id, title, text }) => ({
      id: `${addressOf(page.path)}${id && `#${id}`}`,
      title,
      page:
        title === page.title
          ? (groups.find((each) => each.pages.includes(page.path))?.title ?? '')
          : page.title,
      text: text.replace(/\s+/g, ' ').trim(),
    })),
  );
}

/** Returns the script and the styles of the manual's own entry. */
function filesOf(bundle: Rolldown.OutputBundle): Files {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
  const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === 'manual');
  if (!entry) throw new Error('The manual has no entry.');
  const needed = [entry.fileName, ...entry.imports];
  const styles = needed.toReversed().flatMap((name) => {
    const chunk = chunks.find((each) => each.fileName === name);
    return [...(chunk?.viteMetadata?.importedCss ?? [])];
  });
  return { script: `/${entry.fileName}`, styles: styles.map((name) => `/${name}`) };
}

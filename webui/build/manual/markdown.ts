import MarkdownIt from 'markdown-it';

import { grouped, WAYS } from './ways.ts';

/** A part of a page below one heading, as the search finds it. */
export interface Section {
  id: string;
  title: string;
  text: string;
}

export interface Rendered {
  title: string;
  html: string;
  sections: Section[];
  links: Link[];
}

/** A link of a page: where it leads, as it is written, and below which heading it stands. */
export interface Link {
  to: string;
  section: string;
}

interface Surroundings {
  /** Returns the address in the manual of a link as it is written. */
  address: (link: string) => string;
  /** Returns a drawing by its name, as SVG. */
  drawing: (name: string) => string;
  /** Returns the element that shows a picture by its name; `text` stands for it where nobody sees it. */
  picture: (name: string, text: string) => string;
}

/** Returns the name by which a heading is linked to. */
export function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Renders a page; its first heading is its title, and is left to the frame. */
export function render(source: string, surroundings: Surroundings): Rendered {
  const links: Link[] = [];
  let section = '';
  const reader = new MarkdownIt();
  const { rules } = reader.renderer;
  const plainLink =
    rules.link_open ?? ((tokens, at, options, _env, self) => self.renderToken(tokens, at, options));
  rules.link_open = (tokens, at, options, env, self) => {
    const link = tokens[at]!.attrGet('href')!;
    links.push({ to: link, section });
    tokens[at]!.attrSet('href', surroundings.address(link));
    return plainLink(tokens, at, options, env, self);
  };
  rules.heading_open = (tokens, at, options, _env, self) => {
    section = tokens[at]!.attrGet('id') ?? '';
    return self.renderToken(tokens, at, options);
  };
  rules.image = (tokens, at) => {
    const token = tokens[at]!;
    const label = reader.utils.escapeHtml(token.content);
    const name = token.attrGet('src')!;
    if (!name.endsWith('.svg')) return surroundings.picture(name, label);
    const svg = surroundings.drawing(name);
    return `<span class="drawing" role="img" aria-label="${label}">${svg}</span>`;
  };
  rules.table_open = () => '<div class="table-scroller" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.fence = (tokens, at) => {
    const { info, content } = tokens[at]!;
    const way = info.trim();
    if (way === 'gui') return reader.render(content);
    const shown = WAYS[way]?.shown(content) ?? content;
    const code = reader.utils.escapeHtml(shown.trimEnd());
    return `<pre class="code" tabindex="0"><code>${code}</code></pre>`;
  };
  reader.core.ruler.push('ways', ({ tokens, Token }) => grouped(tokens, Token));
  return { ...read(reader, source), links };
}

function read(reader: MarkdownIt, source: string): Omit<Rendered, 'links'> {
  const tokens = reader.parse(source, {});
  const sections: Section[] = [];
  let title = '';
  tokens.forEach((token, at) => {
    const text = tokens[at + 1]?.content ?? '';
    if (token.type === 'heading_open') {
      // The stars of a pattern of names are no marks.
      const plain = text.replace(/`|\*(?=\w)|(?<=\w)\*/g, '');
      if (token.tag === 'h1') title = plain;
      const id = token.tag === 'h1' ? '' : anchor(plain);
      if (id) token.attrSet('id', id);
      if (sections.some((each) => each.id === id)) throw new Error(`${title} has "${plain}" twice`);
      sections.push({ id, title: plain, text: '' });
    } else if (token.type === 'inline' || token.type === 'fence') {
      const section = sections.at(-1);
      if (section && tokens[at - 1]?.type !== 'heading_open') section.text += ` ${token.content}`;
    }
  });
  const body = tokens.findIndex((token) => token.type === 'heading_close') + 1;
  return { title, html: reader.renderer.render(tokens.slice(body), reader.options, {}), sections };
}

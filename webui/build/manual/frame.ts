import type { Group } from './contents.ts';
import { addressOf, type Page } from './manual.ts';

/** Addresses of the files that each page loads. */
export interface Files {
  script: string;
  styles: string[];
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const SIGN = `<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32"
  height="32" rx="7" fill="#0b5f73"/><g fill="#fff"><rect x="7" y="7" width="18" height="4.5" rx="1.5"/><rect
  x="7" y="13.75" width="18" height="4.5" rx="1.5" opacity=".8"/><rect x="7" y="20.5" width="18"
  height="4.5" rx="1.5" opacity=".6"/></g></svg>`;

/** Returns a page of HTML: PatternFly's frame around a page of the manual. Nothing is inline script. */
export function framed(
  page: Page,
  groups: Group[],
  pages: Map<string, Page>,
  files: Files,
): string {
  const styles = files.styles
    .map((each) => `<link rel="stylesheet" href="${each}">`)
    .join('\n    ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    ${styles}
    <script type="module" blocking="render" src="${files.script}"></script>
    <title>${escaped(page.title)} - Sanstone manual</title>
  </head>
  <body>
    <div class="pf-v6-c-page manual">
      <a class="skip" href="#page">Skip to the text</a>
      ${masthead()}
      <div class="pf-v6-c-page__sidebar" id="contents">
        <div class="pf-v6-c-page__sidebar-body">
          <nav class="pf-v6-c-nav" aria-label="Contents">${navigation(page, groups, pages)}</nav>
        </div>
      </div>
      <div class="pf-v6-c-page__main-container" tabindex="-1">
        <main class="pf-v6-c-page__main" id="page">
          <article class="text">
            <h1>${escaped(page.title)}</h1>
            ${onThisPage(page)}
            ${page.html}
            ${neighbours(page, groups, pages)}
          </article>
        </main>
      </div>
    </div>
  </body>
</html>
`;
}

function masthead(): string {
  return `<header class="pf-v6-c-masthead pf-m-display-inline">
        <div class="pf-v6-c-masthead__main">
          <button type="button" class="contents-button" aria-controls="contents" aria-expanded="false">Contents</button>
          <a class="sign" href="/docs/" aria-label="Manual">${SIGN}<span class="sign-name">Sanstone manual</span></a>
        </div>
        <div class="pf-v6-c-masthead__content">
          <search class="search">
            <input type="search" class="search-input" placeholder="Search the manual" autocomplete="off"
              aria-label="Search the manual" aria-keyshortcuts="/" aria-controls="found">
            <div class="found" id="found" hidden>
              <p class="found-number" role="status"></p>
              <ul class="found-list"></ul>
            </div>
          </search>
          <label class="appearance">Appearance <select name="theme">
            <option value="system">As the system</option><option value="light">Light</option>
            <option value="dark">Dark</option><option value="contrast">High contrast</option>
          </select></label>
          <a class="array-link" href="/">The array</a>
        </div>
      </header>`;
}

function navigation(page: Page, groups: Group[], pages: Map<string, Page>): string {
  const here = page.path.startsWith('events/') ? 'events' : page.path;
  return groups
    .map(({ title, pages: paths }, at) => {
      const links = paths.map((path) => {
        const current = path === here ? ' pf-m-current" aria-current="page' : '';
        const text = escaped(pages.get(path)!.title);
        return `<li class="pf-v6-c-nav__item"><a class="pf-v6-c-nav__link${current}" href="${addressOf(path)}">${text}</a></li>`;
      });
      return `<section class="pf-v6-c-nav__section" aria-labelledby="group-${at}">
              <h2 class="pf-v6-c-nav__section-title" id="group-${at}">${escaped(title)}</h2>
              <ul class="pf-v6-c-nav__list" role="list">${links.join('')}</ul></section>`;
    })
    .join('\n');
}

function onThisPage({ sections }: Page): string {
  const parts = sections.filter(({ id }) => id);
  if (parts.length < 4 || parts.length > 40) return '';
  const links = parts.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`);
  return `<nav class="on-this-page" aria-label="On this page"><ul>${links.join('')}</ul></nav>`;
}

/** Returns links to the page before and the page after. */
function neighbours(page: Page, groups: Group[], pages: Map<string, Page>): string {
  const order = groups.flatMap(({ pages: paths }) => paths);
  const at = order.indexOf(page.path);
  const link = (path: string | undefined, rel: string, text: string) =>
    path
      ? `<a rel="${rel}" href="${addressOf(path)}">${text}: ${escaped(pages.get(path)!.title)}</a>`
      : '<span></span>';
  if (at < 0) return '';
  return `<nav class="neighbours" aria-label="Neighbours">${link(order[at - 1], 'prev', 'Before')}${link(order[at + 1], 'next', 'Next')}</nav>`;
}

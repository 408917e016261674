/** The search: an index of all sections, built at the first search. */
import MiniSearch, { type SearchResult } from 'minisearch';

interface Section {
  id: string;
  title: string;
  page: string;
  text: string;
}

const FIELDS = ['title', 'page', 'text'];
const MOST = 12;
/** Letters of a text before and after the word that was found in it. */
const BEFORE = 60;
const AFTER = 140;

export function startSearch(): void {
  const input = document.querySelector<HTMLInputElement>('.search-input')!;
  const results = document.querySelector<HTMLElement>('#found')!;
  let index: Promise<MiniSearch<Section>> | undefined;
  input.addEventListener('focus', () => (index ??= load()));
  input.addEventListener('input', async () => {
    const query = input.value;
    const hits = query.trim() ? (await (index ??= load())).search(query) : [];
    if (query === input.value) show(results, hits, query);
  });
  document.addEventListener('keydown', (event) => onKey(event, input, results));
  document.addEventListener('click', ({ target }) => {
    if (!input.closest('search')!.contains(target as Node)) results.hidden = true;
  });
}

async function load(): Promise<MiniSearch<Section>> {
  const index = new MiniSearch<Section>({
    fields: FIELDS,
    storeFields: FIELDS,
    // Words of commands and names of events are found by their parts, and as they are.
    tokenize: (text) => [...text.split(/[\s,;:()`'"|*<>{}/\\]+/), ...text.split(/[^\p{L}\p{N}]+/u)],
    searchOptions: {
      boost: { title: 5, page: 2 },
      prefix: (word) => word.length > 1,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  const answer = await fetch('/docs/search.json');
  if (!answer.ok) throw new Error(`/docs/search.json: ${answer.status}`);
  index.addAll((await answer.json()) as Section[]);
  return index;
}

function show(results: HTMLElement, hits: SearchResult[], query: string): void {
  results.hidden = !query.trim();
  results.querySelector('.found-number')!.textContent =
    hits.length === 1 ? '1 place' : `${hits.length || 'No'} places`;
  const items = hits.slice(0, MOST).map((hit) => {
    const link = document.createElement('a');
    link.href = String(hit.id);
    for (const [name, text] of [
      ['found-title', `${hit['page']} › ${hit['title']}`],
      ['found-text', around(String(hit['text']), hit.terms)],
    ] as const) {
      const part = document.createElement('span');
      part.className = name;
      part.textContent = text;
      link.append(part);
    }
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  results.querySelector('ul')!.replaceChildren(...items);
}

/** Returns the text around the first of the words. */
function around(text: string, words: string[]): string {
  const small = text.toLowerCase();
  const places = words.map((word) => small.indexOf(word)).filter((at) => at >= 0);
  const at = Math.max(Math.min(...places, text.length) - BEFORE, 0);
  return places.length ? text.slice(at, at + BEFORE + AFTER) : text.slice(0, AFTER);
}

function onKey(event: KeyboardEvent, input: HTMLInputElement, results: HTMLElement): void {
  const isTyping = (event.target as HTMLElement).matches('input, select, textarea');
  if (event.key === '/' && !isTyping) {
    input.focus();
    event.preventDefault();
  } else if (event.key === 'Escape' && !results.hidden) {
    results.hidden = true;
    input.focus();
  } else if (/^Arrow(Down|Up)$/.test(event.key) && !results.hidden) {
    const places = [input, ...results.querySelectorAll('a')];
    const at = places.indexOf(event.target as HTMLInputElement);
    if (at < 0) return;
    places[
      Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), places.length - 1)
    ]!.focus();
    event.preventDefault();
  }
}

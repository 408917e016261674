/** Ways to do one thing as tabs. Who chooses a way sees it everywhere, and on the next page. */
import { kept } from '../../src/base/store';

const way = kept('manual.way', 'gui');

export function makeTabs(): void {
  document.querySelectorAll<HTMLElement>('.ways').forEach(makeTabsOf);
}

function makeTabsOf(group: HTMLElement, number: number): void {
  const panels = [...group.querySelectorAll<HTMLElement>(':scope > .way')];
  const list = document.createElement('ul');
  list.className = 'pf-v6-c-tabs__list';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Ways to do it');
  const tabs = panels.map((panel, at) => tabOf(panel, `way-${number}-${at}`));
  tabs.forEach(({ item }) => list.append(item));
  const bar = document.createElement('div');
  bar.className = 'pf-v6-c-tabs pf-m-box-none';
  bar.append(list);
  group.prepend(bar);
  group.classList.add('tabbed');
  const shown = () => show(panels, tabs, way.get());
  way.watch(shown);
  shown();
  list.addEventListener('keydown', (event) => move(event, tabs));
}

interface Tab {
  item: HTMLElement;
  button: HTMLButtonElement;
}

function tabOf(panel: HTMLElement, id: string): Tab {
  const name = panel.dataset['way']!;
  const item = document.createElement('li');
  item.className = 'pf-v6-c-tabs__item';
  item.setAttribute('role', 'presentation');
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'pf-v6-c-tabs__link', id });
  button.textContent = panel.querySelector('.way-title')!.textContent;
  button.setAttribute('role', 'tab');
  button.setAttribute('aria-controls', `${id}-panel`);
  button.addEventListener('click', () => choose(button, name));
  panel.id = `${id}-panel`;
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', id);
  item.append(button);
  return { item, button };
}

/** Chooses a way, and keeps the clicked tab where it is, whatever grows or shrinks above it. */
function choose(button: HTMLButtonElement, name: string): void {
  const before = button.getBoundingClientRect().top;
  way.set(name);
  const moved = button.getBoundingClientRect().top - before;
  button.closest('.pf-v6-c-page__main-container')?.scrollBy(0, moved);
}

/** Shows the panel of a way, the first one where there is none of it. */
function show(panels: HTMLElement[], tabs: Tab[], name: string): void {
  const index = panels.findIndex((panel) => panel.dataset['way'] === name);
  const chosen = Math.max(index, 0);
  panels.forEach((panel, at) => panel.classList.toggle('chosen', at === chosen));
  tabs.forEach(({ item, button }, at) => {
    item.classList.toggle('pf-m-current', at === chosen);
    button.setAttribute('aria-selected', String(at === chosen));
    button.tabIndex = at === chosen ? 0 : -1;
  });
}

function move(event: KeyboardEvent, tabs: Tab[]): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const at = tabs.findIndex(({ button }) => button === event.target);
  const next = tabs[(at + step + tabs.length) % tabs.length]!.button;
  next.click();
  next.focus();
  event.preventDefault();
}

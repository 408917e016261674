import { Modal, ModalVariant } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Page } from '../api/client';
import { useGo } from '../base/address';
import { at, isAction, isBelow, useDeclarations } from '../declarations/declarations';
import { resourceNoun, resourceTitle } from '../declarations/labels';
import { useDisabledReason, useMayRead } from '../session/useSession';
import { navigation } from './navigation';
import { SETTINGS, TASKS } from './tasks';

interface Entry {
  id: string;
  text: string;
  kind: string;
  /** Other words by which it is found. */
  words?: string;
  run: () => void;
  /** Why it cannot be done. */
  reason?: string | undefined;
}

const SEARCH = 'cluster/search';
const MOST = 12;

/** Go to a page or an object, or begin to create something, by typing. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const go = useGo();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const known = useKnown(go);
  const objects = useObjects(useDeferredValue(text.trim()), go);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ text, kind, words: others = '' }: Entry) =>
    words.every((word) => `${kind} ${text} ${others}`.toLowerCase().includes(word));
  const entries = [...objects, ...known.filter(fits)].slice(0, MOST);
  const current = Math.min(chosen, entries.length - 1);

  function run(entry: Entry | undefined) {
    if (!entry || entry.reason) return;
    onClose();
    entry.run();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((current + step + entries.length) % entries.length);
    else if (event.key === 'Enter') run(entries[current]);
    else return;
    event.preventDefault();
  }

  return (
    <Modal
      isOpen
      variant={ModalVariant.medium}
      position="top"
      onClose={onClose}
      aria-label={t('Search or do')}
      className="palette"
    >
      <input
        className="palette-input"
        role="combobox"
        aria-label={t('Search or do')}
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries.length ? `palette-${current}` : undefined}
        placeholder={t('A page, an object, or what to do')}
        autoFocus
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
      />
      <div id="palette-entries" role="listbox" aria-label={t('Found')} className="palette-entries">
        {entries.map((entry, index) => (
          <div
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === current}
            aria-disabled={Boolean(entry.reason)}
            onPointerMove={() => setChosen(index)}
            onClick={() => run(entry)}
          >
            <span className="palette-text">{entry.text}</span>
            <span className="palette-kind">{entry.reason ?? entry.kind}</span>
          </div>
        ))}
      </div>
      {!entries.length && <p className="palette-none">{t('Nothing was found.')}</p>}
    </Modal>
  );
}

type Go = (to: string) => void;

/** An entry that leads to a page. */
const leading = (to: string, text: string, kind: string, more: Partial<Entry>, go: Go): Entry => ({
  id: `${to} ${text}`,
  text,
  kind,
  run: () => go(to),
  ...more,
});

/** Pages, forms of new objects, tasks by their page, and settings of this browser. */
function useKnown(go: Go): Entry[] {
  const { t } = useTranslation();
  const declarations = useDeclarations();
  const mayRead = useMayRead();
  const reason = useDisabledReason();
  return useMemo(() => {
    const top = declarations.resources.filter((each) => !isBelow(each));
    const page = (to: string, text: string) => leading(to, text, t('Page'), {}, go);
    return [
      page('/', t('Dashboard')),
      page('/performance', t('Performance')),
      ...navigation(declarations, mayRead).flatMap(({ pages }) =>
        pages.map(({ text, to }) => page(to, t(text))),
      ),
      ...top
        .filter(({ path }) => mayRead(path))
        .map(({ path }) => page(`/${path}`, resourceTitle(t, path))),
      ...top
        .filter((each) => each.methods.includes('POST') && !isAction(each))
        .map(({ path }) => {
          const text = t('Create {{what}}', { what: resourceNoun(t, path) });
          const more = { reason: reason('POST', path) };
          return leading(`/${path}/~new`, text, t('Action'), more, go);
        }),
      ...TASKS.filter(({ reads }) => mayRead(reads)).map(({ label, words, to }) =>
        leading(to, label(t), t('Task'), { words }, go),
      ),
      ...SETTINGS.map(({ label, words, set }) => ({
        id: label(t),
        text: label(t),
        kind: t('Setting'),
        words,
        run: set,
      })),
    ];
  }, [declarations, mayRead, reason, t, go]);
}

/** Objects of all kinds, by whatever of them the array searches: names, addresses, serial numbers. */
function useObjects(text: string, go: Go): Entry[] {
  const { t } = useTranslation();
  const mayRead = useMayRead();
  const { data } = useQuery({
    queryKey: ['palette', text],
    enabled: text.length > 1 && mayRead(SEARCH),
    queryFn: ({ signal }) =>
      call<Page>(
        'GET',
        SEARCH,
        { query: text, fields: 'kind,name,path,svm.name', max_records: MOST },
        undefined,
        signal,
      ),
  });
  return (data?.records ?? []).map((record) => {
    const svm = at(record, 'svm.name');
    const name = String(record['name']);
    const noun = resourceNoun(t, String(record['kind']));
    // Two SVMs may have a volume of one name.
    const kind = svm && svm !== name ? `${noun} · ${String(svm)}` : noun;
    return leading(`/${String(record['path'])}`, name, kind, {}, go);
  });
}

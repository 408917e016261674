import { Modal, ModalVariant } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Page } from '../api/client';
import { useGo } from '../base/address';
import { isAction, isBelow, useDeclarations } from '../declarations/declarations';
import { resourceNoun, resourceTitle } from '../declarations/labels';
import { useDisabledReason, useMayRead } from '../session/useSession';
import { navigation } from './navigation';

interface Entry {
  text: string;
  kind: string;
  to: string;
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
  const known = useKnown();
  const objects = useObjects(useDeferredValue(text.trim()));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ text, kind }: Entry) =>
    words.every((word) => `${kind} ${text}`.toLowerCase().includes(word));
  const entries = [...objects, ...known.filter(fits)].slice(0, MOST);
  const current = Math.min(chosen, entries.length - 1);

  function run(entry: Entry | undefined) {
    if (!entry || entry.reason) return;
    onClose();
    go(entry.to);
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
            key={entry.to}
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

/** Pages, and what can be created. */
function useKnown(): Entry[] {
  const { t } = useTranslation();
  const declarations = useDeclarations();
  const mayRead = useMayRead();
  const reason = useDisabledReason();
  return useMemo(() => {
    const top = declarations.resources.filter((each) => !isBelow(each));
    const page = t('Page');
    return [
      { text: t('Dashboard'), kind: page, to: '/' },
      { text: t('Performance'), kind: page, to: '/performance' },
      ...navigation(declarations, mayRead).flatMap(({ pages }) =>
        pages.map(({ text, to }) => ({ text: t(text), kind: page, to })),
      ),
      ...top
        .filter(({ path }) => mayRead(path))
        .map(({ path }) => ({ text: resourceTitle(t, path), kind: page, to: `/${path}` })),
      ...top
        .filter((each) => each.methods.includes('POST') && !isAction(each))
        .map(({ path }) => ({
          text: t('Create {{what}}', { what: resourceNoun(t, path) }),
          kind: t('Action'),
          to: `/${path}/~new`,
          reason: reason('POST', path),
        })),
    ];
  }, [declarations, mayRead, reason, t]);
}

/** Objects of all kinds, by whatever of them the array searches: names, addresses, serial numbers. */
function useObjects(text: string): Entry[] {
  const { t } = useTranslation();
  const mayRead = useMayRead();
  const { data } = useQuery({
    queryKey: ['palette', text],
    enabled: text.length > 1 && mayRead(SEARCH),
    queryFn: ({ signal }) =>
      call<Page>('GET', SEARCH, { query: text, max_records: MOST }, undefined, signal),
  });
  return (data?.records ?? []).map((record) => ({
    text: String(record['name']),
    kind: resourceNoun(t, String(record['kind'])),
    to: `/${String(record['path'])}`,
  }));
}

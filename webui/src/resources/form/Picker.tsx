import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Page } from '../../api/client';
import { anywhere } from '../../api/search';
import { at, type Node, useDeclarations } from '../../declarations/declarations';
import { resourceNoun } from '../../declarations/labels';
import type { Chosen, Values } from './values';

interface Props {
  node: Node;
  label: string;
  id: string;
  values: Values;
  isInvalid: boolean;
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen | undefined) => void;
}

const MOST = 30;

/** Finds an object by typing part of its name. */
export function Picker({ node, label, id, values, isInvalid, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState<string>();
  const [current, setCurrent] = useState(0);
  const resource = useDeclarations().find(node.to ?? '');
  const sought = useDeferredValue(text?.trim() ?? '');
  const svm = node.to === 'svm/svms' ? undefined : (values['svm'] as Chosen | undefined);
  const inSvm = resource?.fields.some(({ name }) => name === 'svm');
  const isOpen = text !== undefined;
  const { data, isError } = useQuery({
    queryKey: ['pick', node.to, sought, svm?.name],
    enabled: isOpen && Boolean(resource),
    queryFn: ({ signal }) =>
      call<Page>(
        'GET',
        node.to!,
        {
          ...(sought && { name: anywhere(sought) }),
          ...(inSvm && svm && { 'svm.name': svm.name }),
          fields: inSvm ? 'name,svm.name' : 'name',
          max_records: MOST,
        },
        undefined,
        signal,
      ),
  });
  const records = data?.records ?? [];

  function choose(index: number) {
    const record = records[index];
    if (!record) return;
    onChoose({ name: String(record['name']), uuid: String(record['uuid']) });
    setText(undefined);
  }

  function leave() {
    if (text !== undefined) {
      const known = records.find((record) => record['name'] === text.trim());
      if (known) onChoose({ name: String(known['name']), uuid: String(known['uuid']) });
      else if (text !== (chosen?.name ?? ''))
        onChoose(text.trim() ? { name: text.trim() } : undefined);
    }
    setText(undefined);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      if (!isOpen) setText(chosen?.name ?? '');
      else if (records.length) setCurrent((current + step + records.length) % records.length);
    } else if (event.key === 'Enter' && isOpen && records.length) choose(current);
    else if (event.key === 'Escape' && isOpen) setText(undefined);
    else return;
    event.preventDefault();
  }

  return (
    <div className="picker">
      <input
        id={id}
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-records`}
        aria-autocomplete="list"
        aria-invalid={isInvalid}
        aria-describedby={`${id}-help`}
        aria-activedescendant={isOpen && records.length ? `${id}-${current}` : undefined}
        autoComplete="off"
        placeholder={resource ? resourceNoun(t, resource.path) : ''}
        value={text ?? chosen?.name ?? ''}
        onFocus={() => setText(chosen?.name === undefined ? '' : undefined)}
        onClick={() => setText(text ?? chosen?.name ?? '')}
        onBlur={leave}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value);
          setCurrent(0);
        }}
      />
      <div id={`${id}-records`} role="listbox" aria-label={label} hidden={!isOpen}>
        {isOpen &&
          records.map((record, index) => (
            <div
              key={String(record['uuid'])}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              // Before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(index);
              }}
            >
              <span>{String(record['name'])}</span>
              {inSvm && (
                <span className="palette-kind">{String(at(record, 'svm.name') ?? '')}</span>
              )}
            </div>
          ))}
        {isOpen && !records.length && (
          <div role="option" aria-selected="false" aria-disabled="true">
            {isError
              ? t('They could not be loaded.')
              : data
                ? t('Nothing was found.')
                : t('Loading')}
          </div>
        )}
      </div>
    </div>
  );
}

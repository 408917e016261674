import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { call, type Json, type Page, type Query } from '../../api/client';
import { every, followed } from '../../base/activity';
import { type Changed, onChanges } from '../../changes/changes';
import { at, ownKeys } from '../../declarations/declarations';
import type { Place } from '../../declarations/place';
import { effects, keyOf, type Pages, replaced } from './rows';

interface List {
  place: Place;
  queryKey: readonly unknown[];
  query: Query;
  records: readonly Json[];
  /** Read the loaded pages again. */
  refetch: () => unknown;
}

/** Seconds between two looks at the figures of the rows in view, which are in no change. */
const FIGURES = 60;
/** A key that the array's query language takes as it is. */
const PLAIN = /^(?!.*\.\.)[\w:.@/-]+$/;

/**
 * Keep the rows of a list as the array has them: changed rows in view are read again
 * by their keys, and the others when they come into view. Pages are not read again, but for a list
 * that has one. Return how many objects are new, of a list of several pages; and a function to call
 * with the rows that are in view.
 */
export function useFreshRows(list: List): {
  others: number;
  onVisible: (records: readonly Json[]) => void;
  forget: () => void;
} {
  const client = useQueryClient();
  const latest = useRef(list);
  const visible = useRef<readonly Json[]>([]);
  const outdated = useRef(new Set<string>());
  const [others, setOthers] = useState(0);
  useEffect(() => {
    latest.current = list;
  });

  /** Read the rows with some keys again, in one request. */
  async function read(keys: ReadonlySet<string>): Promise<void> {
    const { place, queryKey, query, refetch } = latest.current;
    const own = ownKeys(place.resource);
    const affected = visible.current.filter((record) => keys.has(keyOf(place, record)));
    if (!affected.length) return;
    const [name = ''] = own;
    const texts = affected.map((record) => String(at(record, name)));
    if (own.length !== 1 || name in query || !texts.every((text) => PLAIN.test(text))) {
      // Its rows cannot be read together.
      if (isOnePage()) void refetch();
      return;
    }
    const { order_by: _order, max_records: _most, ...rest } = query;
    const { records } = await call<Page>('GET', place.collection, {
      ...rest,
      [name]: texts.join('|'),
    });
    const requested = new Set(affected.map((record) => keyOf(place, record)));
    const read = new Map(records.map((record) => [keyOf(place, record), record]));
    change((key, record) => (requested.has(key) ? read.get(key) : record), queryKey);
  }

  function change(
    next: (key: string, record: Json) => Json | undefined,
    queryKey = latest.current.queryKey,
  ): void {
    const { place } = latest.current;
    client.setQueryData<Pages>(
      queryKey,
      (pages) => pages && replaced(pages, (record) => keyOf(place, record), next),
    );
  }

  function isOnePage(): boolean {
    const pages = client.getQueryData<Pages>(latest.current.queryKey)?.pages ?? [];
    return pages.length === 1 && !pages[0]?._links?.next;
  }

  function readOutdated(): void {
    if (!outdated.current.size) return;
    const { place } = latest.current;
    const shown = new Set(visible.current.map((record) => keyOf(place, record)));
    const due = new Set([...outdated.current].filter((key) => shown.has(key)));
    for (const key of due) outdated.current.delete(key);
    if (due.size) void read(due).catch(() => due.forEach((key) => outdated.current.add(key)));
  }

  const hear = useEffectEvent((all: readonly Changed[]) => {
    const { place, records, refetch } = latest.current;
    const loaded = new Set(records.map((record) => keyOf(place, record)));
    const parts = ownKeys(place.resource).length;
    const { changed, gone, others } = effects(place.collection, parts, loaded, all);
    if (others && isOnePage()) {
      void refetch();
      return;
    }
    if (gone.size) change((key, record) => (gone.has(key) ? undefined : record));
    if (gone.size || others)
      void client.invalidateQueries({ queryKey: ['count', place.collection] });
    setOthers((before) => before + others);
    for (const key of changed) outdated.current.add(key);
    readOutdated();
  });
  useEffect(() => onChanges((all) => hear(all)), []);

  const look = useEffectEvent(() => {
    const { place } = latest.current;
    if (document.hidden || !followed.get() || every(FIGURES) === false) return;
    // Rows that could not be read stay as they were, and are tried again.
    void read(new Set(visible.current.map((record) => keyOf(place, record)))).catch(
      () => undefined,
    );
  });
  useEffect(() => {
    const timer = setInterval(() => look(), FIGURES * 1000);
    return () => clearInterval(timer);
  }, []);

  return {
    others,
    onVisible: (records) => {
      visible.current = records;
      readOutdated();
    },
    forget: () => {
      outdated.current.clear();
      setOthers(0);
    },
  };
}

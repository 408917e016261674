import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { useGo } from '../../base/address';
import { useKeys } from '../../base/keys';
import { PageLink } from '../../base/PageLink';
import { useStore } from '../../base/store';
import { nameIn } from '../../declarations/names';
import { apiPath, keysOf, objectPage, type Place } from '../../declarations/place';
import { density } from '../../theme/theme';
import type { Column } from './columns';

interface Props {
  place: Place;
  columns: readonly Column[];
  records: readonly Json[];
  total: number;
  isStale: boolean;
  order: string;
  onOrder: (order: string) => void;
  chosen: ReadonlyMap<string, Json>;
  onChoose: (chosen: ReadonlyMap<string, Json>) => void;
  /** Called with the rows that are in view. */
  onVisible: (records: readonly Json[]) => void;
  onEnd: () => void;
}

const CHECKBOX = 36;
const BEYOND = 8;

/** The rows of a list, of which only those in view are in the document. */
export function Table(props: Props) {
  const { columns, records, chosen, onChoose, place } = props;
  const { t } = useTranslation();
  const go = useGo();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useStore(density) === 'comfortable' ? 36 : 28;
  const [current, setCurrent] = useState(-1);
  const { methods } = place.resource;
  const mayChoose = methods.includes('DELETE') || methods.includes('PATCH');
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: BEYOND,
  });
  const rows = virtual.getVirtualItems();
  const above = rows[0]?.start ?? 0;
  const beneath = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const onEnd = useEffectEvent(props.onEnd);
  useEffect(() => {
    if (last >= records.length - BEYOND) onEnd();
  }, [last, records.length]);

  const first = rows[0]?.index ?? 0;
  const onVisible = useEffectEvent(props.onVisible);
  useEffect(() => {
    onVisible(records.slice(first, last + 1));
  }, [first, last, records]);

  function pageOf(record: Json): string | undefined {
    const keys = keysOf(place.resource, record, place.keys);
    return keys && objectPage(place.resource, keys);
  }

  function toggle(record: Json) {
    const key = apiPath(place.collection, place.resource, record);
    const next = new Map(chosen);
    if (!next.delete(key)) next.set(key, record);
    onChoose(next);
  }

  useKeys((key) => {
    const step = { j: 1, k: -1 }[key];
    const record = records[current];
    if (step) {
      const next = Math.max(0, Math.min(records.length - 1, current + step));
      setCurrent(next);
      virtual.scrollToIndex(next);
    } else if (key === 'x' && record && mayChoose) toggle(record);
    else if (key === 'Enter' && record && document.activeElement?.tagName !== 'A') {
      const page = pageOf(record);
      if (page) go(page);
    } else return false;
    return true;
  });

  const allChosen = records.length > 0 && chosen.size === records.length;
  const width = columns.reduce((sum, column) => sum + column.width, mayChoose ? CHECKBOX : 0);
  return (
    <div
      className={`table-scroller${props.isStale ? ' is-stale' : ''}`}
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={t('Rows')}
    >
      <table className="table" style={{ minWidth: width }} aria-rowcount={props.total + 1}>
        <colgroup>
          {mayChoose && <col style={{ width: CHECKBOX }} />}
          {columns.map((column) => (
            <col key={column.name} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {mayChoose && (
              <td>
                <input
                  type="checkbox"
                  aria-label={t('Select all rows')}
                  checked={allChosen}
                  onChange={() =>
                    onChoose(
                      allChosen
                        ? new Map()
                        : new Map(
                            records.map((each) => [
                              apiPath(place.collection, place.resource, each),
                              each,
                            ]),
                          ),
                    )
                  }
                />
              </td>
            )}
            {columns.map((column) => (
              <Head key={column.name} column={column} order={props.order} onOrder={props.onOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={above} />
          {rows.map(({ index }) => {
            const record = records[index]!;
            const page = pageOf(record);
            const key = apiPath(place.collection, place.resource, record);
            return (
              <tr
                key={key}
                aria-rowindex={index + 2}
                aria-selected={mayChoose ? chosen.has(key) : undefined}
                className={index === current ? 'is-current' : undefined}
                onClick={(event) => page && isPlain(event) && go(page)}
              >
                {mayChoose && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={t('Select {{name}}', { name: nameIn(record) })}
                      checked={chosen.has(key)}
                      onChange={() => toggle(record)}
                    />
                  </td>
                )}
                {columns.map((column, position) => (
                  <Cell
                    key={column.name}
                    column={column}
                    record={record}
                    page={position === 0 ? page : undefined}
                  />
                ))}
              </tr>
            );
          })}
          <Space height={beneath} />
        </tbody>
      </table>
    </div>
  );
}

const isPlain = ({ target, ctrlKey, metaKey }: MouseEvent) =>
  !ctrlKey &&
  !metaKey &&
  target instanceof Element &&
  !target.closest('a, button, input') &&
  !getSelection()?.toString();

function Cell({
  column,
  record,
  page,
}: {
  column: Column;
  record: Json;
  page: string | undefined;
}) {
  const isName = page && !['reference', 'references', 'items'].includes(column.node?.kind ?? '');
  return (
    <td className={column.isNumber ? 'is-number' : undefined} title={column.text(record)}>
      {isName ? <PageLink to={page}>{column.cell(record)}</PageLink> : column.cell(record)}
    </td>
  );
}

function Head(props: { column: Column; order: string; onOrder: (order: string) => void }) {
  const { column, order, onOrder } = props;
  const [name, direction] = order.split(' ');
  const isSorted = name === column.order;
  const isDescending = direction === 'desc';
  const next = !isSorted ? column.order : isDescending ? '' : `${column.order} desc`;
  return (
    <th
      scope="col"
      className={column.isNumber ? 'is-number' : undefined}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" onClick={() => onOrder(next)}>
        {column.label}
        {isSorted && (
          <span aria-hidden="true" className="sort">
            {isDescending ? '▼' : '▲'}
          </span>
        )}
      </button>
    </th>
  );
}

const Space = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className="space">
      <td style={{ height }} />
    </tr>
  ) : null;

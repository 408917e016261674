import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import type { Method } from '../../api/method';
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

/** The rows of a list; only those in view are in the document. */
export function Table(props: Props) {
  const { columns, records, place } = props;
  const { t } = useTranslation();
  const go = useGo();
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, above, beneath, scrollTo } = useRowsInView(scroller, props);
  const mayChoose = ['DELETE', 'PATCH'].some((method) =>
    place.resource.methods.includes(method as Method),
  );
  const choice = { ...props, mayChoose };
  const current = useCurrentRow(choice, scrollTo);
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
        <Heads {...choice} />
        <tbody>
          <Space height={above} />
          {rows.map(({ index }) => (
            <Row
              key={keyOf(place, records[index]!)}
              {...choice}
              record={records[index]!}
              index={index}
              isCurrent={index === current}
              onOpen={go}
            />
          ))}
          <Space height={beneath} />
        </tbody>
      </table>
    </div>
  );
}

/** Which rows are in view, and the heights of the spaces for those above and beneath. */
function useRowsInView(
  scroller: RefObject<HTMLDivElement | null>,
  props: Pick<Props, 'records' | 'onEnd' | 'onVisible'>,
) {
  const { records } = props;
  const rowHeight = useStore(density) === 'comfortable' ? 36 : 28;
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: BEYOND,
  });
  const rows = virtual.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? -1];
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const onEnd = useEffectEvent(props.onEnd);
  useEffect(() => {
    if (last >= records.length - BEYOND) onEnd();
  }, [last, records.length]);
  const onVisible = useEffectEvent(props.onVisible);
  useEffect(() => {
    onVisible(records.slice(first, last + 1));
  }, [first, last, records]);
  return {
    rows,
    above: rows[0]?.start ?? 0,
    beneath: virtual.getTotalSize() - (rows.at(-1)?.end ?? 0),
    scrollTo: (index: number) => virtual.scrollToIndex(index),
  };
}

interface Choice extends Props {
  /** Whether rows can be chosen, since something can be done to them. */
  mayChoose: boolean;
}

/** Return the number of the row that keys go to, -1 before any did. */
function useCurrentRow(choice: Choice, scrollTo: (index: number) => void): number {
  const { records, place, mayChoose } = choice;
  const go = useGo();
  const [current, setCurrent] = useState(-1);
  useKeys((key) => {
    const step = { j: 1, k: -1 }[key];
    const record = records[current];
    if (step) {
      const next = Math.max(0, Math.min(records.length - 1, current + step));
      setCurrent(next);
      scrollTo(next);
    } else if (key === 'x' && record && mayChoose) toggle(choice, record);
    else if (key === 'Enter' && record && document.activeElement?.tagName !== 'A') {
      const page = pageOf(place, record);
      if (page) go(page);
    } else return false;
    return true;
  });
  return current;
}

const keyOf = ({ collection, resource }: Place, record: Json) =>
  apiPath(collection, resource, record);

function pageOf({ resource, keys: above }: Place, record: Json): string | undefined {
  const keys = keysOf(resource, record, above);
  return keys && objectPage(resource, keys);
}

function toggle({ place, chosen, onChoose }: Props, record: Json): void {
  const key = keyOf(place, record);
  const next = new Map(chosen);
  if (!next.delete(key)) next.set(key, record);
  onChoose(next);
}

function Heads({ columns, order, onOrder, mayChoose, ...props }: Choice) {
  const { t } = useTranslation();
  const { place, records, chosen, onChoose } = props;
  const allChosen = records.length > 0 && chosen.size === records.length;
  const all = () => new Map(records.map((each) => [keyOf(place, each), each]));
  return (
    <thead>
      <tr aria-rowindex={1}>
        {mayChoose && (
          <td>
            <input
              type="checkbox"
              aria-label={t('Select all rows')}
              checked={allChosen}
              onChange={() => onChoose(allChosen ? new Map() : all())}
            />
          </td>
        )}
        {columns.map((column) => (
          <Head key={column.name} column={column} order={order} onOrder={onOrder} />
        ))}
      </tr>
    </thead>
  );
}

interface RowProps extends Choice {
  record: Json;
  index: number;
  isCurrent: boolean;
  onOpen: (page: string) => void;
}

function Row({ record, index, isCurrent, onOpen, ...choice }: RowProps) {
  const { t } = useTranslation();
  const { place, columns, chosen, mayChoose } = choice;
  const page = pageOf(place, record);
  const isChosen = chosen.has(keyOf(place, record));
  return (
    <tr
      aria-rowindex={index + 2}
      aria-selected={mayChoose ? isChosen : undefined}
      className={isCurrent ? 'is-current' : undefined}
      onClick={(event) => page && isPlain(event) && onOpen(page)}
    >
      {mayChoose && (
        <td>
          <input
            type="checkbox"
            aria-label={t('Select {{name}}', { name: nameIn(record) })}
            checked={isChosen}
            onChange={() => toggle(choice, record)}
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

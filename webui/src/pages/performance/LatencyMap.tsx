import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { useStore } from '../../base/store';
import { formatTime } from '../../base/times';
import { theme } from '../../theme/theme';
import {
  bucketsOf,
  countIn,
  HISTOGRAM,
  type Range,
  rangesOf,
  rangeText,
  strength,
} from './buckets';
import { clock, momentsOf } from './clock';
import { Figures } from './Figures';
import { figure } from './figures';
import { samplesQuery } from './samples';

const HEIGHT = 200;
const LEFT = 72;
const BOTTOM = 24;
/** Pixels between two times of the axis at least. */
const APART = 90;
const NONE: Json[] = [];

/** How many operations took how long: time goes right, latency up, more operations are stronger. */
export function LatencyMap({ collection, span }: { collection: string; span: string }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const canvas = useRef<HTMLCanvasElement>(null);
  const chosenTheme = useStore(theme);
  const [pointed, setPointed] = useState('');
  const fields = `timestamp,${HISTOGRAM}`;
  const { data: records = NONE, isSuccess } = useQuery(samplesQuery(collection, span, fields));
  const moments = useMemo(() => momentsOf(records), [records]);
  const ranges = useMemo(() => rangesOf(records), [records]);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const draw = () => paint(element, records, moments, ranges, language);
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    draw();
    return () => observer.disconnect();
  }, [records, moments, ranges, language, chosenTheme]);

  function point(event: PointerEvent<HTMLCanvasElement>) {
    const { left, top, width } = event.currentTarget.getBoundingClientRect();
    const column = Math.floor(((event.clientX - left - LEFT) / (width - LEFT)) * records.length);
    const row = Math.floor(((event.clientY - top) / (HEIGHT - BOTTOM)) * ranges.length);
    const range = ranges[ranges.length - 1 - row];
    const record = records[column];
    if (!range || !record) return setPointed('');
    const count = countIn(record, range);
    const number = new Intl.NumberFormat(language).format(count);
    const time = formatTime(String(record['timestamp']), language);
    setPointed(`${time}, ${rangeText(range, language)}: ${t('{{number}} operations', { number })}`);
  }

  const title = t('Distribution of latency');
  return (
    <section className="card chart chart-wide" aria-label={title}>
      <h2>{title}</h2>
      {isSuccess && ranges.length === 0 ? (
        <p style={{ height: HEIGHT }}>{t('Nothing was read or written in this span.')}</p>
      ) : (
        <canvas
          ref={canvas}
          className="latency-map"
          style={{ height: HEIGHT }}
          aria-hidden="true"
          onPointerMove={point}
          onPointerLeave={() => setPointed('')}
        />
      )}
      <p className="latency-map-legend">
        {pointed || t('Reads and writes together; the stronger, the more operations.')}
      </p>
      <Figures
        title={title}
        moments={moments}
        columns={ranges.map((range) => ({
          label: rangeText(range, language),
          values: records.map((record) => figure(countIn(record, range), 'count', language)),
        }))}
      />
    </section>
  );
}

function paint(
  element: HTMLCanvasElement,
  records: readonly Json[],
  moments: number[],
  ranges: Range[],
  language: string,
) {
  const context = element.getContext('2d');
  if (!context) return;
  const [width, scale] = [element.clientWidth, window.devicePixelRatio];
  element.width = width * scale;
  element.height = HEIGHT * scale;
  context.scale(scale, scale);
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const [across, up] = [
    (width - LEFT) / (records.length || 1),
    (HEIGHT - BOTTOM) / (ranges.length || 1),
  ];
  const most = Math.max(1, ...records.flatMap((each) => bucketsOf(each).map(({ count }) => count)));
  const left = (column: number) => Math.round(LEFT + column * across);
  const top = (row: number) => Math.round(HEIGHT - BOTTOM - (row + 1) * up);

  context.fillStyle = token('--sanstone-chart-read');
  for (const [column, record] of records.entries())
    for (const [row, range] of ranges.entries()) {
      context.globalAlpha = strength(countIn(record, range), most);
      context.fillRect(
        left(column),
        top(row),
        left(column + 1) - left(column),
        top(row - 1) - top(row),
      );
    }
  context.globalAlpha = 1;

  context.font = `11px ${getComputedStyle(element).fontFamily}`;
  context.fillStyle = getComputedStyle(element).color;
  context.strokeStyle = token('--pf-t--global--border--color--default');
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const [row, { over }] of ranges.entries()) {
    const bottom = top(row - 1);
    line(context, LEFT, bottom, width, bottom);
    context.fillText(
      figure(over, 'microseconds', language),
      LEFT - 6,
      Math.min(bottom, HEIGHT - BOTTOM - 6),
    );
  }
  context.textAlign = 'center';
  const step = Math.max(1, Math.ceil(APART / across));
  for (let column = step; column < records.length; column += step) {
    line(context, left(column), HEIGHT - BOTTOM, left(column), HEIGHT - BOTTOM + 4);
    context.fillText(
      clock(moments[column]!, moments, language),
      left(column),
      HEIGHT - BOTTOM / 2 + 3,
    );
  }
}

function line(context: CanvasRenderingContext2D, ...ends: [number, number, number, number]) {
  const [x1, y1, x2, y2] = ends;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

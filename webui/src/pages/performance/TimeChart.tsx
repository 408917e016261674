import 'uplot/dist/uPlot.min.css';

import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import UPlot from 'uplot';

import type { Json } from '../../api/client';
import { fieldLabel } from '../../resources/labels';
import { formatTime } from '../../resources/times';
import { PageLink } from '../../shell/PageLink';
import { useStore } from '../../shell/store';
import { theme } from '../../theme/theme';
import { figure } from './figures';
import { type Chart, series } from './samples';

const HEIGHT = 170;
const ROWS = 20;
/** What the height of a chart is at least, so that nothing looks like much. */
const LEAST: Record<Chart['unit'], number> = {
  count: 10,
  bytes: 10 * 1024,
  microseconds: 1000,
  percent: 100,
};
/** Steps of an axis of bytes. */
const POWERS = Array.from({ length: 45 }, (_none, power) => 2 ** power);
const DAY = 86_400;
const COLOURS = ['--sanstone-chart-read', '--sanstone-chart-write'];

/** Lines over time, and the latest of the same figures as a table. */
export function TimeChart({
  chart,
  records,
  to,
}: {
  chart: Chart;
  records: readonly Json[];
  /** Where the title leads. */
  to?: string;
}) {
  const { t, i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const chosenTheme = useStore(theme);
  const { language } = i18n;
  const lines = chart.fields.map((field) => series(records, field));
  const labels = chart.fields.map((field) => fieldLabel(t, field.split('.').at(-1)!));

  // uPlot draws on a canvas and knows no tokens: it is made anew with the theme and the language.
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const style = getComputedStyle(document.documentElement);
    const token = (name: string) => style.getPropertyValue(name).trim();
    const font = `11px ${getComputedStyle(element).fontFamily}`;
    const stroke = getComputedStyle(element).color;
    const grid = { stroke: token('--pf-t--global--border--color--default'), width: 1 };
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        cursor: { sync: { key: 'performance' }, drag: { x: true, y: false } },
        scales: {
          y: { range: (_plot, _least, most) => [0, 1.1 * Math.max(most, LEAST[chart.unit])] },
        },
        axes: [
          {
            font,
            stroke,
            grid,
            ticks: grid,
            values: (_plot, moments) => moments.map((moment) => clock(moment, records, language)),
          },
          {
            font,
            stroke,
            grid,
            ticks: grid,
            size: 72,
            ...(chart.unit === 'bytes' && { incrs: POWERS }),
            values: (_plot, values) => values.map((value) => figure(value, chart.unit, language)),
          },
        ],
        series: [
          { label: t('Time') },
          ...labels.map((label, index) => ({
            label,
            stroke: token(COLOURS[index]!),
            width: 1.5,
            points: { show: false },
            ...(index > 0 && { dash: [5, 3] }),
            value: (_plot: UPlot, value: number | null) => figure(value, chart.unit, language),
          })),
        ],
      },
      [times(records), ...lines],
      element,
    );
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [records, chart, chosenTheme, language]);

  const latest = records.slice(-ROWS).map((record, index) => ({
    time: String(record['timestamp']),
    values: lines.map((line) => line[line.length - Math.min(ROWS, records.length) + index]),
  }));
  return (
    <section className="card chart" aria-label={t(chart.title)}>
      <h2>{to ? <PageLink to={to}>{t(chart.title)}</PageLink> : t(chart.title)}</h2>
      <div ref={box} aria-hidden="true" />
      <details>
        <summary>{t('Figures')}</summary>
        <div
          className="figures-scroller"
          tabIndex={0}
          role="region"
          aria-label={`${t('Figures')}: ${t(chart.title)}`}
        >
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('Time')}</th>
                {labels.map((label) => (
                  <th key={label} scope="col" className="is-number">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {latest.toReversed().map(({ time, values }) => (
                <tr key={time}>
                  <td>{formatTime(time, language)}</td>
                  {values.map((value, index) => (
                    <td key={index} className="is-number">
                      {figure(value, chart.unit, language)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

const times = (records: readonly Json[]) =>
  records.map((record) => Date.parse(String(record['timestamp'])) / 1000);

/** A moment on the axis: its time, or over more than a day its date. */
function clock(moment: number, records: readonly Json[], language: string): string {
  const all = times(records);
  const isLong = (all.at(-1) ?? 0) - (all[0] ?? 0) > DAY;
  const form: Intl.DateTimeFormatOptions = isLong
    ? { day: 'numeric', month: 'short' }
    : { hour: '2-digit', minute: '2-digit' };
  return new Intl.DateTimeFormat(language, form).format(1000 * moment);
}

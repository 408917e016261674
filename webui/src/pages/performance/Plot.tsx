import 'uplot/dist/uPlot.min.css';

import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import UPlot from 'uplot';

import { useStore } from '../../base/store';
import { theme } from '../../theme/theme';
import { clock, isLong } from './clock';
import { Figures } from './Figures';
import { figure, type Unit } from './figures';

const HEIGHT = 170;
/** The least height of a chart's scale, so that small values look small. */
const LEAST: Record<Unit, number> = {
  count: 10,
  bytes: 10 * 1024,
  size: 1024 ** 2,
  microseconds: 1000,
  percent: 100,
};
/** Steps of an axis of dates. */
const DAYS = [1, 2, 5, 7, 14, 30, 60, 90].map((days) => 86_400 * days);
/** Steps of an axis of bytes. */
const POWERS = Array.from({ length: 60 }, (_none, power) => 2 ** power);

export interface Line {
  label: string;
  values: (number | null)[];
  /** The token of its colour. */
  colour: string;
  dash?: number[];
  /** Whether it goes on over moments without a value. */
  spans?: boolean;
}

interface Props {
  title: string;
  unit: Unit;
  /** Seconds since 1970, in order. They and `lines` are drawn anew when they are others. */
  moments: number[];
  lines: Line[];
  /** How many of the moments are in the table; those after are ahead. */
  past?: number;
  /** Charts with the same key have one cursor. */
  cursor?: string;
}

/** Lines over time, and the latest of the same figures as a table. */
export function Plot({ title, unit, moments, lines, past = moments.length, cursor }: Props) {
  const { t, i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const chosenTheme = useStore(theme);
  const { language } = i18n;

  // uPlot draws on a canvas and knows no tokens: a new theme or language needs a new plot.
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
        cursor: {
          ...(cursor && { sync: { key: cursor } }),
          drag: { x: true, y: false },
        },
        scales: {
          y: { range: (_plot, _least, most) => [0, 1.1 * Math.max(most, LEAST[unit])] },
        },
        axes: [
          {
            font,
            stroke,
            grid,
            ticks: grid,
            ...(isLong(moments) && { incrs: DAYS }),
            values: (_plot, ticks) => ticks.map((moment) => clock(moment, moments, language)),
          },
          {
            font,
            stroke,
            grid,
            ticks: grid,
            size: 72,
            ...((unit === 'bytes' || unit === 'size') && { incrs: POWERS }),
            values: (_plot, values) => values.map((value) => figure(value, unit, language)),
          },
        ],
        series: [
          { label: t('Time') },
          ...lines.map(({ label, colour, dash, spans }) => ({
            label,
            stroke: token(colour),
            width: 1.5,
            points: { show: false },
            ...(dash && { dash }),
            spanGaps: spans ?? false,
            value: (_plot: UPlot, value: number | null) => figure(value, unit, language),
          })),
        ],
      },
      [moments, ...lines.map(({ values }) => values)],
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
  }, [moments, lines, unit, cursor, chosenTheme, language, t]);

  return (
    <>
      <div ref={box} aria-hidden="true" />
      <Figures
        title={title}
        moments={moments.slice(0, past)}
        columns={lines.map(({ label, values }) => ({
          label,
          values: values.slice(0, past).map((value) => figure(value, unit, language)),
        }))}
      />
    </>
  );
}

/** The figures of one thing over time, as the array keeps them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { call, type Json, type Page } from '../../api/client';
import { every } from '../../base/activity';
import { at } from '../../declarations/declarations';
import type { Unit } from './figures';

export const SPANS = ['1h', '1d', '1w', '1m', '1y'] as const;

export interface Chart {
  title: string;
  unit: Unit;
  /** Fields, each a line. */
  fields: string[];
}

const CHARTS: Chart[] = [
  { title: 'Operations per second', unit: 'count', fields: ['iops.read', 'iops.write'] },
  { title: 'Throughput', unit: 'bytes', fields: ['throughput.read', 'throughput.write'] },
  { title: 'Latency', unit: 'microseconds', fields: ['latency.read', 'latency.write'] },
  {
    title: 'Percentiles of latency',
    unit: 'microseconds',
    fields: ['latency.percentile.p50', 'latency.percentile.p95', 'latency.percentile.p99'],
  },
  { title: 'Processor', unit: 'percent', fields: ['processor_utilization'] },
];

/** The samples that have figures. */
export function chartsOf(fields: readonly string[]): Chart[] {
  return CHARTS.filter((chart) => chart.fields.every((field) => fields.includes(field)));
}

export function samplesQuery(collection: string, span: string, fields = '*') {
  return queryOptions<Json[]>({
    queryKey: ['samples', collection, span, fields],
    queryFn: ({ signal }) =>
      call<Page>('GET', collection, { interval: span, fields }, undefined, signal).then(
        ({ records }) => records,
      ),
    // Another span takes the place of the one before when it is there.
    placeholderData: keepPreviousData,
    refetchInterval: () => every(span === '1h' ? 15 : 120),
  });
}

/** The values of a field; where nothing was done there is no latency, which is a gap. */
export function series(records: readonly Json[], field: string): (number | null)[] {
  const operations = /^latency\.\w+$/.test(field) ? field.replace('latency', 'iops') : undefined;
  return records.map((record) => {
    const isIdle = operations && !at(record, operations);
    const value = at(record, field);
    return isIdle || typeof value !== 'number' ? null : value;
  });
}

/** Operations by how long they took, interval by interval. */
import type { Json } from '../../api/client';
import { at } from '../../declarations/declarations';
import { figure } from './figures';

export const HISTOGRAM = 'latency.histogram';

export interface Bucket {
  over: number;
  up_to?: number;
  count: number;
}

export const bucketsOf = (record: Json) => (at(record, HISTOGRAM) ?? []) as Bucket[];

export type Range = Omit<Bucket, 'count'>;

/** The buckets that any record has, the shortest first; a gap between them is one more. */
export function rangesOf(records: readonly Json[]): Range[] {
  const buckets = new Map(records.flatMap(bucketsOf).map((bucket) => [bucket.over, bucket]));
  const ranges: Range[] = [];
  for (const { over, up_to } of [...buckets.values()].sort((one, other) => one.over - other.over)) {
    const before = ranges.at(-1)?.up_to;
    if (before !== undefined && before < over) ranges.push({ over: before, up_to: over });
    ranges.push({ over, ...(up_to !== undefined && { up_to }) });
  }
  return ranges;
}

export const countIn = (record: Json, range: Range) =>
  bucketsOf(record).find(({ over }) => over === range.over)?.count ?? 0;

/** "250 µs – 500 µs", or "> 1000 ms" where there is no upper bound. */
export function rangeText({ over, up_to }: Range, language: string): string {
  if (up_to === undefined) return `> ${figure(over, 'microseconds', language)}`;
  return `${figure(over, 'microseconds', language)} – ${figure(up_to, 'microseconds', language)}`;
}

/** How strongly a count is drawn, 0 to 1: by its logarithm, so that a few slow ones are seen. */
export function strength(count: number, most: number): number {
  return count ? 0.15 + (0.85 * Math.log(1 + count)) / Math.log(1 + most) : 0;
}

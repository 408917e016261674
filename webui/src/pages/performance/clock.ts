import type { Json } from '../../api/client';

const DAY = 86_400;

/** When the intervals of records began, in seconds since 1970. */
export const momentsOf = (records: readonly Json[]) =>
  records.map((record) => Date.parse(String(record['timestamp'])) / 1000);

/** Whether the axis has dates. */
export const isLong = (moments: readonly number[]) =>
  (moments.at(-1) ?? 0) - (moments[0] ?? 0) > DAY;

/** A moment on the axis: its time, or over more than a day its date. */
export function clock(moment: number, moments: readonly number[], language: string): string {
  const form: Intl.DateTimeFormatOptions = isLong(moments)
    ? { day: 'numeric', month: 'short' }
    : { hour: '2-digit', minute: '2-digit' };
  return new Intl.DateTimeFormat(language, form).format(1000 * moment);
}

import { formatSize } from '../../base/sizes';

export type Unit = 'count' | 'bytes' | 'size' | 'microseconds' | 'percent';

/** Figures with their unit, as short as charts need them; `bytes` are per second. */
export function figure(value: number | null | undefined, unit: Unit, language: string): string {
  if (value === null || value === undefined) return '–';
  const number = (digits: number, of = value) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(of);
  switch (unit) {
    case 'bytes':
      return `${formatSize(value, language)}/s`;
    case 'size':
      return formatSize(value, language);
    case 'microseconds':
      return value >= 1000 ? `${number(1, value / 1000)} ms` : `${number(0)} µs`;
    case 'percent':
      return `${number(0)} %`;
    case 'count':
      return new Intl.NumberFormat(language, { notation: 'compact' }).format(value);
  }
}

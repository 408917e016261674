/** When space will be full, as the array foretells it. */
import type { TFunction } from 'i18next';

import { formatSize } from '../../base/sizes';

export interface Forecast {
  full_time?: string;
  days_left?: number;
  growth_per_day?: number;
  samples_since?: string;
}

/** In words. */
export function forecastWords(
  t: TFunction,
  language: string,
  forecast: Forecast | undefined,
): string {
  const { full_time, days_left = 0, growth_per_day } = forecast ?? {};
  if (growth_per_day === undefined) return t('The forecast comes after a week of samples.');
  if (growth_per_day <= 0) return t('Its use does not grow.');
  const growth = formatSize(growth_per_day, language);
  if (!full_time)
    return t('It will not be full within five years, at {{growth}} a day.', { growth });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(full_time));
  if (days_left < 1) return t('Full within a day, at {{growth}} a day.', { growth });
  const days = new Intl.NumberFormat(language).format(days_left);
  return days_left === 1
    ? t('Full in about one day, on {{day}}, at {{growth}} a day.', { day, growth })
    : t('Full in about {{days}} days, on {{day}}, at {{growth}} a day.', { days, day, growth });
}

/** The urgency of the day when it will be full, if that is soon. */
export function urgency(forecast: Forecast | undefined): 'warning' | 'danger' | undefined {
  const { days_left } = forecast ?? {};
  if (days_left === undefined || days_left > 30) return undefined;
  return days_left > 14 ? 'warning' : 'danger';
}

const DAY = 86_400;

/**
 * Where a line of the forecast ends, in seconds since 1970 and bytes: where it is full, but no
 * further than as long again as the shown span, or `LEAST_AHEAD`, so that this is not squeezed.
 */
export function endOf(
  forecast: Forecast | undefined,
  last: { moment: number; used: number },
  first: number,
): { moment: number; used: number } | undefined {
  const { full_time, growth_per_day } = forecast ?? {};
  if (!growth_per_day || growth_per_day <= 0) return undefined;
  const furthest = last.moment + Math.max(LEAST_AHEAD, last.moment - first);
  const full = full_time === undefined ? Infinity : Date.parse(full_time) / 1000;
  const moment = Math.min(full, furthest);
  if (moment <= last.moment) return undefined;
  const used = last.used + (growth_per_day * (moment - last.moment)) / DAY;
  return { moment, used };
}

const LEAST_AHEAD = 60 * DAY;

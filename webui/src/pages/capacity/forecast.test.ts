import { expect, test } from 'vitest';

import { endOf, type Forecast, forecastWords, urgency } from './forecast';

const GIB = 1024 ** 3;
const t = ((text: string, values: Record<string, string> = {}) =>
  text.replace(/{{(\w+)}}/g, (_all, name: string) => values[name]!)) as never;
const words = (forecast?: Forecast) => forecastWords(t, 'en-GB', forecast);

test('the day is shown, with its grounds', () => {
  const forecast = {
    full_time: '2027-01-05T12:00:00+00:00',
    days_left: 41,
    growth_per_day: 12 * GIB,
  };
  expect(words(forecast)).toBe('Full in about 41 days, on 5 January 2027, at 12 GiB a day.');
  expect(words({ ...forecast, days_left: 1 })).toMatch(/^Full in about one day, on 5 January 2027/);
  expect(words({ ...forecast, days_left: 0 })).toMatch(/^Full within a day/);
});

test.each([
  [undefined, 'after a week of samples'],
  [{}, 'after a week of samples'],
  [{ growth_per_day: 0 }, 'does not grow'],
  [{ growth_per_day: -GIB }, 'does not grow'],
  [{ growth_per_day: 5 }, 'not be full within five years'],
])('without a day there is a reason: %o', (forecast, reason) =>
  expect(words(forecast)).toContain(reason),
);

test.each([
  [undefined, undefined],
  [31, undefined],
  [30, 'warning'],
  [14, 'danger'],
] as const)('%s days left ask for %s', (days, expected) =>
  expect(urgency(days === undefined ? {} : { days_left: days })).toBe(expected),
);

test('the line leads from the last sample to where it is full, or as far as is shown', () => {
  const [day, first] = [86_400, 1_800_000_000];
  const last = { moment: first + 90 * day, used: 100 * GIB };
  const full = (days: number) => new Date(1000 * (last.moment + days * day)).toISOString();
  const end = (forecast: Forecast) => endOf(forecast, last, first);
  const soon = { full_time: full(20), growth_per_day: GIB };
  expect(end(soon)).toEqual({ moment: last.moment + 20 * day, used: 120 * GIB });
  const late = { full_time: full(500), growth_per_day: GIB };
  expect(end(late)).toEqual({ moment: last.moment + 90 * day, used: 190 * GIB });
  expect(end({ growth_per_day: GIB })?.moment).toBe(last.moment + 90 * day);
  expect(endOf(late, last, last.moment)?.moment).toBe(last.moment + 60 * day);
  expect(end({ growth_per_day: -GIB })).toBeUndefined();
  expect(end({})).toBeUndefined();
});

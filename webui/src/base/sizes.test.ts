import { expect, test } from 'vitest';

import { formatSize, parseSize, writtenSize } from './sizes';

test.each([
  ['100 GiB', 100 * 1024 ** 3],
  ['100gb', 100 * 1024 ** 3],
  ['1,5 t', 1.5 * 1024 ** 4],
  ['4096', 4096],
])('%s is read as bytes', (text, bytes) => expect(parseSize(text)).toBe(bytes));

test.each(['', 'much', '-1 GiB', '1 XiB', '9999 EiB'])('"%s" is no size', (text) =>
  expect(parseSize(text)).toBeUndefined(),
);

test('a size is shown in the unit that fits, as the language writes numbers', () => {
  expect(formatSize(1.5 * 1024 ** 3, 'de')).toBe('1,5 GiB');
  expect(formatSize(0, 'en')).toBe('0 B');
});

test('a size in a form is read back as the same size', () => {
  for (const bytes of [0, 1, 4096, 10_000, 3 * 1024 ** 4])
    expect(parseSize(writtenSize(bytes))).toBe(bytes);
});

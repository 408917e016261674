import { expect, test } from 'vitest';

import de from './de';
import ja from './ja';
import zh from './zh';

const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../generated/**', '!./*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const USED = /\bt\(\s*'((?:[^'\\]|\\.)*)'/g;
const blanks = (text: string) => [...text.matchAll(/{{\w+}}/g)].map(String).sort();
const used = Object.values(SOURCES)
  .flatMap((source) => [...source.matchAll(USED)])
  .map((match) => match[1]!);

test.each(Object.entries({ de, ja, zh }))('every text of the source is in %s', (_name, texts) => {
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((text) => !(text in texts))).toEqual([]);
});

test.each(Object.entries({ de, ja, zh }))('%s fills in what English does', (_name, texts) => {
  const wrong = Object.entries(texts).filter(
    ([english, text]) => String(blanks(english)) !== String(blanks(text)),
  );
  expect(wrong).toEqual([]);
});

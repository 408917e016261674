import { expect, test } from 'vitest';

import { nounOf } from '../declarations/labels';
import commands from '../generated/commands.json';
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

const nouns = Object.keys(commands).map((path) => nounOf(path));

test.each(Object.entries({ de, ja, zh }))('what objects are called is in %s', (_name, texts) => {
  expect(nouns.length).toBeGreaterThan(50);
  expect(nouns.filter((noun) => !(noun in texts))).toEqual([]);
});

const ARRAY = import.meta.glob<string>(
  '../../../api/sanstone/{kernel/network,kernel/storage,reconcile,system}/**/*.py',
  { query: '?raw', import: 'default', eager: true },
);
const REASON = /(?:Error|Refused|Failed)\(\s*((?:(['"])[^\n]*\2\s+)*(['"])[^\n]*?\3),/g;
const LITERAL = /(['"])(.*)\1\s*$/gm;

/** A text with blanks for its arguments, of a literal of Python that may go over several lines. */
function blanked(source: string): string {
  const text = [...source.matchAll(LITERAL)].map((match) => match[2]).join('');
  return text.split('{}').reduce((all, part, index) => `${all}{{${index - 1}}}${part}`);
}

const reasons = Object.values(ARRAY)
  .flatMap((source) => [...source.matchAll(REASON)])
  .map((match) => blanked(match[1]!))
  .filter((text) => /\w/.test(text.replace(/{{\d}}/g, '')));

test.each(Object.entries({ de, ja, zh }))('why jobs fail is in %s', (_name, texts) => {
  expect(reasons).toContain('Aggregate "{{0}}" is not online.');
  expect(reasons.length).toBeGreaterThan(30);
  expect(reasons.filter((text) => !(text in texts))).toEqual([]);
});

test.each(Object.entries({ de, ja, zh }))('%s fills in what English does', (_name, texts) => {
  const wrong = Object.entries(texts).filter(
    ([english, text]) => String(blanks(english)) !== String(blanks(text)),
  );
  expect(wrong).toEqual([]);
});

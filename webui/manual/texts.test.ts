import { expect, test } from 'vitest';

import reference from '../src/generated/reference.json';
import commands from '../src/generated/commands.json';
import { fieldLabel, nounOf, resourceTitle } from '../src/declarations/labels';
import texts from '../src/language/de';

const English = ((keys: string | string[], options?: { defaultValue?: string }) =>
  Array.isArray(keys) ? (options?.defaultValue ?? keys.at(-1)) : keys) as never;
const GUI = /^```gui\n(.*?)^```$/gms;
const BOLD = /\*\*(.*?)\*\*/gs;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A text of the web interface as a pattern: anything may stand in its blanks. */
const pattern = (text: string) =>
  new RegExp(
    `^${text
      .split(/{{\w+}}/)
      .map(escaped)
      .join('.+')}$`,
  );

const known = [
  ...Object.keys(texts),
  ...Object.keys(commands).map((path) => `Create ${nounOf(path)}`),
  ...reference.resources.flatMap(({ path, fields }) => [
    resourceTitle(English, path),
    ...fields.map(({ name }) => fieldLabel(English, name)),
  ]),
];
const patterns = known.filter((text) => text !== 'Create {{what}}').map(pattern);

const pages = import.meta.glob<string>('./**/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const isKnown = (name: string) => patterns.some((each) => each.test(name));

test('not everything is taken for a text of the web interface', () => {
  expect(['Quite wrong words', 'Create nonsense', 'Take snapshots'].filter(isKnown)).toEqual([]);
  expect(['Resize', 'Create LUN', 'Replace disk …'].filter(isKnown)).toHaveLength(3);
});

test.each(Object.entries(pages))(
  '%s calls buttons and fields as they are called',
  (_page, text) => {
    const blocks = [...text.matchAll(GUI)].map(([, block]) => block!);
    const called = blocks
      .flatMap((block) => [...block.matchAll(BOLD)])
      .map(([, name]) => name!.replace(/\s+/g, ' '));
    expect(called.filter((name) => !isKnown(name))).toEqual([]);
  },
);

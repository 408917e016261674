import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';

import de from '../language/de';
import { templateOf, translated } from './refusal';

beforeAll(() =>
  i18next.init({
    lng: 'de',
    resources: { de: { translation: de } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  }),
);

test('a template has blanks where the arguments stand, in order', () => {
  expect(templateOf('Field "name" is required.', ['name'])).toBe('Field "{{0}}" is required.');
  expect(templateOf('The role "GET" does not allow GET of /x.', ['GET', 'GET', '/x'])).toBe(
    'The role "{{0}}" does not allow {{1}} of {{2}}.',
  );
  expect(templateOf('Nothing.', ['else'])).toBe('Nothing.');
});

test('a message is told in the language of the pages', () => {
  expect(translated('Field "size" is required.', ['size'])).toBe('Das Feld „size“ ist nötig.');
  expect(translated('The body must be a JSON object.')).toBe(
    'Der Inhalt muss ein JSON-Objekt sein.',
  );
});

test('what stands in the place of an argument is told so, too', () => {
  const why = 'This must be a whole number.';
  const message = `Invalid value for field "size": ${why}`;
  expect(translated(message, ['size', why])).toBe(
    'Ungültiger Wert für das Feld „size“: Das muss eine ganze Zahl sein.',
  );
});

test('what there are no words for stays as it is', () => {
  expect(translated('Something odd: {{x}}.', [])).toBe('Something odd: {{x}}.');
});

import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';

import de from '../language/de';
import { OPTIONS } from '../language/options';
import { templateOf, translated } from './refusal';

beforeAll(() => i18next.init({ lng: 'de', resources: { de: { translation: de } }, ...OPTIONS }));

test('a template has blanks where the arguments stand, in order', () => {
  expect(templateOf('Field "name" is required.', ['name'])).toBe('Field "{{0}}" is required.');
  expect(templateOf('The role "GET" does not allow GET of /x.', ['GET', 'GET', '/x'])).toBe(
    'The role "{{0}}" does not allow {{1}} of {{2}}.',
  );
  expect(templateOf('Nothing.', ['else'])).toBe('Nothing.');
});

test('a message is shown in the language of the pages', () => {
  expect(translated('Field "size" is required.', ['size'])).toBe('Das Feld „size“ ist nötig.');
  expect(translated('The body must be a JSON object.')).toBe(
    'Der Inhalt muss ein JSON-Objekt sein.',
  );
});

test('an argument is translated, too', () => {
  const why = 'This must be a whole number.';
  const message = `Invalid value for field "size": ${why}`;
  expect(translated(message, ['size', why])).toBe(
    'Ungültiger Wert für das Feld „size“: Das muss eine ganze Zahl sein.',
  );
});

test('a text without a translation stays as it is', () => {
  expect(translated('Something odd: {{x}}.', [])).toBe('Something odd: {{x}}.');
});

test('the subject of a message stands before it', () => {
  const refused = 'port e0z is not there';
  expect(translated(`Port a0a: ${refused}`, ['Port a0a', 'e0z'])).toBe(
    'Port a0a: der Port e0z ist nicht da',
  );
  expect(translated('vol1: Something odd', ['vol1'])).toBe('vol1: Something odd');
});

test('numbers and names in quotes are the blanks of a message without arguments', () => {
  expect(translated('RAID group 3 is created')).toBe('Die RAID-Gruppe 3 wird angelegt');
  expect(translated('Aggregate "aggr1" is not online.')).toBe(
    'Das Aggregat „aggr1“ ist nicht online.',
  );
  const message = 'RAID group 3 is created: cancelled on request';
  expect(translated(message, ['RAID group 3 is created'])).toBe(
    'Die RAID-Gruppe 3 wird angelegt: auf Wunsch abgebrochen',
  );
});

import i18next, { t } from 'i18next';
import { beforeAll, expect, test } from 'vitest';

import { Declarations, type Resource } from '../declarations/declarations';
import de from '../language/de';
import { OPTIONS } from '../language/options';
import { outcomeOf, titleOf } from './jobTexts';

const UUID = '7a1c2f0e-0000-4000-8000-000000000001';

function resource(path: string, more: Partial<Resource> = {}): Resource {
  return { path, doc: '', methods: ['GET', 'POST', 'PATCH', 'DELETE'], fields: [], ...more };
}

const declarations = new Declarations([
  resource('storage/volumes', { keys: ['uuid'] }),
  resource('storage/volumes/{volume.uuid}/snapshots', { keys: ['volume.uuid', 'uuid'] }),
  resource('cluster/ntp/servers', { keys: ['server'] }),
  resource('cluster', { single: true }),
  resource('cluster/software/download', { single: true }),
  resource('security/authentication/password', { methods: ['POST'] }),
]);

beforeAll(() => i18next.init({ lng: 'de', resources: { de: { translation: de } }, ...OPTIONS }));

test.each([
  [`POST /api/storage/volumes/${UUID}`, 'Volume anlegen'],
  [`DELETE /api/storage/volumes/${UUID}/snapshots/${UUID}`, 'Snapshot löschen'],
  ['PATCH /api/storage/volumes', 'Volumes ändern'],
  ['PATCH /api/cluster', 'Array ändern'],
  ['DELETE /api/cluster/ntp/servers/a%20~b', 'Zeitserver a ~b löschen'],
  ['POST /api/security/authentication/password', 'Ein Kennwort ändern'],
  ['POST /api/cluster/software/download', 'Software herunterladen'],
  ['POST /api/of/a/newer/release', 'POST /api/of/a/newer/release'],
  ['Something else', 'Something else'],
])('%s has the title %s', (description, title) => {
  expect(titleOf(t, declarations, description)).toBe(title);
});

test('a failed job says why', () => {
  const error = {
    message: 'Aggregate "aggr1" is not online.',
    arguments: [{ message: 'aggr1' }],
  };
  expect(outcomeOf({ state: 'failure', message: error.message, error })).toBe(
    'Das Aggregat „aggr1“ ist nicht online.',
  );
});

test('a refusal of the kernel has words of its own', () => {
  const parts = ['write /sys/kernel/x', 'Invalid argument'];
  const error = {
    message: parts.join(': '),
    arguments: parts.map((message) => ({ message })),
  };
  expect(outcomeOf({ state: 'failure', error })).toBe('write /sys/kernel/x: Ungültiges Argument');
});

test('a failed job names its subject', () => {
  const parts = ['Aggregate "aggr1"', 'sanstone-0', '1.0.3'];
  const error = {
    message: 'Aggregate "aggr1": sanstone-0: not there: 1.0.3',
    arguments: parts.map((message) => ({ message })),
  };
  expect(outcomeOf({ state: 'failure', error })).toBe(
    'Aggregat „aggr1“: sanstone-0: nicht da: 1.0.3',
  );
});

test('a job that goes on says how far each piece of its work is', () => {
  const message = 'RAID group 0 is created: 40 %; The data are destroyed';
  expect(outcomeOf({ state: 'running', message })).toBe(
    'Die RAID-Gruppe 0 wird angelegt: 40 %; Die Daten werden vernichtet',
  );
});

test('a paused job says until when it must be confirmed', () => {
  const message = 'In effect; taken back unless it is confirmed within 60 s.';
  expect(outcomeOf({ state: 'paused', message })).toBe(
    'In Kraft; wird zurückgenommen, wenn sie nicht innerhalb von 60 s bestätigt wird.',
  );
});

test.each(['queued', 'running', 'success'] as const)('%s says it all', (state) => {
  expect(outcomeOf({ state, message: state })).toBe('');
});

import { expect, test } from 'vitest';

import { progressOf, stepOf } from './steps';

const status = (message: string) => ({ status_details: [{ issue: { message } }] });

test.each([
  ['Waiting.', 'check'],
  ['40% Copying image to system.1', 'write'],
  ['Release 2.0 is written. The array reboots into it.', 'restart'],
])('"%s" is the step %s', (message, step) => expect(stepOf(status(message))).toBe(step));

test('the percentage is that of the writing', () => {
  expect(progressOf(status('40% Copying image')).percent).toBe(40);
  expect(progressOf(status('Release 2.0 is written.')).percent).toBeUndefined();
  expect(progressOf({}).message).toBe('');
});

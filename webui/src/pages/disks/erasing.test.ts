import { expect, test } from 'vitest';

import { hasFailed, usualWayToErase, waysToErase } from './erasing';

test('a disk is offered the methods that it supports', () => {
  expect(waysToErase({ discards: false })).toEqual(['labels', 'zeroes']);
  expect(waysToErase({ discards: true })).toEqual(['labels', 'discard', 'zeroes']);
  const sanitizing = { discards: true, sanitize: { methods: ['crypto_erase'] } };
  expect(waysToErase(sanitizing)).toEqual(['labels', 'discard', 'zeroes', 'crypto_erase']);
});

test('the first choice is to discard, or to remove labels', () => {
  expect(usualWayToErase({ discards: true })).toBe('discard');
  expect(usualWayToErase({ discards: false })).toBe('labels');
});

test('a disk that failed to sanitize itself can but do that again', () => {
  const failed = { discards: true, sanitize: { state: 'failed' } };
  expect(hasFailed(failed)).toBe(true);
  expect(waysToErase(failed)).toEqual(['crypto_erase', 'block_erase', 'overwrite']);
  expect(usualWayToErase(failed)).toBe('crypto_erase');
});

/** The record of tests in JavaScript for `make test`, and its list of tests to run: see tests/run/record.py. */
import { appendFileSync, readFileSync } from 'node:fs';

/** Write a line, with its time, where somebody wants a record. */
export function append(fields) {
  const path = process.env.SANSTONE_TEST_RECORD;
  if (path) appendFileSync(path, `${JSON.stringify({ ...fields, at: Date.now() / 1000 })}\n`);
}

/** Return the only tests to run, or undefined where all run. */
export function only() {
  const path = process.env.SANSTONE_TEST_ONLY;
  return path && JSON.parse(readFileSync(path, 'utf8'));
}

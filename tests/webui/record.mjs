/** What tests in JavaScript write for `make test`, and read from it: see tests/run/record.py. */
import { appendFileSync, readFileSync } from 'node:fs';

/** Write a line, with its time, where somebody wants a record. */
export function append(fields) {
  const path = process.env.SANSTONE_TEST_RECORD;
  if (path) appendFileSync(path, `${JSON.stringify({ ...fields, at: Date.now() / 1000 })}\n`);
}

/** Return what alone has to run, or undefined where all of it has. */
export function only() {
  const path = process.env.SANSTONE_TEST_ONLY;
  return path && JSON.parse(readFileSync(path, 'utf8'));
}

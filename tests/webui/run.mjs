/**
 * Tests in a browser, as many files at a time as there are processors, before copies of one array.
 *
 *     node tests/webui/run.mjs FILE ...
 *
 * Furnishing an array takes longer than the tests of most files. A single file runs by
 * `node --test FILE`, too.
 */
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { inspect } from 'node:util';

import { REPOSITORY, share } from './browser.mjs';
import { append, only } from './record.mjs';

const named = (file) => relative(REPOSITORY, file);
/** An event of no test, as of a file that cannot be read, has the file's name. */
const called = (name, file) => (name === file ? named(file) : `${named(file)} › ${name}`);
const given = process.argv.slice(2).map((each) => resolve(each));
const selected = only();
const files = selected ? given.filter((each) => selected.includes(named(each))) : given;

append({ began: true });
const end = await share();
const tests = run({ files, concurrency: availableParallelism() });
tests.on('test:pass', ({ name, file, details, skip }) => {
  if (details.type !== 'suite')
    append({ test: called(name, file), outcome: skip === undefined ? 'passed' : 'skipped' });
});
tests.on('test:fail', ({ name, file, details: { error } }) => {
  process.exitCode = 1;
  // A test that another one cancels has no stack.
  const text = inspect(error.cause ?? error);
  if (error.failureType !== 'subtestsFailed')
    append({ test: called(name, file), outcome: 'failed', again: named(file), text });
});
for await (const text of tests.compose(new spec())) process.stdout.write(text);
await end();
append({ ended: process.exitCode ?? 0, early: '' });

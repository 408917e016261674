/**
 * Tests in a browser, as many files at a time as there are processors, before copies of one array.
 *
 *     node tests/webui/run.mjs FILE ...
 *
 * Furnishing an array takes longer than the tests of most files. A single file runs by
 * `node --test FILE`, too.
 */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

import { share } from './browser.mjs';

const files = process.argv.slice(2).map((each) => resolve(each));
const end = await share();
const tests = run({ files, concurrency: availableParallelism() });
tests.on('test:fail', () => (process.exitCode = 1));
for await (const text of tests.compose(new spec())) process.stdout.write(text);
await end();

/** Vite's development server before an array in one process, until it is interrupted. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { ADMIN, REPOSITORY, startArray } from './browser.mjs';

console.log('furnishing an array ...');
const array = await startArray('--past');
console.log(`the array is at ${array.url}; log in as ${ADMIN.name} with "${ADMIN.password}"`);
const server = spawn('npm', ['run', '--silent', 'dev'], {
  cwd: join(REPOSITORY, 'webui'),
  env: { ...process.env, SANSTONE_URL: array.url },
  stdio: 'inherit',
});
process.on('SIGINT', () => server.kill());
server.on('exit', () => void array.stop());

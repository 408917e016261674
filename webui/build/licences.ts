import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const IN_PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** Writes licences.json: each package with code in the bundle, and its licence. */
export function licences(): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        const modules = chunk.type === 'chunk' ? Object.keys(chunk.modules) : [];
        for (const id of modules) {
          const folder = IN_PACKAGE.exec(id.replace(/^\0/, ''))?.[1];
          if (folder && existsSync(join(folder, 'package.json'))) folders.add(folder);
        }
      }
      const source = JSON.stringify([...folders].sort().map(described));
      this.emitFile({ type: 'asset', fileName: 'licences.json', source });
    },
  };
}

function described(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { name, version, license } = JSON.parse(read('package.json')) as Record<string, string>;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  // As the lock file names it.
  const path = folder.slice(folder.indexOf('node_modules/'));
  return { name, version, path, licence: license, text: file ? read(file) : '' };
}

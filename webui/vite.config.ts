import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

import { compressed } from './build/compressed.ts';
import { licences } from './build/licences.ts';
import { manual } from './build/manual/manual.ts';
import { withoutFonts } from './build/withoutFonts.ts';

export default defineConfig({
  plugins: [react(), withoutFonts(), licences(), manual(), compressed()],
  build: {
    // The content policy of the array lets no data: address in.
    assetsInlineLimit: 0,
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: { index: 'index.html', manual: 'manual/frame/main.ts' } },
  },
  server: {
    proxy: {
      '/api': { target: process.env['SANSTONE_URL'] ?? 'https://127.0.0.1', secure: false },
    },
  },
  test: {
    include: ['{src,manual,build}/**/*.test.ts'],
    // Tests are of pure functions: a process for each file would load shared modules again.
    isolate: false,
    pool: 'threads',
    maxWorkers: 1,
    reporters: ['default', '../tests/webui/unit_recorder.mjs'],
  },
});

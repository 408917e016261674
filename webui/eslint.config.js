/**
 * What the compiler does not hold: which folder may use which, no circles, and the rules of hooks.
 *
 * A folder of `src/` uses those before it in LAYERS and none after it; a folder of `src/resources/`
 * likewise. What starts them (`main.tsx`, `router.tsx`) stands above all.
 */
import parser from '@typescript-eslint/parser';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';

const LAYERS = [
  ['src/base'],
  ['src/language', 'src/theme'],
  ['src/api'],
  ['src/session'],
  ['src/declarations'],
  ['src/changes'],
  ['src/resources'],
  ['src/pages'],
  ['src/shell'],
  ['src/main.tsx', 'src/router.tsx'],
];
const RESOURCES = ['form', 'action', 'detail', 'list'].map((name) => [`src/resources/${name}`]);

/** For each layer that nothing of it imports what stands above it. */
const upwards = (layers) =>
  layers.slice(0, -1).map((layer, index) => ({
    target: layer,
    from: layers.slice(index + 1).flat(),
    message: 'It stands above this folder (eslint.config.js).',
  }));

export default [
  { ignores: ['dist/', 'src/generated/'] },
  reactHooks.configs.flat.recommended,
  {
    files: ['src/**/*.{ts,tsx}'],
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.tsx', '.json'] })],
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': [
        'error',
        { zones: [...upwards(LAYERS), ...upwards(RESOURCES)] },
      ],
      'react-hooks/exhaustive-deps': 'error',
      // It is about code that the compiler of React leaves as it is; that is not used here.
      'react-hooks/incompatible-library': 'off',
    },
  },
  {
    // The test of languages looks through the texts of all.
    files: ['src/language/texts.test.ts'],
    rules: { 'import-x/no-restricted-paths': 'off' },
  },
];

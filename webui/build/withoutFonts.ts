import type { Plugin } from 'vite';

/** Leaves out the fonts that PatternFly's base style brings: the pages use the system's own. */
export function withoutFonts(): Plugin {
  return {
    name: 'without-fonts',
    enforce: 'pre',
    transform(code, id) {
      return id.includes('/@patternfly/') && id.endsWith('.css')
        ? { code: code.replace(/@font-face\s*{[^}]*}/g, ''), map: null }
        : undefined;
    },
  };
}

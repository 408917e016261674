import { kept } from '../base/store';

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const;

export const theme = kept('theme', 'system');
export const density = kept('density', 'compact');

const dark = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');

export function startTheme(): void {
  for (const store of [theme, density]) store.watch(apply);
  for (const query of [dark, contrast]) query.addEventListener('change', apply);
  apply();
}

function apply(): void {
  const { classList } = document.documentElement;
  const chosen = theme.get();
  classList.toggle('pf-v6-theme-dark', chosen === 'dark' || (chosen !== 'light' && dark.matches));
  classList.toggle(
    'pf-v6-theme-high-contrast',
    chosen === 'contrast' || (chosen === 'system' && contrast.matches),
  );
  classList.toggle('comfortable', density.get() === 'comfortable');
}

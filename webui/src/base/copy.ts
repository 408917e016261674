import type { TFunction } from 'i18next';

import { tell } from './notice';

/** Copy a text, and return whether the browser allowed it: users may forbid it to a page. */
export function copy(text: string, t: TFunction): void {
  navigator.clipboard.writeText(text).then(
    () => tell('success', t('Copied')),
    () => tell('danger', t('The browser does not let this page copy.')),
  );
}

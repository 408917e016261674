/** How texts are looked up: a text in English is its own key, and React escapes values. */
export const OPTIONS = {
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
} as const;

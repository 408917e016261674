import { useTranslation } from 'react-i18next';

import { copy } from './copy';

const ENDS = 13;

/** A long identifier, cut in the middle; a click copies the whole. */
export function Identifier({ text }: { text: string }) {
  const { t } = useTranslation();
  const cut = text.length > 2 * ENDS + 12;
  const shown = cut ? `${text.slice(0, ENDS)}…${text.slice(-ENDS)}` : text;
  return (
    <button
      type="button"
      className="identifier"
      title={t('{{text}}: click to copy', { text })}
      onClick={(event) => {
        event.stopPropagation();
        copy(text, t);
      }}
    >
      {shown}
    </button>
  );
}

import { useTranslation } from 'react-i18next';

import { formatSize } from '../../base/sizes';
import type { components } from '../../generated/api';

type Settings = components['schemas']['storage_volumes']['autosize'];

/** How the size of a volume follows its use. */
export function Autosize({ settings }: { settings: Settings }) {
  const { t, i18n } = useTranslation();
  const { mode, maximum, minimum, grow_threshold, shrink_threshold } = settings ?? {};
  const size = (bytes: number | undefined) => formatSize(bytes ?? 0, i18n.language);
  return (
    <section className="card" aria-label={t('Size by use')}>
      <h2>{t('Size by use')}</h2>
      {mode === 'off' && <p>{t('The size stays as it is set.')}</p>}
      {(mode === 'grow' || mode === 'grow_shrink') && (
        <p>
          {t('Grows up to {{size}} when more than {{percent}} % are in use.', {
            size: size(maximum),
            percent: grow_threshold,
          })}
        </p>
      )}
      {mode === 'grow_shrink' && (
        <p>
          {t('Shrinks down to {{size}} when less than {{percent}} % are in use.', {
            size: size(minimum),
            percent: shrink_threshold,
          })}
        </p>
      )}
    </section>
  );
}

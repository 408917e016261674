import { useTranslation } from 'react-i18next';

import type { components } from '../../generated/api';

type Space = NonNullable<components['schemas']['storage_volumes']['space']>;
type Settings = NonNullable<Space['snapshot']>['autodelete'];

/** Which snapshots of a volume go by themselves; nothing where none does. */
export function Autodelete({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  if (!settings?.enabled) {
    return null;
  }
  const percent = settings.target_free_space;
  return (
    <section className="card" aria-label={t('Snapshots that go')}>
      <h2>{t('Snapshots that go')}</h2>
      <p>
        {settings.trigger === 'snap_reserve'
          ? t('When they hold too much of their share, until {{percent}} % of it are free.', {
              percent,
            })
          : t('When the volume is short of space, until {{percent}} % of it are free.', {
              percent,
            })}
      </p>
      <p>
        {settings.delete_order === 'newest_first'
          ? t('The newest go first.')
          : t('The oldest go first.')}
      </p>
    </section>
  );
}

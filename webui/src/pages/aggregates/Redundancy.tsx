import { useTranslation } from 'react-i18next';

import { formatTime } from '../../base/times';
import type { components } from '../../generated/api';

type Storage = NonNullable<components['schemas']['storage_aggregates']['block_storage']>;

/** How many disks of an aggregate may fail now, since when these are fewer, and its spares. */
export function Redundancy({ storage }: { storage: Storage | undefined }) {
  const { t, i18n } = useTranslation();
  const {
    tolerated_failures: tolerated,
    degraded_since: since,
    fitting_spares: spares,
  } = storage ?? {};
  return (
    <dl>
      {tolerated !== undefined && (
        <div>
          <dt>{t('Disks that may fail now')}</dt>
          <dd>
            {tolerated}
            {since && (
              <>
                {' '}
                <span className="quiet">
                  {t('Fewer than usual since {{time}}', { time: formatTime(since, i18n.language) })}
                </span>
              </>
            )}
          </dd>
        </div>
      )}
      {spares !== undefined && (
        <div>
          <dt>{t('Spare disks that fit')}</dt>
          <dd>{spares}</dd>
        </div>
      )}
    </dl>
  );
}

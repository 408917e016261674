import { useTranslation } from 'react-i18next';

import { formatTime } from '../../base/times';
import type { components } from '../../generated/api';
import { State } from '../../resources/State';

type Fields = NonNullable<components['schemas']['storage_aggregates']['scrub']>;

/** The progress of an aggregate's scrub, and the result of the last one. */
export function Scrub({ scrub }: { scrub: Fields }) {
  const { t, i18n } = useTranslation();
  const mismatches = scrub.last_mismatches ?? 0;
  return (
    <>
      <span className="raid-group">
        <span>{t('Scrub')}</span>
        <State value={scrub.state ?? 'unknown'} />
        {scrub.percent !== undefined && (
          <progress
            max={100}
            value={scrub.percent}
            aria-label={t('Scrub')}
            title={`${scrub.percent} %`}
          />
        )}
        {scrub.overdue && <State value="overdue" />}
      </span>
      {scrub.last_time && (
        <p>
          {t('Scrubbed last: {{time}}. Sectors in which disks do not agree: {{found}}', {
            time: formatTime(scrub.last_time, i18n.language),
            found: mismatches,
          })}
        </p>
      )}
    </>
  );
}

import { useTranslation } from 'react-i18next';

import { PageLink } from '../../base/PageLink';
import { formatTime } from '../../base/times';
import { State } from '../../resources/State';
import { ALERTS_PAGE } from '../events/alerts';
import type { Overview } from './overview';

/** The newest conditions that last, and how many there are. */
export function Alerts({ alerts }: { alerts: NonNullable<Overview['alerts']> }) {
  const { t, i18n } = useTranslation();
  const { count = 0, newest = [] } = alerts;
  return (
    <section className="card tile" aria-label={t('Alerts')}>
      <h2>
        <PageLink to={ALERTS_PAGE}>
          {count ? t('Alerts: {{number}}', { number: count }) : t('Alerts')}
        </PageLink>
      </h2>
      {!count && <p className="quiet">{t('Nothing needs attention.')}</p>}
      <ul className="alerts">
        {newest.map((event) => (
          <li key={event.index}>
            <State value={event.severity ?? 'unknown'} />
            <PageLink to={`/support/ems/events/${event.index}`} title={event.message}>
              {event.message}
            </PageLink>
            <time className="quiet">{formatTime(event.time ?? '', i18n.language)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { useTranslation } from 'react-i18next';

import { CapacityBar } from '../../base/CapacityBar';
import { PageLink } from '../../base/PageLink';
import { State } from '../../resources/State';
import type { Overview } from './overview';

/** How full each aggregate is, the fullest first. */
export function Capacity({ aggregates }: { aggregates: NonNullable<Overview['aggregates']> }) {
  const { t } = useTranslation();
  return (
    <section className="card tile" aria-label={t('Capacity')}>
      <h2>
        <PageLink to="/storage/aggregates">{t('Capacity')}</PageLink>
      </h2>
      {aggregates.length === 0 && (
        <p>
          {t('There is no storage yet.')}{' '}
          <PageLink to="/storage/aggregates/~new">{t('Create the first aggregate')}</PageLink>
        </p>
      )}
      <ul className="capacities">
        {aggregates.map((each) => (
          <li key={each.uuid}>
            <PageLink to={`/storage/aggregates/${each.uuid}`}>{each.name}</PageLink>
            {each.state !== 'online' && <State value={each.state ?? 'unknown'} />}
            {Boolean(each.missing_disks) && <State value="degraded" />}
            <CapacityBar used={each.used ?? 0} size={each.size ?? 0} />
          </li>
        ))}
      </ul>
    </section>
  );
}

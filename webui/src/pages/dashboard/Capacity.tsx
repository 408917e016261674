import { useTranslation } from 'react-i18next';

import { CapacityBar } from '../../resources/CapacityBar';
import { PageLink } from '../../shell/PageLink';
import type { Aggregate } from './aggregate';

/** How full each aggregate is, the fullest first. */
export function Capacity({ aggregates }: { aggregates: Aggregate[] | undefined }) {
  const { t } = useTranslation();
  const percent = (each: Aggregate) => each.space?.block_storage?.used_percent ?? 0;
  return (
    <section className="card tile" aria-label={t('Capacity')}>
      <h2>
        <PageLink to="/storage/aggregates">{t('Capacity')}</PageLink>
      </h2>
      {aggregates?.length === 0 && (
        <p>
          {t('There is no storage yet.')}{' '}
          <PageLink to="/storage/aggregates/~new">{t('Create the first aggregate')}</PageLink>
        </p>
      )}
      <ul className="capacities">
        {aggregates
          ?.toSorted((one, other) => percent(other) - percent(one))
          .map((each) => (
            <li key={each.uuid}>
              <PageLink to={`/storage/aggregates/${each.uuid}`}>{each.name}</PageLink>
              <CapacityBar
                used={each.space?.block_storage?.used ?? 0}
                size={each.space?.block_storage?.size ?? 0}
              />
            </li>
          ))}
      </ul>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { useGo } from '../../base/address';
import { Loading } from '../../base/Loading';
import { PageLink } from '../../base/PageLink';
import { isEmpty, wasShown, setupQuery } from '../setup/setup';
import { stepTitle } from '../setup/words';

/** Leads to the setup guide: at once on an empty array, by a link on one that lacks something. */
export function ToSetup() {
  const { t } = useTranslation();
  const go = useGo();
  const { data: setup, isPending } = useQuery(setupQuery);
  const isNew = setup !== undefined && isEmpty(setup);
  useEffect(() => {
    if (isNew && !wasShown.get()) go('/setup');
  }, [isNew, go]);
  if (isPending) return <Loading />;
  if (!setup?.next) return null;
  const done = setup.steps.filter((step) => step.needed && step.done).length;
  const all = setup.steps.filter((step) => step.needed).length;
  return (
    <section className="card" aria-label={t('Setup guide')}>
      <h2>{t('The array is not set up yet')}</h2>
      <p>
        {t('{{done}} of {{all}} steps are done. Next: {{step}}', {
          done,
          all,
          step: stepTitle(t, setup.next),
        })}
      </p>
      <PageLink to="/setup">{t('Go on with the setup guide')}</PageLink>
    </section>
  );
}

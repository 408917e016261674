import { useTranslation } from 'react-i18next';

import { PageLink } from '../../base/PageLink';
import { formatSize } from '../../base/sizes';
import type { Overview } from './overview';

/** The activity of this moment. Parts that an account may not see are left out. */
export function Now({ overview }: { overview: Overview }) {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  const { hosts, running_jobs, throughput, iops } = overview;
  const rate = (bytes = 0) => t('{{size}} per second', { size: formatSize(bytes, i18n.language) });
  return (
    <section className="card tile" aria-label={t('Now')}>
      <h2>{t('Now')}</h2>
      <dl className="now">
        {hosts !== undefined && (
          <div>
            <dt>{t('Connected hosts')}</dt>
            <dd>{format.format(hosts)}</dd>
          </div>
        )}
        {running_jobs !== undefined && (
          <div>
            <dt>
              <PageLink to="/cluster/jobs?state=queued|running">{t('Running jobs')}</PageLink>
            </dt>
            <dd>{format.format(running_jobs)}</dd>
          </div>
        )}
        {throughput && (
          <>
            <div>
              <dt>{t('Read')}</dt>
              <dd>{rate(throughput.read)}</dd>
            </div>
            <div>
              <dt>{t('Written')}</dt>
              <dd>{rate(throughput.write)}</dd>
            </div>
          </>
        )}
        {iops && (
          <div>
            <dt>{t('Operations per second')}</dt>
            <dd>{format.format((iops.read ?? 0) + (iops.write ?? 0))}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

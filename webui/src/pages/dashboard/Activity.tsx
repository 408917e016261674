import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { PageLink } from '../../shell/PageLink';
import { chartsOf, samplesQuery } from '../performance/samples';
import { TimeChart } from '../performance/TimeChart';

const SHOWN = ['throughput.read', 'throughput.write', 'latency.read', 'latency.write'];
const CHARTS = chartsOf(SHOWN);

/** The last hour. */
export default function Activity() {
  const { t } = useTranslation();
  const { data = [] } = useQuery(samplesQuery('cluster/metrics', '1h'));
  return (
    <>
      {CHARTS.map((chart) => (
        <TimeChart key={chart.title} chart={chart} records={data} />
      ))}
      <p>
        <PageLink to="/performance">{t('More about performance')}</PageLink>
      </p>
    </>
  );
}

import { useTranslation } from 'react-i18next';

import { PageHead } from '../../base/PageHead';
import { useDeclarations } from '../../declarations/declarations';
import MetricsView from './MetricsView';

const PATH = 'cluster/metrics';

/** The I/O of hosts on the array as a whole. */
export default function PerformancePage() {
  const { t } = useTranslation();
  const resource = useDeclarations().get(PATH);
  return (
    <div className="page">
      <PageHead title={t('Performance')} help={t('What hosts do with the array as a whole.')} />
      <MetricsView collection={PATH} resource={resource} />
    </div>
  );
}

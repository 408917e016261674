import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useGo } from '../../base/address';
import { Failure } from '../../base/Failure';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { part } from '../../base/part';
import { ReasonedButton } from '../../base/ReasonedButton';
import { State } from '../../resources/State';
import { useDisabledReason, useMayRead } from '../../session/useSession';
import { SETUP } from '../setup/setup';
import { Alerts } from './Alerts';
import { Capacity } from './Capacity';
import { Health } from './Health';
import { Now } from './Now';
import { overviewQuery } from './overview';
import { ToSetup } from './ToSetup';

const Activity = part(() => import('./Activity'));

/** The state of the array at a glance. Every figure leads to the list that it counts. */
export default function DashboardPage() {
  const { t } = useTranslation();
  const go = useGo();
  const mayRead = useMayRead();
  const reason = useDisabledReason();
  const { data: overview, error, isPending, refetch } = useQuery(overviewQuery);
  return (
    <div className="page">
      <PageHead
        title={t('Dashboard')}
        {...(overview?.version && {
          help: t('Release {{version}}', { version: overview.version }),
        })}
        aside={
          isPending ? <Loading isLine /> : overview?.health && <State value={overview.health} />
        }
      >
        <ReasonedButton reason={reason('POST', 'storage/volumes')} onClick={() => go('/provision')}>
          {t('Provision for a host')}
        </ReasonedButton>
      </PageHead>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!overview && !error && <Loading />}
      {/* An array that serves hosts is set up: the query about that is not needed, too. */}
      {overview?.hosts === 0 && mayRead(SETUP) && <ToSetup />}
      {overview && (
        <div className="tiles">
          <Health overview={overview} />
          {overview.aggregates && <Capacity aggregates={overview.aggregates} />}
          {!overview.aggregates && mayRead('storage/aggregates') && <Capacity aggregates={[]} />}
          {overview.alerts?.count !== undefined && <Alerts alerts={overview.alerts} />}
          <Now overview={overview} />
        </div>
      )}
      {mayRead('cluster/metrics') && <Activity />}
    </div>
  );
}

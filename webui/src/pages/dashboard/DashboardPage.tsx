import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';

import { api } from '../../api/client';
import { PageHead } from '../../resources/PageHead';
import { useMayRead } from '../../session/useSession';
import { every } from '../../shell/activity';
import { ALERTS_PAGE, alertsQuery } from '../../shell/alerts';
import { PageLink } from '../../shell/PageLink';
import { State } from '../../resources/State';
import { formatTime } from '../../resources/times';
import { Capacity } from './Capacity';
import { Health } from './Health';

const Activity = lazy(() => import('./Activity'));
const ALERTS = 6;

/** The state of the array at a glance. Every figure leads to the list that it counts. */
export default function DashboardPage() {
  const { t } = useTranslation();
  const mayRead = useMayRead();
  const { data: array } = useQuery({
    queryKey: ['array'],
    queryFn: async () =>
      (await api.GET('/cluster', { params: { query: { fields: 'name,version' } } })).data!,
    staleTime: 60_000,
  });
  const { data: aggregates } = useQuery({
    queryKey: ['dashboard', 'aggregates'],
    enabled: mayRead('storage/aggregates'),
    queryFn: async () => {
      const query = {
        fields: 'name,state,space.block_storage,block_storage.raid_groups,volume_count',
      };
      return (await api.GET('/storage/aggregates', { params: { query } })).data?.records ?? [];
    },
    refetchInterval: () => every(15),
  });
  return (
    <div className="page">
      <PageHead
        title={array?.name ?? t('Dashboard')}
        {...(array?.version?.full && { help: array.version.full })}
      />
      <div className="tiles">
        <Health aggregates={aggregates} />
        <Capacity aggregates={aggregates} />
        {mayRead('support/ems/events') && <Alerts />}
      </div>
      {mayRead('cluster/metrics') && <Activity />}
    </div>
  );
}

function Alerts() {
  const { t, i18n } = useTranslation();
  const { data = [], isPending } = useQuery(alertsQuery);
  return (
    <section className="card tile" aria-label={t('Alerts')}>
      <h2>
        <PageLink to={ALERTS_PAGE}>{t('Alerts')}</PageLink>
      </h2>
      {!isPending && !data.length && <p className="quiet">{t('Nothing needs attention.')}</p>}
      <ul className="alerts">
        {data.slice(0, ALERTS).map((event) => (
          <li key={event.index}>
            <State value={event.message?.severity ?? 'unknown'} />
            <PageLink to={`/support/ems/events/${event.index}`}>{event.log_message}</PageLink>
            <time className="quiet">{formatTime(event.time ?? '', i18n.language)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

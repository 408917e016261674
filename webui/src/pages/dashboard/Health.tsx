import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { call } from '../../api/client';
import { State } from '../../resources/State';
import { useMayRead } from '../../session/useSession';
import { every } from '../../shell/activity';
import { PageLink } from '../../shell/PageLink';
import type { Aggregate } from './aggregate';

/** What is looked at besides aggregates: a list, and the filter of what is wrong in it. */
const CHECKS = [
  { text: 'Disks', path: 'storage/disks', filter: { container_type: 'broken' }, bad: 'broken' },
  { text: 'LUNs', path: 'storage/luns', filter: { 'status.state': 'offline' }, bad: 'offline' },
  {
    text: 'Namespaces',
    path: 'storage/namespaces',
    filter: { 'status.state': 'offline' },
    bad: 'offline',
  },
  {
    text: 'Network interfaces',
    path: 'network/ip/interfaces',
    filter: { state: 'down', enabled: 'true' },
    bad: 'down',
  },
];

export function Health({ aggregates }: { aggregates: Aggregate[] | undefined }) {
  const { t } = useTranslation();
  const mayRead = useMayRead();
  const checks = CHECKS.filter(({ path }) => mayRead(path));
  const { data: counts } = useQuery({
    queryKey: ['dashboard', 'health'],
    queryFn: () =>
      Promise.all(
        checks.map(async ({ path, filter }) =>
          Number((await call('GET', path, { ...filter, return_records: false }))['num_records']),
        ),
      ),
    refetchInterval: () => every(30),
  });
  const offline = aggregates?.filter((each) => each.state !== 'online').length ?? 0;
  const degraded =
    aggregates?.filter((each) =>
      each.block_storage?.raid_groups?.some((group) => (group.missing_disks ?? 0) > 0),
    ).length ?? 0;
  return (
    <section className="card tile" aria-label={t('Health')}>
      <h2>{t('Health')}</h2>
      <ul className="health">
        {aggregates && (
          <li>
            <PageLink to="/storage/aggregates">{t('Aggregates')}</PageLink>
            {offline > 0 && <Wrong count={offline} state="offline" />}
            {degraded > 0 && <Wrong count={degraded} state="degraded" />}
            {!offline && !degraded && <State value="ok" />}
          </li>
        )}
        {counts &&
          checks.map(({ text, path, filter, bad }, index) => (
            <li key={path}>
              <PageLink
                to={
                  counts[index]
                    ? `/${path}?${new URLSearchParams(filter as Record<string, string>)}`
                    : `/${path}`
                }
              >
                {t(text)}
              </PageLink>
              {counts[index] ? <Wrong count={counts[index]} state={bad} /> : <State value="ok" />}
            </li>
          ))}
      </ul>
    </section>
  );
}

const Wrong = ({ count, state }: { count: number; state: string }) => (
  <span>
    {count} × <State value={state} />
  </span>
);

import { EmptyState, EmptyStateBody } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { Failure } from '../../base/Failure';
import { Loading } from '../../base/Loading';
import { PageLink } from '../../base/PageLink';
import { State } from '../../resources/State';
import { useMayRead } from '../../session/useSession';
import { BayTile } from './BayTile';
import { disksQuery, shelvesQuery } from './queries';
import { conditionOfDisk, type Rack, racks } from './shelves';

/** All disks where they are: shelf by shelf, bay by bay. */
export default function Shelves() {
  const { t } = useTranslation();
  const mayRead = useMayRead();
  const disks = useQuery(disksQuery);
  const shelves = useQuery({ ...shelvesQuery, enabled: mayRead('storage/shelves') });
  const error = disks.error ?? shelves.error;
  const drawn =
    disks.data && !shelves.isLoading ? racks(disks.data, shelves.data ?? []) : undefined;
  return (
    <>
      {error && (
        <Failure
          error={error}
          onRetry={() => void Promise.all([disks.refetch(), shelves.refetch()])}
        />
      )}
      {!drawn && !error && <Loading />}
      {drawn?.length === 0 && (
        <EmptyState headingLevel="h2" titleText={t('No disks')} variant="sm">
          <EmptyStateBody>{t('The array sees no disks. Check cables and power.')}</EmptyStateBody>
        </EmptyState>
      )}
      {drawn?.map((rack) => (
        <RackPlan key={rack.shelf?.uid ?? rack.node} rack={rack} />
      ))}
    </>
  );
}

function RackPlan({ rack: { shelf, node, bays } }: { rack: Rack }) {
  const { t } = useTranslation();
  const disks = bays.flatMap(({ disk }) => (disk ? [disk] : []));
  const title = shelf ? t('Shelf {{uid}}', { uid: shelf.uid }) : t('Node {{node}}', { node });
  const about = [shelf?.manufacturer?.name, shelf?.model].filter(Boolean).join(' ');
  return (
    <section className="card rack" aria-label={title}>
      <header className="rack-head">
        <h2>{shelf ? <PageLink to={`/storage/shelves/${shelf.uid}`}>{title}</PageLink> : title}</h2>
        <span className="quiet">
          {shelf
            ? about
            : t('In the machine itself, or in shelves that tell nothing of their bays.')}
        </span>
        <span className="rack-count">
          {shelf
            ? t('{{disks}} of {{bays}} bays in use', { disks: disks.length, bays: bays.length })
            : t('{{total}} in all', { total: disks.length })}
        </span>
        <Troubles words={disks.map(conditionOfDisk)} />
      </header>
      <ul className="bays">
        {bays.map((bay) => (
          <BayTile key={bay.disk?.name ?? bay.number} bay={bay} />
        ))}
      </ul>
    </section>
  );
}

/** How many disks of a shelf need attention, by condition. */
function Troubles({ words }: { words: string[] }) {
  const counts = [...Map.groupBy(words, (word) => word)].filter(([word]) => word !== 'ok');
  if (!counts.length) return <State value="ok" />;
  return counts.map(([word, same]) => (
    <span key={word}>
      {same.length} × <State value={word} />
    </span>
  ));
}

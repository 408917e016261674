import { useTranslation } from 'react-i18next';

import { CapacityBar } from '../../base/CapacityBar';
import { PageLink } from '../../base/PageLink';
import type { components } from '../../generated/api';
import type { OverviewProps } from '../../resources/presentation';
import SpaceHistory, { type SpaceFields } from '../capacity/SpaceHistory';
import { MemberDisks } from './MemberDisks';
import { RaidGroup } from './RaidGroups';
import { Redundancy } from './Redundancy';
import { Scrub } from './Scrub';

const SPACE: SpaceFields = {
  size: 'space.block_storage.size',
  used: 'space.block_storage.used',
  provisioned: 'space.provisioned',
};

/** How full an aggregate is and will be, its RAID groups and its disks. */
export default function AggregateOverview({ place, record }: OverviewProps) {
  const { t } = useTranslation();
  const aggregate = record as components['schemas']['storage_aggregates'];
  const uuid = aggregate.uuid ?? '';
  const space = aggregate.space?.block_storage;
  return (
    <div className="facts">
      <section className="card" aria-label={t('Capacity')}>
        <h2>{t('Capacity')}</h2>
        <CapacityBar used={space?.used ?? 0} size={space?.size ?? 0} />
        <p>
          <PageLink to={`/storage/volumes?aggregates.uuid=${uuid}`}>
            {t('Volumes on it: {{count}}', { count: aggregate.volume_count ?? 0 })}
          </PageLink>
        </p>
      </section>
      <section className="card" aria-label={t('RAID groups')}>
        <h2>{t('RAID groups')}</h2>
        {aggregate.block_storage?.raid_groups?.map((group) => (
          <RaidGroup key={group.number} group={group} place={place} record={record} />
        ))}
        <Redundancy storage={aggregate.block_storage} />
        {aggregate.scrub && <Scrub scrub={aggregate.scrub} />}
      </section>
      <SpaceHistory api={place.api} fields={SPACE} />
      <MemberDisks place={place} record={record} />
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { api } from '../../api/client';
import type { components } from '../../generated/api';
import { CapacityBar } from '../../resources/CapacityBar';
import { formatSize } from '../../resources/sizes';
import { State } from '../../resources/State';
import { every } from '../../shell/activity';
import { PageLink } from '../../shell/PageLink';
import SpaceHistory, { type SpaceFields } from '../capacity/SpaceHistory';
import type { OverviewProps } from '../registry';
import { RaidGroup } from './RaidGroups';

const SPACE: SpaceFields = {
  size: 'space.block_storage.size',
  used: 'space.block_storage.used',
  provisioned: 'space.provisioned',
};

/** How full an aggregate is and will be, its RAID groups and its disks. */
export default function AggregateOverview({ place, record }: OverviewProps) {
  const { t, i18n } = useTranslation();
  const aggregate = record as components['schemas']['storage_aggregates'];
  const uuid = aggregate.uuid ?? '';
  const { data: disks = [] } = useQuery({
    queryKey: ['aggregate-disks', uuid],
    queryFn: async () => {
      const query = { 'aggregates.uuid': uuid, fields: 'name,state,usable_size,model,type' };
      return (await api.GET('/storage/disks', { params: { query } })).data?.records ?? [];
    },
    refetchInterval: () => every(15),
  });
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
          <RaidGroup key={group.number} group={group} />
        ))}
      </section>
      <SpaceHistory api={place.api} fields={SPACE} />
      <section className="card card-wide">
        <h2>{t('Disks')}</h2>
        <div className="figures-scroller" tabIndex={0} role="region" aria-label={t('Disks')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('Name')}</th>
                <th scope="col">{t('State')}</th>
                <th scope="col" className="is-number">
                  {t('Size')}
                </th>
                <th scope="col">{t('Model')}</th>
              </tr>
            </thead>
            <tbody>
              {disks.map((disk) => (
                <tr key={disk.name}>
                  <td>
                    <PageLink to={`/storage/disks/${disk.name}`}>{disk.name}</PageLink>
                  </td>
                  <td>
                    <State value={disk.state ?? 'unknown'} />
                  </td>
                  <td className="is-number">{formatSize(disk.usable_size ?? 0, i18n.language)}</td>
                  <td>{disk.model}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}

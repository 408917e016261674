import { useTranslation } from 'react-i18next';

import type { components } from '../../generated/api';
import type { OverviewProps } from '../../resources/presentation';
import { State } from '../../resources/State';
import { WidenGroup } from './WidenGroup';

export type Group = NonNullable<
  NonNullable<components['schemas']['storage_aggregates']['block_storage']>['raid_groups']
>[number];

/** One RAID group: its number, its state, and how far a rebuild is. */
export function RaidGroup({ group, place, record }: Partial<OverviewProps> & { group: Group }) {
  const { t } = useTranslation();
  const missing = group.missing_disks ?? 0;
  return (
    <span className="raid-group">
      <span>{t('Group {{number}}', { number: group.number })}</span>
      <State value={missing ? 'degraded' : (group.state ?? 'unknown')} />
      {missing > 0 && <span>{t('{{count}} disks missing', { count: missing })}</span>}
      {group.resync_percent !== undefined && (
        <progress
          max={100}
          value={group.resync_percent}
          aria-label={t('Rebuild')}
          title={`${group.resync_percent} %`}
        />
      )}
      {group.seconds_left !== undefined && (
        <span>{t('{{minutes}} min left', { minutes: Math.ceil(group.seconds_left / 60) })}</span>
      )}
      {place && record && <WidenGroup place={place} record={record} group={group} />}
    </span>
  );
}

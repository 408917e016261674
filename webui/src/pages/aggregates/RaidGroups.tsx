import { useTranslation } from 'react-i18next';

import type { components } from '../../generated/api';
import { State } from '../../resources/State';

type Group = NonNullable<
  NonNullable<components['schemas']['storage_aggregates']['block_storage']>['raid_groups']
>[number];

/** One RAID group: its number, its state, and how far a rebuild is. */
export function RaidGroup({ group }: { group: Group }) {
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
    </span>
  );
}

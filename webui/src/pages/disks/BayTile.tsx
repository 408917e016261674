import { useTranslation } from 'react-i18next';

import { PageLink } from '../../base/PageLink';
import { formatSize } from '../../base/sizes';
import { choiceLabel } from '../../declarations/labels';
import { State } from '../../resources/State';
import { LocateButton } from './LocateButton';
import { type Bay, conditionOfDisk, type Disk } from './shelves';

/** One bay: the disk in it, its condition, its use. */
export function BayTile({ bay: { number, disk, isFaulty } }: { bay: Bay }) {
  const { t, i18n } = useTranslation();
  const isLit = disk?.location_led === 'on';
  const kinds = ['bay', !disk && 'bay-empty', isLit && 'is-lit'].filter(Boolean);
  return (
    <li className={kinds.join(' ')}>
      <div className="bay-head">
        {number !== undefined && (
          <span className="bay-number">{t('Bay {{number}}', { number })}</span>
        )}
        {disk && <LocateButton disk={disk} isSmall />}
      </div>
      {disk ? (
        <>
          <PageLink className="bay-disk" to={`/storage/disks/${disk.name}`}>
            {disk.name}
          </PageLink>
          <State value={conditionOfDisk(disk)} />
          <span className="bay-use">
            <Use disk={disk} />
          </span>
          <span className="quiet">
            {formatSize(disk.usable_size ?? 0, i18n.language)} · {choiceLabel(t, disk.type ?? '')}
          </span>
          {isLit && <span className="bay-lit">{t('Locate light is on')}</span>}
        </>
      ) : (
        <span className="quiet">{t('Empty')}</span>
      )}
      {isFaulty && <State value="warning" />}
    </li>
  );
}

function Use({ disk }: { disk: Disk }) {
  const { t } = useTranslation();
  const [aggregate] = disk.aggregates ?? [];
  if (aggregate)
    return (
      <>
        <PageLink to={`/storage/aggregates/${aggregate.uuid}`}>{aggregate.name}</PageLink>
        {disk.raid_group !== undefined && (
          <> · {t('Group {{number}}', { number: disk.raid_group })}</>
        )}
      </>
    );
  if (disk.container_type === 'spare') return t('Spare');
  return disk.container_type === 'foreign'
    ? disk.content
    : choiceLabel(t, disk.container_type ?? '');
}

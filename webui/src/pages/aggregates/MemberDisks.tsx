import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { api } from '../../api/client';
import { seldom } from '../../base/activity';
import { Loading } from '../../base/Loading';
import { PageLink } from '../../base/PageLink';
import { formatSize } from '../../base/sizes';
import type { OverviewProps } from '../../resources/presentation';
import { State } from '../../resources/State';
import { OF_CONDITION } from '../disks/queries';
import { conditionOfDisk, isGone } from '../disks/shelves';
import { ReplaceDisk } from './ReplaceDisk';

const OF_DISK = ['name', 'usable_size', 'bytes_per_sector', 'model', 'raid_group'];
const FIELDS = [...OF_DISK, ...OF_CONDITION].join(',');

/** The disks of an aggregate; one that broke or was taken out is replaced here. */
export function MemberDisks({ place, record }: OverviewProps) {
  const { t, i18n } = useTranslation();
  const uuid = String(record['uuid']);
  const { data: disks = [], isPending } = useQuery({
    queryKey: ['aggregate-disks', uuid],
    // The RAID groups of the aggregate show which of their disks broke.
    meta: { shows: ['storage/disks', `storage/aggregates/${uuid}`] },
    queryFn: async () => {
      const query = { 'aggregates.uuid': uuid, fields: FIELDS, max_records: 10_000 };
      return (await api.GET('/storage/disks', { params: { query } })).data?.records ?? [];
    },
    refetchInterval: () => seldom(15),
  });
  return (
    <section className="card card-wide">
      <h2>{t('Disks')}</h2>
      {isPending && <Loading />}
      <div className="figures-scroller" tabIndex={0} role="region" aria-label={t('Disks')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('Name')}</th>
              <th scope="col">{t('State')}</th>
              <th scope="col">{t('RAID group')}</th>
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
                  <span className="raid-group">
                    <State value={conditionOfDisk(disk)} />
                    {isGone(disk) && (
                      <ReplaceDisk place={place} record={record} disk={disk} members={disks} />
                    )}
                  </span>
                </td>
                <td>{t('Group {{number}}', { number: disk.raid_group })}</td>
                <td className="is-number">{formatSize(disk.usable_size ?? 0, i18n.language)}</td>
                <td>{disk.model}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

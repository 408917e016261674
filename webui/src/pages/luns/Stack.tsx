import { Alert } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { PageLink } from '../../base/PageLink';
import { at } from '../../declarations/declarations';
import { State } from '../../resources/State';
import { RaidGroup } from '../aggregates/RaidGroups';
import type { Layers } from './layers';

/** The layers from the LUN down to the disks, each a link; faults of any are shown above. */
export function Stack({ lun, volume, aggregate, disks }: Layers & { lun: Json }) {
  const { t } = useTranslation();
  const groups = aggregate?.block_storage?.raid_groups ?? [];
  const faults = [
    volume.state !== 'online' && t('The volume is offline.'),
    aggregate && aggregate.state !== 'online' && t('The aggregate is offline.'),
    at(lun, 'status.state') === 'space_error' &&
      t('Writes that need new space are refused: the aggregate has none left.'),
    groups.some((group) => group.missing_disks) && t('A RAID group lacks disks.'),
    disks.some((disk) => disk.state !== 'present') && t('A disk is not as it should be.'),
  ].filter((fault) => typeof fault === 'string');
  return (
    <section className="card" aria-label={t('What it lies on')}>
      <h2>{t('What it lies on')}</h2>
      {faults.map((fault) => (
        <Alert key={fault} component="h3" isInline variant="warning" title={fault} />
      ))}
      <ol className="stack">
        <Layer kind={t('LUN')} state={String(at(lun, 'status.state'))}>
          {String(lun['name'])}
        </Layer>
        <Layer kind={t('Volume')} state={volume.state}>
          <PageLink to={`/storage/volumes/${volume.uuid}`}>{volume.name}</PageLink>
        </Layer>
        {aggregate && (
          <Layer kind={t('Aggregate')} state={aggregate.state}>
            <PageLink to={`/storage/aggregates/${aggregate.uuid}`}>{aggregate.name}</PageLink>
          </Layer>
        )}
        {groups.map((group) => (
          <Layer key={group.number} kind={t('RAID group')}>
            <RaidGroup group={group} />
          </Layer>
        ))}
        {disks.length > 0 && (
          <Layer kind={t('Disks')}>
            <span className="disks">
              {disks.map((disk) => (
                <PageLink key={disk.name} to={`/storage/disks/${disk.name}`} title={disk.model}>
                  {disk.name}
                  {disk.state !== 'present' && <State value={disk.state ?? 'unknown'} />}
                </PageLink>
              ))}
            </span>
          </Layer>
        )}
      </ol>
    </section>
  );
}

function Layer(props: { kind: string; state?: string | undefined; children: ReactNode }) {
  return (
    <li>
      <span className="stack-kind">{props.kind}</span>
      <span className="stack-name">{props.children}</span>
      {props.state && <State value={props.state} />}
    </li>
  );
}

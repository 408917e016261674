import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { api } from '../../api/client';
import { ReasonedButton } from '../../base/ReasonedButton';
import { formatSize } from '../../base/sizes';
import { choiceLabel } from '../../declarations/labels';
import { ChangeDialog } from '../../resources/action/ChangeDialog';
import type { OverviewProps } from '../../resources/presentation';
import { useDisabledReason } from '../../session/useSession';
import { OF_CONDITION } from '../disks/queries';
import { conditionOfDisk, type Disk } from '../disks/shelves';
import { replacements } from './replacements';

const FIELDS = ['name', 'type', 'usable_size', 'bytes_per_sector', ...OF_CONDITION].join(',');
const DISKS = 'block_storage.primary.disks';

interface Props extends OverviewProps {
  disk: Disk;
  /** All disks of the aggregate. */
  members: Disk[];
}

/** Puts a spare in the place of a disk that broke or was taken out. */
export function ReplaceDisk({ place, record, disk, members }: Props) {
  const { t, i18n } = useTranslation();
  const reason = useDisabledReason();
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const { data: spares } = useQuery({
    queryKey: ['spares'],
    meta: { shows: ['storage/disks'] },
    queryFn: async () => {
      const query = {
        container_type: 'spare',
        state: 'present',
        fields: FIELDS,
        max_records: 10_000,
      };
      return (await api.GET('/storage/disks', { params: { query } })).data?.records ?? [];
    },
  });
  const { name = '' } = disk;
  const offered = replacements(spares ?? [], members);
  const spare = chosen ?? offered[0]?.name;
  const none =
    spares && !offered.length
      ? t('There is no spare disk as large as the others, with sectors as theirs.')
      : '';
  const disks = members.map((member) => ({ name: member === disk ? spare : member.name }));

  function words(offer: Disk): string {
    const condition = conditionOfDisk(offer);
    const size = formatSize(offer.usable_size ?? 0, i18n.language);
    const parts = [offer.name, size, choiceLabel(t, offer.type ?? '')];
    return [...parts, ...(condition === 'ok' ? [] : [choiceLabel(t, condition)])].join(', ');
  }

  return (
    <>
      <ReasonedButton
        variant="secondary"
        size="sm"
        aria-label={t('Replace disk {{name}}', { name })}
        isDisabled={!spares}
        reason={reason('PATCH', place.api) ?? none}
        onClick={() => setIsOpen(true)}
      >
        {t('Replace')}
      </ReasonedButton>
      {isOpen && (
        <ChangeDialog
          title={t('Replace disk {{name}}', { name })}
          resource={place.resource.path}
          keys={record}
          isDanger
          request={() => ({ method: 'PATCH', path: place.api, body: { [DISKS]: disks } })}
          onClose={() => setIsOpen(false)}
        >
          <FormGroup fieldId="replacement" label={t('Spare disk')}>
            <FormSelect
              id="replacement"
              value={spare}
              onChange={(_event, value) => setChosen(value)}
            >
              {offered.map((offer) => (
                <FormSelectOption key={offer.name} value={offer.name} label={words(offer)} />
              ))}
            </FormSelect>
          </FormGroup>
          <p>
            {t(
              'The RAID group is rebuilt onto the spare disk. Until that is done, pull no other disk of the group.',
            )}
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

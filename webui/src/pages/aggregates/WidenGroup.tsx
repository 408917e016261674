import { FormGroup, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ReasonedButton } from '../../base/ReasonedButton';
import { at } from '../../declarations/declarations';
import { ChangeDialog } from '../../resources/action/ChangeDialog';
import type { OverviewProps } from '../../resources/presentation';
import { useDisabledReason } from '../../session/useSession';
import type { Group } from './RaidGroups';

const PARITY = ['raid_dp', 'raid4', 'raid5'];

/** Spreads a RAID group over more disks; only one that is whole and has parity can be. */
export function WidenGroup({ place, record, group }: OverviewProps & { group: Group }) {
  const { t } = useTranslation();
  const reason = useDisabledReason();
  const [isOpen, setIsOpen] = useState(false);
  const [more, setMore] = useState(1);
  const { number = 0 } = group;
  const hasParity = PARITY.includes(String(at(record, 'block_storage.primary.raid_type')));
  if (!hasParity || group.state !== 'clean') return null;
  const count = Number(at(record, 'block_storage.primary.disk_count')) + more;
  const body = {
    'block_storage.primary.disk_count': count,
    'block_storage.primary.raid_group': `rg${number}`,
  };
  return (
    <>
      <ReasonedButton
        variant="secondary"
        size="sm"
        aria-label={t('Widen RAID group {{number}}', { number })}
        reason={reason('PATCH', place.api)}
        onClick={() => setIsOpen(true)}
      >
        {t('Widen')}
      </ReasonedButton>
      {isOpen && (
        <ChangeDialog
          title={t('Widen RAID group {{number}}', { number })}
          resource={place.resource.path}
          keys={record}
          request={() => ({ method: 'PATCH', path: place.api, body })}
          onClose={() => setIsOpen(false)}
        >
          <FormGroup fieldId="more" label={t('Disks to add')}>
            <TextInput
              id="more"
              type="number"
              min={1}
              value={more}
              onChange={(_event, value) => setMore(Math.max(1, Number(value)))}
            />
          </FormGroup>
          <p>
            {t(
              'The data of the group is spread over the new disks while hosts use it. That takes hours, and cannot be cancelled. Power cuts cost nothing.',
            )}
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

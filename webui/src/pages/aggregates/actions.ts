/** Actions on an aggregate: each in the states where it makes sense. */
import type { TFunction } from 'i18next';

import type { Json } from '../../api/client';
import { at } from '../../declarations/declarations';
import type { Action } from '../../resources/action/action';

const ordered = (action: string, label: (t: TFunction) => string, states: string[]): Action => ({
  name: `scrub_${action}`,
  label,
  needs: ['scrub.state'],
  body: { 'scrub.action': action },
  isDone: (record) => !states.includes(String(at(record, 'scrub.state'))),
});

const groups = (record: Json) => at(record, 'block_storage.raid_groups') as { state?: string }[];

export const AGGREGATE_ACTIONS: Action[] = [
  ordered('start', (t) => t('Scrub'), ['idle']),
  ordered('suspend', (t) => t('Suspend the scrub'), ['running', 'waiting']),
  ordered('resume', (t) => t('Resume the scrub'), ['suspended']),
  ordered('stop', (t) => t('Stop the scrub'), ['running', 'waiting', 'suspended']),
  {
    name: 'force_start',
    label: (t) => t('Start all the same'),
    needs: ['name', 'block_storage.raid_groups.state'],
    isDone: (record) => !groups(record)?.some((group) => group.state === 'dirty'),
    request: (record) => ({
      method: 'PATCH',
      path: `storage/aggregates/${String(at(record, 'uuid'))}`,
      body: { 'forced_start.name': at(record, 'name') },
    }),
    warning: (t, expected) =>
      t(
        'Disks are missing, and hosts wrote when the power was cut: what they wrote may be lost, or damage what lies beside it. Bring the disks back if you can. To go on, type {{expected}}',
        { expected },
      ),
  },
];

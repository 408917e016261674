/** Everyday actions on volumes, on LUNs, namespaces and snapshots in them, on LIFs and on jobs. */
import type { TFunction } from 'i18next';

import type { Json } from '../api/client';
import { part } from '../base/part';
import { at, type Node } from '../declarations/declarations';
import type { Action } from '../resources/action/action';
import { hasFailed, usualWayToErase, waysToErase } from './disks/erasing';

const GrownDevices = part(() => import('./provision/GrownDevices'));

const text = (record: Json, name: string) => String(at(record, name) ?? '');

function onOff(field: string, on: unknown, off: unknown): Action[] {
  return [
    {
      name: 'online',
      label: (t) => t('Set online'),
      needs: [field],
      body: { [field]: on },
      isDone: (record) => at(record, field) === on,
    },
    {
      name: 'offline',
      label: (t) => t('Set offline'),
      needs: [field],
      body: { [field]: off },
      isDone: (record) => at(record, field) === off,
    },
  ];
}

/** LUNs and namespaces are cloned alike. */
const cloned = (path: string): Action => ({
  name: 'clone',
  label: (t) => t('Clone'),
  needs: ['name', 'svm.name'],
  fields: ['name'],
  initial: (record) => ({ name: `${text(record, 'name')}_clone` }),
  request: (record, values) => ({
    method: 'POST',
    path,
    body: {
      'svm.name': at(record, 'svm.name'),
      ...values,
      'clone.source.name': at(record, 'name'),
    },
  }),
});

/** The conversions of a LUN and of a namespace; each stays under its UUID. */
const converted = (
  into: string,
  source: string,
  label: Action['label'],
  other: Pick<Action, 'needs' | 'hindered'> = { needs: [] },
): Action => ({
  name: 'convert',
  label,
  needs: ['name', 'svm.name', 'status.mapped', ...other.needs],
  hindered: (t, record) =>
    at(record, 'status.mapped') ? t('It is mapped; unmap it first.') : other.hindered?.(t, record),
  request: (record) => ({
    method: 'POST',
    path: into,
    resource: into,
    body: {
      'svm.name': at(record, 'svm.name'),
      [`convert.${source}.name`]: at(record, 'name'),
    },
  }),
  leadsTo: (record) => `/${into}/${text(record, 'uuid')}`,
});

const LUN_BLOCK = 512;

const deviceActions = (path: string): Action[] => [
  {
    name: 'resize',
    label: (t) => t('Resize'),
    needs: ['space.size', 'space.used'],
    fields: ['space.size'],
    after: GrownDevices,
  },
  ...onOff('enabled', true, false),
  cloned(path),
];

const named = (t: TFunction): Node[] => [
  { name: 'name', kind: 'text', doc: t('Name of the new object.') },
];

/** As a snapshot that is taken by hand is called: 2026-11-25_0300. */
function now(): string {
  const local = new Date(Date.now() - 60_000 * new Date().getTimezoneOffset()).toISOString();
  return `${local.slice(0, 10)}_${local.slice(11, 16).replace(':', '')}`;
}

export const LUN_ACTIONS = [
  ...deviceActions('storage/luns'),
  converted('storage/namespaces', 'lun', (t) => t('Convert to namespace')),
];
export const NAMESPACE_ACTIONS = [
  ...deviceActions('storage/namespaces'),
  converted('storage/luns', 'namespace', (t) => t('Convert to LUN'), {
    needs: ['space.block_size'],
    hindered: (t, record) =>
      at(record, 'space.block_size') === LUN_BLOCK
        ? undefined
        : t('A LUN has blocks of 512 bytes, this namespace has larger ones.'),
  }),
];

const AUTOSIZE = [
  'autosize.mode',
  'autosize.maximum',
  'autosize.minimum',
  'autosize.grow_threshold',
  'autosize.shrink_threshold',
];
const AUTODELETE = [
  ...['enabled', 'trigger', 'target_free_space', 'delete_order', 'defer_delete', 'prefix'],
  'commitment',
].map((name) => `space.snapshot.autodelete.${name}`);

export const VOLUME_ACTIONS: Action[] = [
  {
    name: 'resize',
    label: (t) => t('Resize'),
    needs: ['size', 'space.used'],
    fields: ['space.size'],
  },
  {
    name: 'autosize',
    label: (t) => t('Size by use'),
    needs: AUTOSIZE,
    fields: AUTOSIZE,
  },
  {
    name: 'autodelete',
    label: (t) => t('Snapshots that go'),
    needs: AUTODELETE,
    fields: AUTODELETE,
  },
  ...onOff('state', 'online', 'offline'),
  {
    name: 'snapshot',
    label: (t) => t('Take a snapshot'),
    needs: ['name', 'state'],
    extraFields: named,
    initial: () => ({ name: `manual_${now()}` }),
    hindered: (t, record) =>
      at(record, 'state') === 'offline' ? t('The volume is offline.') : undefined,
    request: (record, values) => ({
      method: 'POST',
      path: `storage/volumes/${text(record, 'uuid')}/snapshots`,
      resource: 'storage/volumes/{volume.uuid}/snapshots',
      body: values,
    }),
  },
  {
    name: 'clone',
    label: (t) => t('Clone'),
    needs: ['name', 'svm.name'],
    extraFields: named,
    initial: (record) => ({ name: `${text(record, 'name')}_clone` }),
    request: (record, values) => ({
      method: 'POST',
      path: 'storage/volumes',
      body: {
        'svm.name': at(record, 'svm.name'),
        ...values,
        'clone.is_flexclone': true,
        'clone.parent_volume.name': at(record, 'name'),
      },
    }),
  },
];

export const SNAPSHOT_ACTIONS: Action[] = [
  {
    name: 'restore',
    label: (t) => t('Restore the volume'),
    needs: ['name', 'volume.uuid', 'volume.name'],
    request: (record) => ({
      method: 'PATCH',
      path: `storage/volumes/${text(record, 'volume.uuid')}`,
      resource: 'storage/volumes',
      query: { 'restore_to.snapshot.name': text(record, 'name') },
    }),
    warning: (t, expected) =>
      t('What was written since is lost. To go on, type {{expected}}', { expected }),
  },
  {
    name: 'clone',
    label: (t) => t('Clone to a volume'),
    needs: ['name', 'volume.name', 'svm.name'],
    extraFields: named,
    initial: (record) => ({ name: `${text(record, 'volume.name')}_clone` }),
    request: (record, values) => ({
      method: 'POST',
      path: 'storage/volumes',
      resource: 'storage/volumes',
      body: {
        'svm.name': at(record, 'svm.name'),
        ...values,
        'clone.is_flexclone': true,
        'clone.parent_volume.name': at(record, 'volume.name'),
        'clone.parent_snapshot.name': at(record, 'name'),
      },
    }),
  },
];

const ERASABLE = ['foreign', 'spare'];

const patched = (record: Json, body: Json) => ({
  method: 'PATCH' as const,
  path: `storage/disks/${encodeURIComponent(text(record, 'name'))}`,
  body,
});

export const DISK_ACTIONS: Action[] = [
  {
    name: 'unfail',
    label: (t) => t('Put back into service'),
    needs: ['outage.persistently_failed'],
    body: { 'outage.persistently_failed': false },
    isDone: (record) => at(record, 'outage.persistently_failed') !== true,
  },
  {
    name: 'erase',
    label: (t) => t('Erase'),
    needs: [
      'name',
      'content',
      'container_type',
      'state',
      'discards',
      'sanitize.methods',
      'sanitize.state',
    ],
    fields: ['erase.method'],
    choices: (record) => ({ 'erase.method': waysToErase(record) }),
    initial: (record) => ({ 'erase.method': usualWayToErase(record) }),
    request: (record, values) =>
      patched(record, { ...values, 'erase.content': text(record, 'content') }),
    hindered: (t, record) =>
      hasFailed(record) ||
      (ERASABLE.includes(text(record, 'container_type')) && record['state'] === 'present')
        ? undefined
        : t('It is in use, or not there.'),
    warning: (t, expected, record) =>
      record['content']
        ? t('Its content is lost: {{content}}. To go on, type {{expected}}', {
            content: text(record, 'content'),
            expected,
          })
        : t('It is empty already, and its blocks are erased. To go on, type {{expected}}', {
            expected,
          }),
  },
  {
    name: 'release',
    label: (t) => t('Use again'),
    needs: ['name', 'sanitize.state'],
    isDone: (record) => !hasFailed(record),
    request: (record) => patched(record, { 'sanitize.action': 'release' }),
    warning: (t, expected) =>
      t('Data left on it can be read again. To go on, type {{expected}}', { expected }),
  },
];

export const LIF_ACTIONS: Action[] = [
  {
    name: 'up',
    label: (t) => t('Switch on'),
    needs: ['enabled'],
    body: { enabled: true },
    isDone: (record) => record['enabled'] === true,
  },
  {
    name: 'down',
    label: (t) => t('Switch off'),
    needs: ['enabled'],
    body: { enabled: false },
    isDone: (record) => record['enabled'] === false,
  },
  {
    name: 'home',
    label: (t) => t('Bring home'),
    needs: ['location.is_home'],
    body: { location: { is_home: true } },
    isDone: (record) => at(record, 'location.is_home') !== false,
  },
];

export const JOB_ACTIONS: Action[] = [
  {
    name: 'cancel',
    label: (t) => t('Cancel the job'),
    needs: ['cancelable', 'state'],
    query: { action: 'cancel' },
    hindered: (t, record) =>
      ['success', 'failure'].includes(String(record['state']))
        ? t('It has ended.')
        : record['cancelable']
          ? undefined
          : t('It cannot be cancelled.'),
  },
];

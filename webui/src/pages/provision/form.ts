/** The fields of the form, as declarations of a resource are, and how they are read. */
import type { TFunction } from 'i18next';

import { parseSize } from '../../base/sizes';
import type { Declarations, Node } from '../../declarations/declarations';
import { resourceNoun } from '../../declarations/labels';
import { type Chosen, isEmpty, type Values } from '../../resources/form/values';
import { isNvme, type Protocol } from './commandParts';
import { type Answers, KINDS, volumeName } from './plan';

/** Fields that are seen at once, and those below "More". */
export interface Fields {
  first: Node[];
  more: Node[];
}

export const INITIAL: Values = {
  protocol: 'iscsi',
  host: 'new_host',
  os_type: 'linux',
  count: '1',
};

const MOST = 64;

const PROTOCOLS: readonly Protocol[] = ['iscsi', 'srp', 'fcp', 'nvme_tcp', 'nvme_fc'];

export const protocolOf = (values: Values): Protocol =>
  PROTOCOLS.find((protocol) => protocol === values['protocol']) ?? 'iscsi';

export const svmOf = (values: Values): string => (values['svm'] as Chosen | undefined)?.name ?? '';

const text = (values: Values, name: string) => String(values[name] ?? '').trim();

/** Return the fields, which differ by protocol and by whether the host is known. */
export function fieldsOf(t: TFunction, values: Values, declarations: Declarations): Fields {
  const protocol = protocolOf(values);
  const kind = KINDS[protocol];
  const isNew = values['host'] !== 'existing_host';
  const choices = (path: string, name: string) =>
    declarations.get(path).fields.find((node) => node.name === name)?.choices ?? [];
  const initiator: Node = {
    name: 'initiator',
    kind: 'text',
    required: true,
    doc: {
      iscsi: t('On Linux in /etc/iscsi/initiatorname.iscsi: iqn.…'),
      srp: t(
        'On Linux of each network port the last half of /sys/class/infiniband/*/ports/*/gids/0, 5054:00ff:…, with blanks between them.',
      ),
      fcp: t(
        'On Linux of each port /sys/class/fc_host/*/port_name, or an alias of it, with blanks between them.',
      ),
      nvme_tcp: t('On Linux in /etc/nvme/hostnqn: nqn.…'),
      nvme_fc: t('On Linux in /etc/nvme/hostnqn: nqn.…'),
    }[protocol],
  };
  const system: Node = {
    name: 'os_type',
    kind: 'choice',
    required: true,
    choices: choices(kind.groups, 'os_type'),
    doc: t('What the host runs.'),
  };
  const group: Node = {
    name: 'igroup',
    kind: 'reference',
    to: kind.groups,
    required: true,
    doc: t('What the host is in on the array.'),
  };
  return {
    first: [
      {
        name: 'svm',
        kind: 'reference',
        to: 'svm/svms',
        required: true,
        doc: t('What serves the host.'),
      },
      {
        name: 'protocol',
        kind: 'choice',
        required: true,
        choices: [...PROTOCOLS],
        doc: t('How the host reaches it.'),
      },
      {
        name: 'host',
        kind: 'choice',
        required: true,
        choices: ['new_host', 'existing_host'],
        doc: t('Whether the array knows the host already.'),
      },
      ...(isNew ? [initiator, system] : [group]),
      {
        name: 'name',
        kind: 'text',
        required: true,
        doc: t('Of the new volume, LUNs or namespaces, and group of the host.'),
      },
      {
        name: 'count',
        kind: 'integer',
        required: true,
        doc: isNvme(protocol) ? t('Number of namespaces.') : t('Number of LUNs.'),
      },
      { name: 'size', kind: 'size', required: true, doc: t('Of each.') },
      {
        name: 'aggregate',
        kind: 'reference',
        to: 'storage/aggregates',
        doc: t('The one with most space where none is given.'),
      },
    ],
    more: [
      {
        name: 'volume',
        kind: 'text',
        doc: t('Name of the volume; that above where none is given.'),
      },
      ...(isNew
        ? [
            {
              name: 'group',
              kind: 'text',
              doc: t('Name of the group of the host; that above where none is given.'),
            },
          ]
        : []),
      {
        name: 'reserved',
        kind: 'boolean',
        doc: t('Set the whole size aside, so that it never runs short.'),
      },
      {
        name: 'qos',
        kind: 'reference',
        to: 'storage/qos/policies',
        doc: t('Limits how much the host may do.'),
      },
      ...(isNvme(protocol)
        ? [
            {
              name: 'block_size',
              kind: 'choice',
              choices: ['4096', '512'],
              doc: t(
                'Logical block size in bytes; where none is given, 512 for VMware, which uses no other, and 4096 else.',
              ),
            },
          ]
        : []),
    ],
  };
}

export function labelOf(t: TFunction, name: string, protocol: Protocol): string {
  const group = resourceNoun(t, KINDS[protocol].groups);
  const labels: Record<string, string> = {
    svm: t('SVM'),
    protocol: t('Protocol'),
    host: t('Host'),
    initiator: {
      iscsi: t('IQN of the host'),
      srp: t('GIDs of the host'),
      fcp: t('WWPNs of the host'),
      nvme_tcp: t('NQN of the host'),
      nvme_fc: t('NQN of the host'),
    }[protocol],
    os_type: t('Operating system'),
    igroup: group,
    name: t('Name'),
    count: t('Number'),
    size: t('Size'),
    aggregate: t('Aggregate'),
    volume: t('Volume'),
    group,
    reserved: t('Reserve the space'),
    qos: t('QoS policy'),
    block_size: t('Block size'),
  };
  return labels[name] ?? name;
}

export class NotComplete extends Error {
  constructor(readonly errors: Record<string, string>) {
    super('not complete');
  }
}

/**
 * Read the form. `osType` is that of the existing group, `ports` are the Fibre Channel ports that
 * get an interface. Throws NotComplete.
 */
export function read(
  t: TFunction,
  values: Values,
  fields: Fields,
  osType: string,
  ports: string[],
): Answers {
  const errors: Record<string, string> = {};
  for (const { name, required } of fields.first)
    if (required && isEmpty(values[name])) errors[name] = t('This is needed.');
  const size = parseSize(text(values, 'size'));
  if (size === undefined && !errors['size']) errors['size'] = t('Write a size such as "100 GiB".');
  const count = /^\d+$/.test(text(values, 'count')) ? Number(text(values, 'count')) : 0;
  if ((count < 1 || count > MOST) && !errors['count'])
    errors['count'] = t('Write a number from 1 to {{most}}.', { most: MOST });
  const name = text(values, 'name');
  if (name && !/^(?!\.{1,2}$)[A-Za-z0-9._{}-]+$/.test(name))
    errors['name'] = t('Use letters, digits, . _ and -.');
  const isNew = values['host'] !== 'existing_host';
  const system = isNew ? text(values, 'os_type') : osType;
  if (system === 'vmware' && text(values, 'block_size') === '4096')
    errors['block_size'] = t('VMware uses blocks of 512 bytes alone.');
  if (Object.keys(errors).length) throw new NotComplete(errors);
  const chosen = (field: string) => (values[field] as Chosen | undefined)?.name;
  const aggregate = chosen('aggregate');
  const qosPolicy = chosen('qos');
  return {
    svm: chosen('svm')!,
    protocol: protocolOf(values),
    group: isNew ? text(values, 'group') || name : chosen('igroup')!,
    ...(isNew && {
      host: { initiators: text(values, 'initiator').split(/\s+/), osType: text(values, 'os_type') },
    }),
    osType: system,
    name,
    count,
    size: size!,
    volume: text(values, 'volume') || volumeName(name),
    ...(aggregate && { aggregate }),
    isReserved: values['reserved'] === true,
    ...(qosPolicy && { qosPolicy }),
    ports,
    ...(text(values, 'block_size') && { blockSize: Number(text(values, 'block_size')) }),
  };
}

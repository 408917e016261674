/**
 * Which objects a host needs to use new LUNs or namespaces, and the requests that make them.
 *
 * All requests refer to objects by name, so that each is known before the others are sent: the review
 * shows exactly the later requests.
 */
import type { Json, Query } from '../../api/client';
import type { Method } from '../../api/method';
import { isNvme, type Protocol } from './commandParts';

/** The values of the form. Sizes are bytes. */
export interface Answers {
  svm: string;
  protocol: Protocol;
  /** The group of the maps: an igroup, or a subsystem. */
  group: string;
  /** The names of the host and its system, for a new group: by SRP and FCP a name for each port. */
  host?: { initiators: string[]; osType: string };
  /** Of the devices: that of an existing group's hosts. */
  osType: string;
  name: string;
  count: number;
  size: number;
  volume: string;
  aggregate?: string;
  isReserved: boolean;
  qosPolicy?: string;
  blockSize?: number;
  /** The array's Fibre Channel ports, by name, at which the SVM is to get an interface. */
  ports: string[];
}

/** The service of the protocol in the SVM, as it is: a missing one has no UUID. */
export interface Service {
  svmUuid?: string;
  enabled: boolean;
}

export interface Step {
  /** The resource. */
  path: string;
  method: Method;
  /** The address of the request: the resource, or one of its objects. */
  to: string;
  /** The name of the object, as in a list. */
  name: string;
  /** Values by field. */
  body: Json;
  /** How the object is found again. */
  find: Query;
  /** A field and its value when the object is as it should be. */
  shows?: [field: string, value: unknown];
  /** Whether it can be tried before the others are done. */
  isTried: boolean;
  /** Which field of the form a refusal is about, by the field that the array names. */
  fields: Record<string, string>;
}

const LUNS = {
  devices: 'storage/luns',
  groups: 'protocols/san/igroups',
  maps: 'protocols/san/lun-maps',
  device: 'lun',
  group: 'igroup',
} as const;

const NAMESPACES = {
  services: 'protocols/nvme/services',
  devices: 'storage/namespaces',
  groups: 'protocols/nvme/subsystems',
  maps: 'protocols/nvme/subsystem-maps',
  device: 'namespace',
  group: 'subsystem',
} as const;

interface Kind {
  services: string;
  devices: string;
  groups: string;
  maps: string;
  device: string;
  group: string;
  /** The service that LIFs offer for it, for protocols over IP. */
  lifService?: string;
  /** The data protocol of the interfaces, for protocols over Fibre Channel. */
  dataProtocol?: string;
}

export const KINDS: Record<Protocol, Kind> = {
  iscsi: { ...LUNS, services: 'protocols/san/iscsi/services', lifService: 'data_iscsi' },
  srp: { ...LUNS, services: 'protocols/san/srp/services', lifService: 'data_srp' },
  fcp: { ...LUNS, services: 'protocols/san/fcp/services', dataProtocol: 'fcp' },
  nvme_tcp: { ...NAMESPACES, lifService: 'data_nvme_tcp' },
  nvme_fc: { ...NAMESPACES, dataProtocol: 'fc_nvme' },
};

const MIB = 1024 ** 2;
const SMALLEST_VOLUME = 20 * MIB;

/** A volume has a name of letters, digits and _; a LUN may have others, too. */
export function volumeName(name: string): string {
  const fit = name.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return /^[A-Za-z_]/.test(fit) ? fit : `v${fit}`;
}

/** "db" alone, or "db1", "db2" … where there are several. */
export function deviceNames({ name, count }: Pick<Answers, 'name' | 'count'>): string[] {
  if (count === 1) return [name];
  return Array.from({ length: count }, (_nothing, index) => `${name}${index + 1}`);
}

/** Room for all devices, in whole MiB. */
export function volumeSize({ size, count }: Pick<Answers, 'size' | 'count'>): number {
  return Math.max(SMALLEST_VOLUME, Math.ceil((size * count) / MIB) * MIB);
}

/** Return the requests in the order in which they are to be sent. */
export function plan(answers: Answers, service: Service): Step[] {
  const kind = KINDS[answers.protocol];
  const inSvm = { 'svm.name': answers.svm };
  const devices = deviceNames(answers).map((name) => `/vol/${answers.volume}/${name}`);
  return [
    ...serviceStep(answers, service),
    {
      path: 'storage/volumes',
      method: 'POST',
      to: 'storage/volumes',
      name: answers.volume,
      body: {
        name: answers.volume,
        ...inSvm,
        size: volumeSize(answers),
        ...(answers.aggregate && { aggregates: [{ name: answers.aggregate }] }),
        'guarantee.type': answers.isReserved ? 'volume' : 'none',
      },
      find: { ...inSvm, name: answers.volume },
      shows: ['state', 'online'],
      isTried: true,
      fields: { name: 'volume', size: 'size', aggregates: 'aggregate', svm: 'svm' },
    },
    ...devices.map((name): Step => ({
      path: kind.devices,
      method: 'POST',
      to: kind.devices,
      name,
      body: {
        ...inSvm,
        name,
        os_type: answers.osType,
        'space.size': answers.size,
        'space.guarantee.requested': answers.isReserved,
        ...(answers.qosPolicy && { 'qos_policy.name': answers.qosPolicy }),
        ...(isNvme(answers.protocol) &&
          answers.blockSize && { 'space.block_size': answers.blockSize }),
      },
      find: { ...inSvm, name },
      shows: ['status.state', 'online'],
      isTried: false,
      fields: { name: 'name', 'space.size': 'size', qos_policy: 'qos', svm: 'svm' },
    })),
    ...groupStep(answers, service),
    ...devices.map((name): Step => ({
      path: kind.maps,
      method: 'POST',
      to: kind.maps,
      name: `${name} – ${answers.group}`,
      body: { ...inSvm, [`${kind.device}.name`]: name, [`${kind.group}.name`]: answers.group },
      find: { ...inSvm, [`${kind.device}.name`]: name, [`${kind.group}.name`]: answers.group },
      isTried: false,
      fields: {},
    })),
    // The last, since a Linux host looks for no LUNs at a port that has refused it before.
    ...interfaceSteps(answers),
  ];
}

function interfaceSteps({ protocol, svm, ports }: Answers): Step[] {
  const { dataProtocol } = KINDS[protocol];
  return ports.map((port) => {
    const name = `${dataProtocol}_${port.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}`;
    return {
      path: 'network/fc/interfaces',
      method: 'POST',
      to: 'network/fc/interfaces',
      name,
      body: {
        'svm.name': svm,
        name,
        data_protocol: dataProtocol,
        'location.home_port.name': port,
      },
      find: { 'svm.name': svm, name },
      shows: ['enabled', true],
      isTried: true,
      fields: { svm: 'svm', name: 'ports', location: 'ports', data_protocol: 'protocol' },
    };
  });
}

function serviceStep({ protocol, svm }: Answers, service: Service): Step[] {
  if (service.enabled) return [];
  const path = KINDS[protocol].services;
  const common = {
    path,
    name: svm,
    find: { 'svm.name': svm },
    shows: ['enabled', true] as [string, boolean],
    isTried: true,
    fields: { svm: 'svm' },
  };
  return service.svmUuid
    ? [{ ...common, method: 'PATCH', to: `${path}/${service.svmUuid}`, body: { enabled: true } }]
    : [{ ...common, method: 'POST', to: path, body: { 'svm.name': svm, enabled: true } }];
}

function groupStep({ protocol, svm, group, host }: Answers, service: Service): Step[] {
  if (!host) return [];
  const path = KINDS[protocol].groups;
  const members = isNvme(protocol)
    ? { hosts: host.initiators.map((nqn) => ({ nqn })) }
    : { protocol, initiators: host.initiators.map((name) => ({ name })) };
  return [
    {
      path,
      method: 'POST',
      to: path,
      name: group,
      body: { name: group, 'svm.name': svm, os_type: host.osType, ...members },
      find: { 'svm.name': svm, name: group },
      // A subsystem needs its SVM's service.
      isTried: !isNvme(protocol) || Boolean(service.svmUuid),
      fields: {
        'initiators.name': 'initiator',
        initiators: 'initiator',
        'hosts.nqn': 'initiator',
        hosts: 'initiator',
        nqn: 'initiator',
        os_type: 'os_type',
        name: 'group',
        svm: 'svm',
      },
    },
  ];
}

/** Return the field of the form that a refusal of a step is about, '' where it is about none. */
export function fieldOf(step: Step, target: string): string {
  const [best] = Object.keys(step.fields)
    .filter((name) => target === name || target.startsWith(`${name}.`))
    .sort((one, other) => other.length - one.length);
  return best === undefined ? '' : step.fields[best]!;
}

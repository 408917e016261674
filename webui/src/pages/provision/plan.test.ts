import { expect, test } from 'vitest';

import { type Answers, deviceNames, fieldOf, plan, volumeName, volumeSize } from './plan';

const GIB = 1024 ** 3;
const ISCSI: Answers = {
  svm: 'svm1',
  protocol: 'iscsi',
  group: 'db',
  host: { initiators: ['iqn.1994-05.com.example:host1'], osType: 'linux' },
  osType: 'linux',
  name: 'db',
  count: 2,
  size: GIB,
  volume: 'db',
  isReserved: false,
  ports: [],
};
const SERVED = { svmUuid: 'u1', enabled: true };
const paths = (answers: Answers, service = SERVED) =>
  plan(answers, service).map(({ method, to }) => `${method} ${to}`);

test('iSCSI: volume, LUNs, igroup, then the maps', () => {
  expect(paths(ISCSI)).toEqual([
    'POST storage/volumes',
    'POST storage/luns',
    'POST storage/luns',
    'POST protocols/san/igroups',
    'POST protocols/san/lun-maps',
    'POST protocols/san/lun-maps',
  ]);
});

test('an existing group is used, and none is created', () => {
  const { host: _none, ...rest } = ISCSI;
  expect(paths(rest)).not.toContain('POST protocols/san/igroups');
  expect(plan(rest, SERVED).at(-1)?.body['igroup.name']).toBe('db');
});

test('the service is created where there is none, and enabled where it is disabled', () => {
  expect(plan(ISCSI, { enabled: false })[0]).toMatchObject({
    method: 'POST',
    body: { 'svm.name': 'svm1', enabled: true },
  });
  expect(plan(ISCSI, { svmUuid: 'u1', enabled: false })[0]).toMatchObject({
    method: 'PATCH',
    to: 'protocols/san/iscsi/services/u1',
    body: { enabled: true },
  });
});

test('SRP: an igroup of the ports of the host, and its own service', () => {
  const srp: Answers = {
    ...ISCSI,
    protocol: 'srp',
    host: { initiators: ['5054:00ff:fe00:0201', '5054:00ff:fe00:0202'], osType: 'linux' },
  };
  const steps = plan(srp, { enabled: false });
  expect(steps[0]?.path).toBe('protocols/san/srp/services');
  expect(steps.find(({ path }) => path === 'protocols/san/igroups')?.body).toMatchObject({
    protocol: 'srp',
    initiators: [{ name: '5054:00ff:fe00:0201' }, { name: '5054:00ff:fe00:0202' }],
  });
});

test('FCP: interfaces at the ports come last, when hosts have LUNs to see there', () => {
  const fcp: Answers = {
    ...ISCSI,
    protocol: 'fcp',
    host: { initiators: ['20:00:00:50:56:00:00:01', 'host1'], osType: 'linux' },
    ports: ['0000:03:00.0', 'e0c'],
  };
  const steps = plan(fcp, { enabled: false });
  expect(steps[0]?.path).toBe('protocols/san/fcp/services');
  expect(steps.find(({ path }) => path === 'protocols/san/igroups')?.body).toMatchObject({
    protocol: 'fcp',
    initiators: [{ name: '20:00:00:50:56:00:00:01' }, { name: 'host1' }],
  });
  expect(steps.slice(-2).map(({ body }) => body)).toEqual([
    {
      'svm.name': 'svm1',
      name: 'fcp_0000-03-00.0',
      data_protocol: 'fcp',
      'location.home_port.name': '0000:03:00.0',
    },
    {
      'svm.name': 'svm1',
      name: 'fcp_e0c',
      data_protocol: 'fcp',
      'location.home_port.name': 'e0c',
    },
  ]);
  expect(fieldOf(steps.at(-1)!, 'location.home_port')).toBe('ports');
});

test('NVMe/FC: namespaces and a subsystem, as over TCP, and interfaces of its own', () => {
  const nvme: Answers = { ...ISCSI, protocol: 'nvme_fc', ports: ['0000:03:00.2'] };
  const steps = plan(nvme, SERVED);
  expect(steps.map(({ path }) => path)).toContain('protocols/nvme/subsystem-maps');
  expect(steps.at(-1)?.body).toMatchObject({
    name: 'fc_nvme_0000-03-00.2',
    data_protocol: 'fc_nvme',
  });
});

test('NVMe: a subsystem that admits the host, which cannot be tried before its service is there', () => {
  const nvme: Answers = {
    ...ISCSI,
    protocol: 'nvme_tcp',
    host: { initiators: ['nqn.2014-08.org.example:h'], osType: 'linux' },
    blockSize: 512,
  };
  const steps = plan(nvme, SERVED);
  expect(steps[1]?.body['space.block_size']).toBe(512);
  expect(steps[3]).toMatchObject({
    path: 'protocols/nvme/subsystems',
    body: { hosts: [{ nqn: 'nqn.2014-08.org.example:h' }] },
    isTried: true,
  });
  expect(plan(nvme, { enabled: false }).find(({ path }) => /subsystems$/.test(path))?.isTried).toBe(
    false,
  );
});

test('one device has the name, several are numbered, and the volume holds them all', () => {
  expect(deviceNames({ name: 'db', count: 1 })).toEqual(['db']);
  expect(deviceNames({ name: 'db', count: 2 })).toEqual(['db1', 'db2']);
  expect(volumeSize({ size: GIB, count: 3 })).toBe(3 * GIB);
  expect(volumeSize({ size: 4096, count: 1 })).toBe(20 * 1024 ** 2);
  expect(volumeName('9-lives')).toBe('v9_lives');
});

test('a refusal belongs to the field that it is about', () => {
  const group = plan(ISCSI, SERVED).find(({ path }) => path === 'protocols/san/igroups')!;
  expect(fieldOf(group, 'initiators.name')).toBe('initiator');
  expect(fieldOf(group, 'name')).toBe('group');
  expect(fieldOf(group, 'elsewhere')).toBe('');
});

import { expect, test } from 'vitest';

import { connecting, growing, type Target, wwid } from './hostCommands';

const ISCSI: Target = {
  protocol: 'iscsi',
  name: 'iqn.2026-11.org.sanstone:sn.1:vs.2',
  addresses: ['10.10.1.1', 'fd00::1'],
  rdmaAddresses: [],
};
const NVME: Target = {
  protocol: 'nvme_tcp',
  name: 'nqn.2026-11.org.sanstone:sn.1:subsystem.db',
  addresses: ['10.10.1.1', '10.10.2.1'],
  rdmaAddresses: [],
};
const HOST = ['iqn.1994-05.com.example:host1'];
const LUN = { identity: '0a1b2c3d4e5f' };
const text = (parts: { text: string }[]) => parts.map((part) => part.text).join('\n');

test('Linux discovers iSCSI on every interface, with IPv6 in brackets, and logs in to the target', () => {
  const typed = text(connecting('linux', ISCSI, HOST));
  expect(typed).toContain('sendtargets -p 10.10.1.1:3260\n');
  expect(typed).toContain('sendtargets -p [fd00::1]:3260\n');
  expect(typed).toContain(`iscsiadm -m node -T ${ISCSI.name} --login`);
});

test('each family of distributions has its own packages', () => {
  const [install] = connecting('linux', ISCSI, HOST);
  expect(install?.text.split('\n')).toEqual([
    expect.stringContaining('apt-get install open-iscsi multipath-tools'),
    expect.stringContaining('dnf install iscsi-initiator-utils device-mapper-multipath'),
    expect.stringContaining('zypper install open-iscsi multipath-tools'),
  ]);
});

test('the names that the array admits stand beside what tells the name of the host', () => {
  for (const system of ['linux', 'vmware', 'windows'])
    expect(text(connecting(system, ISCSI, HOST))).toContain(`# ${HOST[0]}`);
});

test('a LUN is found by what the host makes of its serial number', () => {
  expect(wwid('0a1b2c3d4e5f')).toBe('360014050a1b2c3d4e5f0000000000000');
  expect(text(connecting('linux', ISCSI, HOST, LUN))).toContain(wwid(LUN.identity));
});

test('NVMe connects on every interface, and again at each boot', () => {
  const typed = text(connecting('linux', NVME, []));
  for (const address of NVME.addresses) {
    expect(typed).toContain(`nvme connect -t tcp -n ${NVME.name} -a ${address} -s 4420`);
    expect(typed).toContain(`echo '-t tcp -a ${address} -s 4420' >> /etc/nvme/discovery.conf`);
  }
});

test('Linux may connect over RDMA where a LIF serves it', () => {
  const over = (target: Target) =>
    text(connecting('linux', { ...target, rdmaAddresses: ['10.10.1.1'] }, HOST));
  expect(over(NVME)).toContain(`nvme connect -t rdma -n ${NVME.name} -a 10.10.1.1 -s 4420`);
  expect(over(ISCSI)).toContain('sendtargets -p 10.10.1.1:3260 -I iser\n');
  expect(over(ISCSI)).toContain(`iscsiadm -m node -T ${ISCSI.name} -I iser --login`);
  for (const target of [ISCSI, NVME]) {
    expect(text(connecting('linux', target, HOST))).not.toMatch(/rdma|iser/);
  }
});

test('ESXi has both protocols', () => {
  expect(text(connecting('vmware', ISCSI, HOST))).toContain('--address=[fd00::1]:3260');
  expect(text(connecting('vmware', NVME, HOST))).toContain(`--subsystem-nqn=${NVME.name}`);
});

test('Windows has iSCSI, and no initiator of NVMe/TCP of its own', () => {
  expect(text(connecting('windows', ISCSI, HOST))).toContain("-TargetPortalAddress 'fd00::1' -Is");
  expect(connecting('windows', NVME, HOST)).toEqual([]);
});

test('systems without known commands, and targets without interfaces, get none', () => {
  expect(connecting('solaris', ISCSI, HOST)).toEqual([]);
  expect(connecting('linux', { ...ISCSI, addresses: [] }, HOST)).toEqual([]);
});

test('after growing, each system looks again', () => {
  expect(text(growing('linux', ISCSI, LUN))).toContain('iscsiadm -m session --rescan');
  expect(text(growing('linux', NVME, { identity: 'u-u' }))).toContain('nvme-uuid.u-u');
  expect(text(growing('windows', ISCSI, LUN))).toContain('Update-HostStorageCache');
  expect(text(growing('vmware', ISCSI, LUN))).toContain('rescan --all');
});

import { expect, test } from 'vitest';

import de from '../../language/de';
import ja from '../../language/ja';
import zh from '../../language/zh';
import { hostsBy, protocolsOf, type Target, TITLES } from './commandParts';
import { connecting, growing } from './hostCommands';
import { wwid } from './linuxCommands';

const ISCSI: Target = {
  protocol: 'iscsi',
  name: 'iqn.2026-11.org.sanstone:sn.1:vs.2',
  addresses: ['10.10.1.1', 'fd00::1'],
  rdmaAddresses: { roce: [], iwarp: [] },
};
const NVME: Target = {
  protocol: 'nvme_tcp',
  name: 'nqn.2026-11.org.sanstone:sn.1:subsystem.db',
  addresses: ['10.10.1.1', '10.10.2.1'],
  rdmaAddresses: { roce: [], iwarp: [] },
};
const SRP: Target = {
  protocol: 'srp',
  name: '0212153524635e8c',
  addresses: ['10.10.1.3', 'fd00::3'],
  rdmaAddresses: { roce: ['10.10.1.3', 'fd00::3'], iwarp: [] },
};
const FCP: Target = {
  protocol: 'fcp',
  name: '20:00:00:24:ff:00:00:01',
  addresses: ['21:00:00:24:ff:00:00:01'],
  rdmaAddresses: { roce: [], iwarp: [] },
};
const NVME_FC: Target = {
  ...NVME,
  protocol: 'nvme_fc',
  addresses: ['nn-0x20000024ff000003:pn-0x21000024ff000003'],
};
const WWPNS = ['20:00:00:50:56:00:00:01'];
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

test('the names that the array admits stand beside the command for the name of the host', () => {
  for (const system of ['linux', 'vmware', 'windows'])
    expect(text(connecting(system, ISCSI, HOST))).toContain(`# ${HOST[0]}`);
});

test('a LUN is found by the name that the host derives from its serial number', () => {
  expect(wwid('0a1b2c3d4e5f')).toBe('360014050a1b2c3d4e5f0000000000000');
  expect(text(connecting('linux', ISCSI, HOST, LUN))).toContain(wwid(LUN.identity));
});

test('the paths to a LUN are joined by a multipathd that joins nothing by itself, too', () => {
  expect(text(connecting('linux', ISCSI, HOST, LUN))).toContain(
    'multipathd add map 360014050a1b2c3d4e5f0000000000000\nmultipath -ll\n',
  );
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
    text(
      connecting('linux', { ...target, rdmaAddresses: { roce: ['10.10.1.1'], iwarp: [] } }, HOST),
    );
  expect(over(NVME)).toContain(`nvme connect -t rdma -n ${NVME.name} -a 10.10.1.1 -s 4420`);
  expect(over(ISCSI)).toContain('sendtargets -p 10.10.1.1:3260 -I iser\n');
  expect(over(ISCSI)).toContain(`iscsiadm -m node -T ${ISCSI.name} -I iser --login`);
  for (const target of [ISCSI, NVME]) {
    expect(text(connecting('linux', target, HOST))).not.toMatch(/rdma|iser/);
  }
});

test('where iWARP takes the place of TCP, Linux connects by that alone', () => {
  const target = { ...NVME, addresses: [], rdmaAddresses: { roce: [], iwarp: ['10.10.1.1'] } };
  const typed = text(connecting('linux', target, []));
  expect(typed).toContain('type siw');
  expect(typed).toContain(`nvme connect -t rdma -n ${NVME.name} -a 10.10.1.1 -s 4420`);
  expect(typed).not.toContain('-t tcp');
  expect(connecting('vmware', target, [])).toEqual([]);
});

test('Linux logs in to SRP at each address, at each boot too', () => {
  const ports = ['0x0000000000000000505400fffe000201'];
  const typed = text(connecting('linux', SRP, ports, LUN));
  expect(typed).toContain('\nlog_in 10.10.1.3 10.10.1.3:5555\nlog_in fd00::3 [fd00::3]:5555\n');
  expect(typed).toContain(`id_ext=${SRP.name},ioc_guid=${SRP.name},dest=$2`);
  expect(typed).toContain('systemctl enable srp-log-in');
  expect(typed).toContain(`# ${ports[0]}`);
  expect(typed).toContain(wwid(LUN.identity));
  expect(connecting('vmware', SRP, ports)).toEqual([]);
  expect(text(growing('linux', SRP, LUN))).toContain('/device/rescan');
});

test('a path of SRP fails over before the host tries to log in again', () => {
  const typed = text(connecting('linux', SRP, []));
  const option = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(typed)?.[1]);
  expect(option('fast_io_fail_tmo')).toBeLessThan(option('reconnect_delay'));
});

test('by FCP each system looks for LUNs at its ports, and compares their names', () => {
  const typed = text(connecting('linux', FCP, WWPNS, LUN));
  expect(typed).toContain('cat /sys/class/fc_host/*/port_name\n# 0x2000005056000001');
  expect(typed).toContain('# 0x21000024ff000001');
  expect(typed).toContain('/sys/class/scsi_host/$(basename $host)/scan');
  expect(typed).toContain('vendor "SANSTONE"');
  expect(typed).toContain(wwid(LUN.identity));
  expect(text(growing('linux', FCP, LUN))).toContain('/device/rescan');
  expect(text(connecting('vmware', FCP, WWPNS))).toContain('rescan --all');
  const windows = text(connecting('windows', FCP, WWPNS));
  expect(windows).toContain('# 2000005056000001');
  expect(windows).toContain("BusType -eq 'Fibre Channel'");
  expect(windows).not.toContain('iSCSI');
});

test('by NVMe/FC Linux connects through each of its ports, and again at each boot', () => {
  const typed = text(connecting('linux', NVME_FC, [], { identity: 'u-u' }));
  expect(typed).toContain(
    `nvme connect -t fc -n ${NVME.name} --host-traddr $source -a ${NVME_FC.addresses[0]}`,
  );
  expect(typed).toContain('modprobe nvme-fc\n');
  expect(typed).toContain('systemctl enable nvmefc-boot-connections');
  expect(typed).toContain('nvme-uuid.u-u');
  expect(text(connecting('vmware', NVME_FC, []))).toContain('esxcli nvme controller list');
  expect(connecting('windows', NVME_FC, [])).toEqual([]);
});

test('names distinguish the hosts of an igroup', () => {
  const mixed = ['0x0000000000000000505400fffe000201', HOST[0]!, WWPNS[0]!];
  expect(protocolsOf(mixed)).toEqual(['iscsi', 'srp', 'fcp']);
  expect(hostsBy('srp', mixed)).toEqual([mixed[0]]);
  expect(protocolsOf(mixed.slice(2))).toEqual(['fcp']);
});

test.each(Object.entries({ de, ja, zh }))('commands have headings in %s', (_name, texts) => {
  expect(Object.values(TITLES).filter((title) => !(title in texts))).toEqual([]);
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

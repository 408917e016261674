/**
 * Commands for a host to use a LUN or namespace, by the host's operating system.
 *
 * Sources: those of `linuxCommands`; the reference of esxcli, namespaces iscsi, nvme and storage; the
 * modules iSCSI, MPIO and Storage of PowerShell. Other systems get the facts of the target alone, since
 * their commands were never tried against one of ours.
 */
import {
  type Connecting,
  type Device,
  expected,
  type Growing,
  lines,
  type Part,
  portal,
  PORTS,
  type Protocol,
  reachedAt,
  type Target,
  TITLES,
} from './commandParts';
import { growLinux, linuxFcp, linuxIscsi, linuxNvme, linuxNvmeFc, linuxSrp } from './linuxCommands';

const LINUX = ['linux', 'xen'];
const WINDOWS = ['windows', 'windows_2008', 'windows_gpt', 'hyper_v'];

type System = 'linux' | 'vmware' | 'windows' | undefined;

export function systemOf(osType: string): System {
  if (LINUX.includes(osType)) return 'linux';
  if (WINDOWS.includes(osType)) return 'windows';
  return osType === 'vmware' ? 'vmware' : undefined;
}

/**
 * Return the commands to connect, in order; none for a system without known commands. `hosts` are
 * the names that the array admits.
 */
export function connecting(
  osType: string,
  target: Target,
  hosts: readonly string[],
  device?: Device,
): Part[] {
  const system = systemOf(osType);
  const reached = system === 'linux' ? reachedAt(target) : target.addresses;
  if (!system || !reached.length) return [];
  return CONNECTING[system][target.protocol](target, hosts, device);
}

/** Return the commands for a connected host when a device has grown. */
export function growing(osType: string, target: Target, device: Device): Part[] {
  const system = systemOf(osType);
  return system ? GROWING[system][target.protocol](target, device) : [];
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const vmwarePaths: Part = {
  title: TITLES.paths,
  text: 'esxcli storage nmp satp rule add --satp=VMW_SATP_ALUA --psp=VMW_PSP_RR --vendor=SANSTONE --model=LUN --claim-option=tpgs_on',
};

const vmwareIscsi: Connecting = (target, hosts) => [
  {
    title: TITLES.admitted,
    text: lines(
      'esxcli iscsi software set --enabled=true',
      'esxcli iscsi adapter list   # its name, such as vmhba64',
      'ADAPTER=vmhba64',
      'esxcli iscsi adapter get --adapter=$ADAPTER   # Name:',
      expected(hosts),
    ),
  },
  vmwarePaths,
  {
    title: TITLES.connect,
    text: lines(
      target.addresses.map(
        (address) =>
          `esxcli iscsi adapter discovery sendtarget add --adapter=$ADAPTER --address=${portal(address, PORTS.iscsi)}`,
      ),
      'esxcli storage core adapter rescan --adapter=$ADAPTER',
    ),
  },
  {
    title: TITLES.look,
    text: lines('esxcli iscsi session list', 'esxcli storage nmp device list'),
  },
];

const vmwareFcp: Connecting = (_target, hosts) => [
  {
    title: TITLES.admitted,
    text: lines('esxcli storage san fc list   # Port Name:', expected(hosts)),
  },
  vmwarePaths,
  { title: TITLES.scan, text: 'esxcli storage core adapter rescan --all' },
  { title: TITLES.look, text: 'esxcli storage nmp device list' },
];

const vmwareNqn = (hosts: readonly string[]): Part => ({
  title: TITLES.admitted,
  text: lines('esxcli nvme info get   # Host NQN:', expected(hosts)),
});

const vmwareNamespaces: Part = {
  title: TITLES.look,
  text: lines('esxcli nvme controller list', 'esxcli nvme namespace list'),
};

/** An adapter connects by itself to the targets that it sees. */
const vmwareNvmeFc: Connecting = (_target, hosts) => [vmwareNqn(hosts), vmwareNamespaces];

const vmwareNvme: Connecting = (target, hosts) => [
  vmwareNqn(hosts),
  {
    title: TITLES.paths,
    text: lines(
      'NIC=vmnic1 VMK=vmk1   # what reaches the array',
      'esxcli nvme fabrics enable --protocol=TCP --device=$NIC',
      'esxcli network ip interface tag add --interface-name=$VMK --tagname=NVMeTCP',
      'esxcli nvme adapter list   # its name, such as vmhba65',
      'ADAPTER=vmhba65',
    ),
  },
  {
    title: TITLES.connect,
    text: lines(
      target.addresses.map(
        (address) =>
          `esxcli nvme fabrics connect --adapter=$ADAPTER --ip-address=${address} --port-number=${PORTS.nvme_tcp} --subsystem-nqn=${target.name}`,
      ),
    ),
  },
  vmwareNamespaces,
];

const windowsPaths = (...claimed: string[]): Part => ({
  title: TITLES.paths,
  text: lines(
    'Install-WindowsFeature -Name Multipath-IO   # asks for a restart the first time',
    claimed,
    "New-MSDSMSupportedHW -VendorId 'SANSTONE' -ProductId 'LUN'",
    'Update-MPIOClaimedHW -Confirm:$false   # connected disks are claimed at the next start',
  ),
});

const windowsDisks = (bus: string, device?: Device): Part => ({
  title: TITLES.look,
  text: lines(
    'mpclaim -s -d',
    device
      ? `Get-Disk | Where-Object SerialNumber -eq ${quoted(device.identity)}`
      : `Get-Disk | Where-Object BusType -eq ${quoted(bus)}`,
  ),
});

const windowsIscsi: Connecting = (target, hosts, device) => [
  {
    title: TITLES.admitted,
    text: lines(
      'Set-Service -Name MSiSCSI -StartupType Automatic',
      'Start-Service -Name MSiSCSI',
      '(Get-InitiatorPort | Where-Object ConnectionType -eq iSCSI).NodeAddress',
      expected(hosts),
    ),
  },
  windowsPaths('Enable-MSDSMAutomaticClaim -BusType iSCSI'),
  {
    title: TITLES.connect,
    text: lines(
      target.addresses.map(
        (address) => `New-IscsiTargetPortal -TargetPortalAddress ${quoted(address)}`,
      ),
      target.addresses.map(
        (address) =>
          `Connect-IscsiTarget -NodeAddress ${quoted(target.name)} -TargetPortalAddress ${quoted(address)} -IsPersistent $true -IsMultipathEnabled $true`,
      ),
      'Update-HostStorageCache',
    ),
  },
  windowsDisks('iSCSI', device),
];

const windowsFcp: Connecting = (_target, hosts, device) => [
  {
    title: TITLES.admitted,
    text: lines(
      "(Get-InitiatorPort | Where-Object ConnectionType -eq 'Fibre Channel').PortAddress",
      expected(hosts.map((wwpn) => wwpn.replaceAll(':', ''))),
    ),
  },
  windowsPaths(),
  { title: TITLES.scan, text: 'Update-HostStorageCache' },
  windowsDisks('Fibre Channel', device),
];

const growVmware: Growing = () => [
  {
    title: TITLES.rescan,
    text: lines('esxcli storage core adapter rescan --all', 'vmkfstools -V'),
  },
  {
    title: TITLES.fileSystem,
    text: 'vmkfstools --growfs /vmfs/devices/disks/NAME:1 /vmfs/devices/disks/NAME:1   # after partedUtil resize',
  },
];

const growWindows: Growing = (_target, device) => [
  {
    title: TITLES.rescan,
    text: lines(
      'Update-HostStorageCache',
      `Get-Disk | Where-Object SerialNumber -eq ${quoted(device.identity)}`,
    ),
  },
  {
    title: TITLES.fileSystem,
    text: lines(
      '$letter = "D"',
      'Resize-Partition -DriveLetter $letter -Size (Get-PartitionSupportedSize -DriveLetter $letter).SizeMax',
    ),
  },
];

/**
 * Windows Server comes with no initiator of NVMe/TCP: that of another vendor has its own commands. SRP
 * over Ethernet has none but Linux's.
 */
const NONE = () => [];
const CONNECTING: Record<NonNullable<System>, Record<Protocol, Connecting>> = {
  linux: {
    iscsi: linuxIscsi,
    srp: linuxSrp,
    fcp: linuxFcp,
    nvme_tcp: linuxNvme,
    nvme_fc: linuxNvmeFc,
  },
  vmware: {
    iscsi: vmwareIscsi,
    srp: NONE,
    fcp: vmwareFcp,
    nvme_tcp: vmwareNvme,
    nvme_fc: vmwareNvmeFc,
  },
  windows: { iscsi: windowsIscsi, srp: NONE, fcp: windowsFcp, nvme_tcp: NONE, nvme_fc: NONE },
};

const GROWING: Record<NonNullable<System>, Record<Protocol, Growing>> = {
  linux: {
    iscsi: growLinux,
    srp: growLinux,
    fcp: growLinux,
    nvme_tcp: growLinux,
    nvme_fc: growLinux,
  },
  vmware: {
    iscsi: growVmware,
    srp: NONE,
    fcp: growVmware,
    nvme_tcp: growVmware,
    nvme_fc: growVmware,
  },
  windows: { iscsi: growWindows, srp: NONE, fcp: growWindows, nvme_tcp: NONE, nvme_fc: NONE },
};

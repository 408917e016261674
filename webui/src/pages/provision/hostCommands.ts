/**
 * What is typed on a host to use a LUN or namespace, by the host's operating system.
 *
 * Sources: iscsiadm(8), multipath.conf(5), nvme-connect(1), nvme-discover(1); the reference of esxcli,
 * namespaces iscsi, nvme and storage; the modules iSCSI, MPIO and Storage of PowerShell. Other systems
 * get the facts of the target alone, since their commands were never tried against one of ours.
 */
export type Protocol = 'iscsi' | 'nvme_tcp';

/**
 * What a host connects to: the target's IQN or the subsystem's NQN, at the LIFs of the SVM. At some it
 * may connect over RDMA instead.
 */
export interface Target {
  protocol: Protocol;
  name: string;
  addresses: readonly string[];
  rdmaAddresses: readonly string[];
}

/** What the host sees: the serial number of a LUN, or the UUID of a namespace. */
export interface Device {
  identity: string;
}

/** Commands that belong together. `title` is a text of the source language. */
export interface Part {
  title: string;
  text: string;
}

export const PORTS: Record<Protocol, number> = { iscsi: 3260, nvme_tcp: 4420 };

const LINUX = ['linux', 'xen'];
const WINDOWS = ['windows', 'windows_2008', 'windows_gpt', 'hyper_v'];

type System = 'linux' | 'vmware' | 'windows' | undefined;

export function systemOf(osType: string): System {
  if (LINUX.includes(osType)) return 'linux';
  if (WINDOWS.includes(osType)) return 'windows';
  return osType === 'vmware' ? 'vmware' : undefined;
}

/**
 * Return what is typed to connect, in order; nothing for a system without known commands. `hosts` are
 * the IQNs or NQNs that the array admits.
 */
export function connecting(
  osType: string,
  target: Target,
  hosts: readonly string[],
  device?: Device,
): Part[] {
  const system = systemOf(osType);
  if (!system || !target.addresses.length) return [];
  return CONNECTING[system][target.protocol](target, hosts, device);
}

/** Return what is typed on a host that is connected when a device has grown. */
export function growing(osType: string, target: Target, device: Device): Part[] {
  const system = systemOf(osType);
  return system ? GROWING[system][target.protocol](target, device) : [];
}

/** LIO makes the NAA identifier of the digits of the serial number (target_core_spc.c). */
export const wwid = (serial: string) => `3${`6001405${serial}`.padEnd(32, '0')}`;

const isIpv6 = (address: string) => address.includes(':');
const portal = (address: string, port: number) =>
  `${isIpv6(address) ? `[${address}]` : address}:${port}`;
const lines = (...all: (string | readonly string[])[]) => all.flat().join('\n');
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const INSTALL = 'Install the packages';
const ADMITTED = 'Compare the name of the host';
const PATHS = 'Prepare multipathing';
const CONNECT = 'Discover and connect on every interface';
const RDMA = 'Or connect over RDMA';
const LOOK = 'Look at the disks';
const RESCAN = 'See the new size';
const FILE_SYSTEM = 'Grow the file system';

type Connecting = (target: Target, hosts: readonly string[], device?: Device) => Part[];
type Growing = (target: Target, device: Device) => Part[];

const linuxDevice = ({ protocol }: Target, { identity }: Device) =>
  protocol === 'iscsi'
    ? `/dev/disk/by-id/dm-uuid-mpath-${wwid(identity)}`
    : `/dev/disk/by-id/nvme-uuid.${identity}`;

const packages = (debian: string, redHat: string, suse: string) =>
  lines(
    `apt-get install ${debian}   # Debian, Ubuntu`,
    `dnf install ${redHat}   # Red Hat, Fedora, Rocky, Oracle`,
    `zypper install ${suse}   # SUSE`,
  );

const expected = (hosts: readonly string[]) => hosts.map((name) => `# ${name}`);

/** What Linux does to connect over RDMA, nothing where no LIF serves that. */
const linuxRdma = (target: Target, module: string, connect: readonly string[]): Part[] =>
  target.rdmaAddresses.length
    ? [
        {
          title: RDMA,
          text: lines(
            '# for a network port whose adapter does not do RDMA:',
            'rdma link add roce0 type rxe netdev PORT',
            `echo ${module} > /etc/modules-load.d/${module}.conf`,
            `modprobe ${module}`,
            connect,
          ),
        },
      ]
    : [];

const linuxIscsi: Connecting = (target, hosts, device) => [
  {
    title: INSTALL,
    text: packages(
      'open-iscsi multipath-tools',
      'iscsi-initiator-utils device-mapper-multipath',
      'open-iscsi multipath-tools',
    ),
  },
  {
    title: ADMITTED,
    text: lines('cat /etc/iscsi/initiatorname.iscsi', expected(hosts)),
  },
  {
    title: PATHS,
    text: lines(
      'mkdir -p /etc/multipath/conf.d',
      "cat > /etc/multipath/conf.d/sanstone.conf <<'END'",
      'devices {',
      '    device {',
      '        vendor "SANSTONE"',
      '        product "LUN"',
      '        path_grouping_policy group_by_prio',
      '        prio alua',
      '        hardware_handler "1 alua"',
      '        path_checker tur',
      '        failback immediate',
      '        no_path_retry queue',
      '    }',
      '}',
      'END',
      'test -e /etc/multipath.conf || touch /etc/multipath.conf',
      'systemctl enable --now multipathd iscsid',
      'systemctl reload multipathd',
    ),
  },
  {
    title: CONNECT,
    text: lines(
      target.addresses.map(
        (address) => `iscsiadm -m discovery -t sendtargets -p ${portal(address, PORTS.iscsi)}`,
      ),
      `iscsiadm -m node -T ${target.name} -o update -n node.startup -v automatic`,
      `iscsiadm -m node -T ${target.name} --login`,
      'iscsiadm -m session --rescan   # where it is logged in already',
    ),
  },
  ...linuxRdma(target, 'ib_iser', [
    ...target.rdmaAddresses.map(
      (address) =>
        `iscsiadm -m discovery -t sendtargets -p ${portal(address, PORTS.iscsi)} -I iser`,
    ),
    `iscsiadm -m node -T ${target.name} -I iser --login`,
  ]),
  {
    title: LOOK,
    text: lines('multipath -ll', 'lsblk', device ? `ls -l ${linuxDevice(target, device)}` : []),
  },
];

const linuxNvme: Connecting = (target, hosts, device) => [
  { title: INSTALL, text: packages('nvme-cli', 'nvme-cli', 'nvme-cli') },
  { title: ADMITTED, text: lines('cat /etc/nvme/hostnqn', expected(hosts)) },
  {
    title: PATHS,
    text: lines(
      'echo nvme-tcp > /etc/modules-load.d/nvme-tcp.conf',
      'modprobe nvme-tcp',
      'cat /sys/module/nvme_core/parameters/multipath   # Y',
    ),
  },
  {
    title: CONNECT,
    text: lines(
      target.addresses.map((address) => `nvme discover -t tcp -a ${address} -s ${PORTS.nvme_tcp}`),
      target.addresses.map(
        (address) => `nvme connect -t tcp -n ${target.name} -a ${address} -s ${PORTS.nvme_tcp}`,
      ),
      '# at each boot:',
      target.addresses.map(
        (address) => `echo '-t tcp -a ${address} -s ${PORTS.nvme_tcp}' >> /etc/nvme/discovery.conf`,
      ),
      'systemctl enable nvmf-autoconnect',
    ),
  },
  ...linuxRdma(
    target,
    'nvme-rdma',
    target.rdmaAddresses.map(
      (address) => `nvme connect -t rdma -n ${target.name} -a ${address} -s ${PORTS.nvme_tcp}`,
    ),
  ),
  {
    title: LOOK,
    text: lines(
      `nvme list-subsys`,
      'nvme list',
      'lsblk',
      device ? `ls -l ${linuxDevice(target, device)}` : [],
    ),
  },
];

const vmwareIscsi: Connecting = (target, hosts) => [
  {
    title: ADMITTED,
    text: lines(
      'esxcli iscsi software set --enabled=true',
      'esxcli iscsi adapter list   # its name, such as vmhba64',
      'ADAPTER=vmhba64',
      'esxcli iscsi adapter get --adapter=$ADAPTER   # Name:',
      expected(hosts),
    ),
  },
  {
    title: PATHS,
    text: 'esxcli storage nmp satp rule add --satp=VMW_SATP_ALUA --psp=VMW_PSP_RR --vendor=SANSTONE --model=LUN --claim-option=tpgs_on',
  },
  {
    title: CONNECT,
    text: lines(
      target.addresses.map(
        (address) =>
          `esxcli iscsi adapter discovery sendtarget add --adapter=$ADAPTER --address=${portal(address, PORTS.iscsi)}`,
      ),
      'esxcli storage core adapter rescan --adapter=$ADAPTER',
    ),
  },
  {
    title: LOOK,
    text: lines('esxcli iscsi session list', 'esxcli storage nmp device list'),
  },
];

const vmwareNvme: Connecting = (target, hosts) => [
  {
    title: ADMITTED,
    text: lines('esxcli nvme info get   # Host NQN:', expected(hosts)),
  },
  {
    title: PATHS,
    text: lines(
      'NIC=vmnic1 VMK=vmk1   # what reaches the array',
      'esxcli nvme fabrics enable --protocol=TCP --device=$NIC',
      'esxcli network ip interface tag add --interface-name=$VMK --tagname=NVMeTCP',
      'esxcli nvme adapter list   # its name, such as vmhba65',
      'ADAPTER=vmhba65',
    ),
  },
  {
    title: CONNECT,
    text: lines(
      target.addresses.map(
        (address) =>
          `esxcli nvme fabrics connect --adapter=$ADAPTER --ip-address=${address} --port-number=${PORTS.nvme_tcp} --subsystem-nqn=${target.name}`,
      ),
    ),
  },
  {
    title: LOOK,
    text: lines('esxcli nvme controller list', 'esxcli nvme namespace list'),
  },
];

const windowsIscsi: Connecting = (target, hosts, device) => [
  {
    title: ADMITTED,
    text: lines(
      'Set-Service -Name MSiSCSI -StartupType Automatic',
      'Start-Service -Name MSiSCSI',
      '(Get-InitiatorPort | Where-Object ConnectionType -eq iSCSI).NodeAddress',
      expected(hosts),
    ),
  },
  {
    title: PATHS,
    text: lines(
      'Install-WindowsFeature -Name Multipath-IO   # asks for a restart the first time',
      'Enable-MSDSMAutomaticClaim -BusType iSCSI',
      "New-MSDSMSupportedHW -VendorId 'SANSTONE' -ProductId 'LUN'",
      'Update-MPIOClaimedHW -Confirm:$false   # what is connected already is claimed at the next start',
    ),
  },
  {
    title: CONNECT,
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
  {
    title: LOOK,
    text: lines(
      'mpclaim -s -d',
      device
        ? `Get-Disk | Where-Object SerialNumber -eq ${quoted(device.identity)}`
        : 'Get-Disk | Where-Object BusType -eq iSCSI',
    ),
  },
];

const growLinux: Growing = (target, device) => [
  {
    title: RESCAN,
    text:
      target.protocol === 'iscsi'
        ? lines(
            'iscsiadm -m session --rescan',
            `multipathd resize map $(basename $(realpath ${linuxDevice(target, device)}))`,
            `lsblk ${linuxDevice(target, device)}`,
          )
        : lines(
            `lsblk ${linuxDevice(target, device)}   # the array has told the host`,
            `nvme ns-rescan /dev/nvme0   # where it has not: each controller of 'nvme list-subsys'`,
          ),
  },
  {
    title: FILE_SYSTEM,
    text: lines(
      `resize2fs ${linuxDevice(target, device)}   # ext4`,
      'xfs_growfs /where/it/is/mounted   # XFS',
      `pvresize ${linuxDevice(target, device)}   # LVM`,
    ),
  },
];

const growVmware: Growing = () => [
  { title: RESCAN, text: lines('esxcli storage core adapter rescan --all', 'vmkfstools -V') },
  {
    title: FILE_SYSTEM,
    text: 'vmkfstools --growfs /vmfs/devices/disks/NAME:1 /vmfs/devices/disks/NAME:1   # after partedUtil resize',
  },
];

const growWindows: Growing = (_target, device) => [
  {
    title: RESCAN,
    text: lines(
      'Update-HostStorageCache',
      `Get-Disk | Where-Object SerialNumber -eq ${quoted(device.identity)}`,
    ),
  },
  {
    title: FILE_SYSTEM,
    text: lines(
      '$letter = "D"',
      'Resize-Partition -DriveLetter $letter -Size (Get-PartitionSupportedSize -DriveLetter $letter).SizeMax',
    ),
  },
];

/** Windows Server comes with no initiator of NVMe/TCP: that of another vendor has its own commands. */
const CONNECTING: Record<NonNullable<System>, Record<Protocol, Connecting>> = {
  linux: { iscsi: linuxIscsi, nvme_tcp: linuxNvme },
  vmware: { iscsi: vmwareIscsi, nvme_tcp: vmwareNvme },
  windows: { iscsi: windowsIscsi, nvme_tcp: () => [] },
};

const GROWING: Record<NonNullable<System>, Record<Protocol, Growing>> = {
  linux: { iscsi: growLinux, nvme_tcp: growLinux },
  vmware: { iscsi: growVmware, nvme_tcp: growVmware },
  windows: { iscsi: growWindows, nvme_tcp: () => [] },
};

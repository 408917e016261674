/**
 * Commands for a Linux host to use a LUN or namespace.
 *
 * Sources: iscsiadm(8), multipath.conf(5), nvme-connect(1), nvme-discover(1), rdma-link(8); of FCP
 * drivers/scsi/scsi_transport_fc.c and scsi_sysfs.c (`scan`); of SRP
 * drivers/infiniband/ulp/srp/ib_srp.c and drivers/scsi/scsi_transport_srp.c: there is no discovery over
 * Ethernet (srp_daemon(8) asks InfiniBand's subnet manager), so the commands name the targets.
 */
import {
  type Connecting,
  type Device,
  expected,
  type Growing,
  hexadecimal,
  isNvme,
  lines,
  type Part,
  portal,
  PORTS,
  type Rdma,
  type Target,
  TITLES,
} from './commandParts';

/** LIO makes the NAA identifier of the digits of the serial number (target_core_spc.c). */
export const wwid = (serial: string) => `3${`6001405${serial}`.padEnd(32, '0')}`;

/** The kernel's name of the software that does RDMA where an adapter does not. */
const SOFTWARE: Record<Rdma, string> = { roce: 'rxe', iwarp: 'siw' };

const bySoftware = (kind: Rdma) => [
  '# for a network port whose adapter does not do RDMA:',
  `rdma link add ${kind}0 type ${SOFTWARE[kind]} netdev PORT`,
];

const linuxDevice = ({ protocol }: Target, { identity }: Device) =>
  isNvme(protocol)
    ? `/dev/disk/by-id/nvme-uuid.${identity}`
    : `/dev/disk/by-id/dm-uuid-mpath-${wwid(identity)}`;

const packages = (debian: string, redHat: string, suse: string) =>
  lines(
    `apt-get install ${debian}   # Debian, Ubuntu`,
    `dnf install ${redHat}   # Red Hat, Fedora, Rocky, Oracle`,
    `zypper install ${suse}   # SUSE`,
  );

/** Commands to connect over a kind of RDMA, none where no LIF serves that. */
const linuxRdma = (
  { rdmaAddresses }: Target,
  kind: Rdma,
  module: string,
  connect: (address: string) => string,
  ...then: string[]
): Part[] =>
  rdmaAddresses[kind].length
    ? [
        {
          title: kind === 'roce' ? TITLES.rdma : TITLES.iwarp,
          text: lines(
            bySoftware(kind),
            `echo ${module} > /etc/modules-load.d/${module}.conf`,
            `modprobe ${module}`,
            rdmaAddresses[kind].map(connect),
            then,
          ),
        },
      ]
    : [];

/** Commands to join the paths to a LUN, with the services that are needed. */
const multipathing = (services: string): Part => ({
  title: TITLES.paths,
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
    `systemctl enable --now ${services}`,
    'systemctl reload multipathd',
  ),
});

const lunsOf = (target: Target, device?: Device): Part => ({
  title: TITLES.look,
  text: lines(
    // As most systems set multipathd, it joins only disks that it was given (`find_multipaths strict`).
    device ? `multipathd add map ${wwid(device.identity)}` : [],
    'multipath -ll',
    'lsblk',
    device ? `ls -l ${linuxDevice(target, device)}` : [],
  ),
});

export const linuxIscsi: Connecting = (target, hosts, device) => [
  {
    title: TITLES.install,
    text: packages(
      'open-iscsi multipath-tools',
      'iscsi-initiator-utils device-mapper-multipath',
      'open-iscsi multipath-tools',
    ),
  },
  {
    title: TITLES.admitted,
    text: lines('cat /etc/iscsi/initiatorname.iscsi', expected(hosts)),
  },
  multipathing('multipathd iscsid'),
  {
    title: TITLES.connect,
    text: lines(
      target.addresses.map(
        (address) => `iscsiadm -m discovery -t sendtargets -p ${portal(address, PORTS.iscsi)}`,
      ),
      `iscsiadm -m node -T ${target.name} -o update -n node.startup -v automatic`,
      `iscsiadm -m node -T ${target.name} --login`,
      'iscsiadm -m session --rescan   # where it is logged in already',
    ),
  },
  ...linuxRdma(
    target,
    'roce',
    'ib_iser',
    (address) => `iscsiadm -m discovery -t sendtargets -p ${portal(address, PORTS.iscsi)} -I iser`,
    `iscsiadm -m node -T ${target.name} -I iser --login`,
  ),
  lunsOf(target, device),
];

/**
 * The program that logs in. Each network port is an initiator of its own, so an address is written to the
 * RDMA device of the port that leads there. At one that it is logged in at, the kernel says EEXIST.
 */
const srpLogIn = ({ name, addresses }: Target) =>
  lines(
    '#!/bin/sh',
    'log_in() {',
    '    said=',
    String.raw`    port=$(ip -o route get "$1" | sed 's/.* dev \([^ ]*\).*/\1/')`,
    '    for host in /sys/class/infiniband_srp/*; do',
    '        table=/sys/class/infiniband/$(cat "$host/ibdev")/ports/$(cat "$host/port")/gid_attrs/ndevs',
    '        grep -qsx "$port" "$table"/* || continue',
    `        target=id_ext=${name},ioc_guid=${name},dest=$2,tl_retry_count=2`,
    '        said=$(LC_ALL=C /bin/echo "$target" 2>&1 > "$host/add_target") && return',
    '        case $said in *exists*) return ;; esac',
    '    done',
    '    echo "$1: ${said:-no RDMA device at $port}" >&2',
    '    failed=1',
    '}',
    addresses.map((address) => `log_in ${address} ${portal(address, PORTS.srp)}`),
    'exit ${failed:-0}',
  );

/**
 * `fast_io_fail_tmo` has to be less than `reconnect_delay`: requests on a lost path go to another one
 * only after a running attempt to log in again, and one without an answer takes a minute
 * (both hold the mutex of srp_rport; CMA_MAX_CM_RETRIES in drivers/infiniband/core/cma.c).
 */
export const linuxSrp: Connecting = (target, hosts, device) => [
  {
    title: TITLES.install,
    text: packages(
      'rdma-core multipath-tools',
      'rdma-core iproute device-mapper-multipath',
      'rdma-core iproute2 multipath-tools',
    ),
  },
  {
    title: TITLES.adapters,
    text: lines(
      bySoftware('roce'),
      "cat > /etc/modprobe.d/ib_srp.conf <<'END'",
      'options ib_srp fast_io_fail_tmo=5 reconnect_delay=10 dev_loss_tmo=off',
      'END',
      'echo ib_srp > /etc/modules-load.d/ib_srp.conf',
      'modprobe ib_srp',
    ),
  },
  {
    title: TITLES.admitted,
    text: lines(
      '# of each network port the last four groups, 5054:00ff:…',
      'cat /sys/class/infiniband/*/ports/*/gids/0',
      expected(hosts),
    ),
  },
  multipathing('multipathd'),
  {
    title: TITLES.logIn,
    text: lines(
      "cat > /usr/local/sbin/srp-log-in <<'END'",
      srpLogIn(target),
      'END',
      'chmod +x /usr/local/sbin/srp-log-in',
      "cat > /etc/systemd/system/srp-log-in.service <<'END'",
      '[Unit]',
      'Description=Log in to SRP targets',
      'Wants=network-online.target',
      'After=network-online.target',
      '[Service]',
      'Type=oneshot',
      'ExecStart=/usr/local/sbin/srp-log-in',
      'Restart=on-failure',
      'RestartSec=15',
      '[Install]',
      'WantedBy=multi-user.target',
      'END',
      'systemctl daemon-reload',
      'systemctl enable srp-log-in',
      'systemctl restart srp-log-in',
    ),
  },
  lunsOf(target, device),
];

/** A host's port finds by itself the targets in its zones; LUNs that are mapped later need a scan. */
export const linuxFcp: Connecting = (target, hosts, device) => [
  {
    title: TITLES.install,
    text: packages('multipath-tools', 'device-mapper-multipath', 'multipath-tools'),
  },
  {
    title: TITLES.admitted,
    text: lines('cat /sys/class/fc_host/*/port_name', expected(hosts.map(hexadecimal))),
  },
  multipathing('multipathd'),
  {
    title: TITLES.scan,
    text: lines(
      'cat /sys/class/fc_remote_ports/*/port_name   # what the zones let it see, the array too:',
      expected(target.addresses.map(hexadecimal)),
      'for host in /sys/class/fc_host/*; do',
      "    echo '- - -' > /sys/class/scsi_host/$(basename $host)/scan",
      'done',
      '# where the array refused the host before, restart the host: it met its port as no target',
    ),
  },
  lunsOf(target, device),
];

/** Commands to connect by TCP, none where no LIF serves that. */
const nvmeOverTcp = ({ name, addresses }: Target): Part[] =>
  addresses.length
    ? [
        {
          title: TITLES.connect,
          text: lines(
            addresses.map((address) => `nvme discover -t tcp -a ${address} -s ${PORTS.nvme_tcp}`),
            addresses.map(
              (address) => `nvme connect -t tcp -n ${name} -a ${address} -s ${PORTS.nvme_tcp}`,
            ),
            '# at each boot:',
            addresses.map(
              (address) =>
                `echo '-t tcp -a ${address} -s ${PORTS.nvme_tcp}' >> /etc/nvme/discovery.conf`,
            ),
            'systemctl enable nvmf-autoconnect',
          ),
        },
      ]
    : [];

/** Commands before Linux connects by NVMe, through a transport's module. */
const nvmePrepared = (module: string, hosts: readonly string[]): Part[] => [
  { title: TITLES.install, text: packages('nvme-cli', 'nvme-cli', 'nvme-cli') },
  { title: TITLES.admitted, text: lines('cat /etc/nvme/hostnqn', expected(hosts)) },
  {
    title: TITLES.paths,
    text: lines(
      `echo ${module} > /etc/modules-load.d/${module}.conf`,
      `modprobe ${module}`,
      'cat /sys/module/nvme_core/parameters/multipath   # Y',
    ),
  },
];

const namespacesOf = (target: Target, device?: Device): Part => ({
  title: TITLES.look,
  text: lines(
    'nvme list-subsys',
    'nvme list',
    'lsblk',
    device ? `ls -l ${linuxDevice(target, device)}` : [],
  ),
});

export const linuxNvme: Connecting = (target, hosts, device) => [
  ...nvmePrepared('nvme-tcp', hosts),
  ...nvmeOverTcp(target),
  ...(['roce', 'iwarp'] as const).flatMap((kind) =>
    linuxRdma(
      target,
      kind,
      'nvme-rdma',
      (address) => `nvme connect -t rdma -n ${target.name} -a ${address} -s ${PORTS.nvme_tcp}`,
    ),
  ),
  namespacesOf(target, device),
];

/**
 * nvme-cli comes with a rule for udev that connects by itself where a port comes into sight, and with a
 * service that does so at each boot (nvmefc-boot-connections).
 */
export const linuxNvmeFc: Connecting = (target, hosts, device) => [
  ...nvmePrepared('nvme-fc', hosts),
  {
    title: TITLES.connectPorts,
    text: lines(
      '# a port of the host that does not see one of the array says so',
      'for host in /sys/class/fc_host/*; do',
      '    source=nn-$(cat $host/node_name):pn-$(cat $host/port_name)',
      target.addresses.map(
        (address) => `    nvme connect -t fc -n ${target.name} --host-traddr $source -a ${address}`,
      ),
      'done',
      '# at each boot:',
      'systemctl enable nvmefc-boot-connections',
    ),
  },
  namespacesOf(target, device),
];

/** Commands for Linux to see a new size. */
const seenByLinux = (target: Target, device: Device) => {
  const path = linuxDevice(target, device);
  if (isNvme(target.protocol))
    return lines(
      `lsblk ${path}   # the host knows from the array`,
      `nvme ns-rescan /dev/nvme0   # where it has not: each controller of 'nvme list-subsys'`,
    );
  return lines(
    target.protocol === 'iscsi'
      ? 'iscsiadm -m session --rescan'
      : [
          `for disk in /sys/block/$(basename $(realpath ${path}))/slaves/*; do`,
          '    echo 1 > $disk/device/rescan',
          'done',
        ],
    `multipathd resize map $(basename $(realpath ${path}))`,
    `lsblk ${path}`,
  );
};

export const growLinux: Growing = (target, device) => [
  { title: TITLES.rescan, text: seenByLinux(target, device) },
  {
    title: TITLES.fileSystem,
    text: lines(
      `resize2fs ${linuxDevice(target, device)}   # ext4`,
      'xfs_growfs /where/it/is/mounted   # XFS',
      `pvresize ${linuxDevice(target, device)}   # LVM`,
    ),
  },
];

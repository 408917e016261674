/**
 * Names for people: of fields, choices and resources.
 *
 * A name is looked for in the language as it is declared (`space.size`), then its English form
 * ("Space size"), which derives from the declared name and is shown otherwise.
 */
import type { TFunction } from 'i18next';

import commands from '../generated/commands.json';

const ACRONYMS: Record<string, string> = Object.fromEntries(
  `ID IP UUID LUN IQN NQN NSID SVM OS IPspace HA MTU CPU RAID QoS CHAP TLS RPM MAC VLAN LAG DNS NTP
  NVMe API CSR CA HTTP HTTPS URL EMS ANA iSCSI FCP FC WWPN WWNN ISID TSIH SSH CIFS NFS SAN IOPS DH LUNs SVMs IPspaces
  WWNs TCP UDP SNMP SNMPv3 NAS SRP LDAP LDAPS DN URI JWKS`
    .split(/\s+/)
    .map((word) => [word.toLowerCase(), word]),
);

/** "space.logical_space.used" → "Logical space used". */
export function humanized(name: string): string {
  const words = name
    .replace(/\.(name|uuid)$/, (end) => (end === '.name' ? '' : ' UUID'))
    .split(/[._\-\s/]+/)
    .filter((word, index, all) => word !== all[index - 1]);
  const text = words.map((word) => ACRONYMS[word.toLowerCase()] ?? word.toLowerCase()).join(' ');
  return text.charAt(0) === 'i' && text.startsWith('iSCSI')
    ? text
    : text.charAt(0).toUpperCase() + text.slice(1);
}

function named(t: TFunction, keys: string[], otherwise: string): string {
  return t([...keys, otherwise], { defaultValue: otherwise });
}

export function fieldLabel(t: TFunction, name: string): string {
  return named(t, [`field:${name}`], SHORT[name] ?? humanized(name));
}

/** Labels where the declared name is longer than people's word for it. */
const SHORT: Record<string, string> = {
  uuid: 'UUID',
  mdns_service_discovery_enabled: 'Announced by multicast DNS',
  'location.volume.name': 'Volume',
  'location.volume': 'Volume',
  'location.logical_unit': 'Last part of the path',
  'location.namespace': 'Last part of the path',
  'status.state': 'State',
  'status.mapped': 'Mapped',
  'space.size': 'Size',
  'space.used': 'Used',
  'space.available': 'Available',
  'space.forecast.full_time': 'Full on',
  'space.forecast.days_left': 'Days until full',
  'space.forecast.growth_per_day': 'Growth a day',
  'space.forecast.samples_since': 'Forecast from samples since',
  'space.block_storage.size': 'Size',
  'space.block_storage.used': 'Used',
  'space.block_storage.available': 'Available',
  'space.block_storage.used_percent': 'Used %',
  'block_storage.primary.raid_type': 'RAID type',
  'block_storage.primary.raid_size': 'Disks per RAID group',
  'block_storage.primary.disk_count': 'Number of disks',
  'block_storage.primary.disks': 'Disks',
  'block_storage.primary.disk_class': 'Class of disks',
  'block_storage.primary.disk_type': 'Type of disks',
  'block_storage.primary.bytes_per_sector': 'Sector in bytes',
  'block_storage.raid_groups': 'RAID groups',
  'block_storage.raid_groups.seconds_left': 'Seconds left',
  'block_storage.primary.raid_group': 'RAID group that gets the disks',
  'forced_start.name': 'Start all the same',
  'scrub.schedule': 'Scrubbed by the schedule',
  'scrub.action': 'Have it scrubbed',
  'scrub.state': 'Scrub',
  'scrub.percent': 'Scrubbed in percent',
  'scrub.last_time': 'Scrubbed last',
  'scrub.last_mismatches': 'Sectors that did not agree',
  'scrub.overdue': 'Scrub is overdue',
  'erase.content': 'Erase: its content',
  'erase.method': 'How it is erased',
  discards: 'Can discard',
  'sanitize.methods': 'Can sanitize itself by',
  'sanitize.state': 'Sanitizing itself',
  'sanitize.percent': 'Sanitized in percent',
  'health.passed': 'In order',
  'health.message': 'What it says',
  'health.last_checked': 'Last answer',
  location_led: 'Locate light',
  rated_life_used_percent: 'Life used %',
  'shelf.uid': 'Shelf',
  'stats.power_on_hours': 'Hours of operation',
  temperature: 'Temperature °C',
  temperature_limit: 'Critical temperature °C',
  'message.severity': 'Severity',
  'message.name': 'Event',
  log_message: 'Message',
  os_type: 'Operating system',
  'ip.address': 'IP address',
  'ip.netmask': 'Netmask',
  rdma_protocols: 'RDMA protocols',
  use_start_tls: 'StartTLS',
  p50: 'p50',
  p95: 'p95',
  p99: 'p99',
};

/** Choices that are names, and written as the trade writes them. */
const CHOICES: Record<string, string> = {
  raid_dp: 'RAID-DP',
  raid0: 'RAID 0',
  raid1: 'RAID 1',
  raid10: 'RAID 10',
  raid4: 'RAID 4',
  raid5: 'RAID 5',
  iscsi: 'iSCSI',
  iser: 'iSER',
  nvme_rdma: 'NVMe/RDMA',
  nvme_tcp: 'NVMe/TCP',
  roce: 'RoCE',
  iwarp: 'iWARP',
  nvme_fc: 'NVMe/FC',
  fc_nvme: 'NVMe/FC',
  fcp: 'FCP',
  srp: 'SRP',
  rfc_2307: 'RFC 2307',
  ad_idmu: 'AD IDMU',
  ms_ad_bis: 'MS AD BIS',
  usm: 'SNMPv3',
  community: 'SNMPv2c',
  failing: 'predicted to fail',
  ata: 'SATA',
  sas: 'SAS',
  ssd: 'SSD',
  ssd_nvm: 'NVMe SSD',
  vmdisk: 'virtual disk',
  lif_down: 'LIF down',
  never: 'not seen',
};

export function choiceLabel(t: TFunction, choice: string): string {
  return named(t, [`choice:${choice}`], CHOICES[choice] ?? choice.replaceAll('_', ' '));
}

export function groupLabel(t: TFunction, group: string): string {
  return group ? named(t, [`group:${group}`], humanized(group)) : t('General');
}

interface Described {
  noun: string;
  keys: string[];
  columns: string[];
  verbs: Record<string, { words: string; parameters: Record<string, string> }>;
}

const NONE: Described = { noun: '', keys: [], columns: [], verbs: {} };

/** The shell's table of a resource: its noun, its columns, its commands. */
export function described(path: string): Described {
  return (commands as unknown as Record<string, Described>)[path] ?? NONE;
}

/** Where the last part of the path says too little. */
const TITLES: Record<string, string> = {
  cluster: 'Array',
  'cluster/metrics': 'Figures of the array',
  'cluster/web': 'Web server',
  'cluster/ntp/servers': 'Time servers',
  'cluster/software/download': 'Download of software',
  'cluster/software/history': 'History of updates',
  'cluster/software/images': 'System images',
  'cluster/software/packages': 'Software packages',
  'name-services/dns': 'DNS',
  'security/authentication/cluster/ldap': 'LDAP directory',
  'security/authentication/cluster/oidc': 'Identity provider',
  'network/ethernet/ports': 'Ethernet ports',
  'network/fc/fabrics': 'FC fabrics',
  'network/fc/fabrics/{fabric.name}/switches': 'Switches',
  'network/fc/fabrics/{fabric.name}/zones': 'Zones of the active zone set',
  'network/fc/interfaces': 'FC interfaces',
  'network/fc/logins': 'FC logins',
  'network/fc/ports': 'FC ports',
  'network/fc/wwpn-aliases': 'WWPN aliases',
  'network/ip/interfaces': 'Network interfaces',
  'network/ip/service-policies': 'Service policies',
  'network/ip/routes': 'Routes',
  'private/cli/security/login/role/config': 'Rules for passwords',
  'private/cli/storage/raid-options': 'RAID options',
  'private/cli/system/node/task': 'Background tasks',
  'private/cli/system/timeout': 'Time-out of shells',
  'protocols/nvme/interfaces': 'NVMe interfaces',
  'protocols/nvme/services': 'NVMe services',
  'protocols/nvme/subsystems': 'NVMe subsystems',
  'protocols/nvme/subsystem-controllers': 'NVMe controllers',
  'protocols/nvme/subsystem-maps': 'Namespace maps',
  'protocols/san/fcp/services': 'FCP services',
  'protocols/san/hosts': 'Hosts',
  'protocols/san/igroups': 'Initiator groups',
  'protocols/san/iscsi/isns': 'iSNS registrations',
  'protocols/san/iscsi/isns/{svm.uuid}/update': 'Register the target anew',
  'protocols/san/iscsi/services': 'iSCSI services',
  'protocols/san/iscsi/sessions': 'iSCSI sessions',
  'protocols/san/iscsi/credentials': 'iSCSI credentials',
  'protocols/san/paths': 'Paths',
  'protocols/san/refused-initiators': 'Refused hosts',
  'protocols/san/srp/services': 'SRP services',
  'protocols/san/srp/sessions': 'SRP sessions',
  'security/audit/messages': 'Audit log',
  'security/authentication/password': 'Change a password',
  'security/authentication/publickeys': 'Public keys',
  'security/certificate-signing-request': 'Certificate signing request',
  'security/certificates/{uuid}/sign': 'Sign a certificate',
  'security/login/messages': 'Login messages',
  'security/login/totps': 'TOTP profiles',
  'storage/qos/policies': 'QoS policies',
  'support/bundles': 'Support bundles',
  'support/ems/application-logs': 'Log an event',
  'support/ems': 'Event configuration',
  'support/ems/destinations': 'Event destinations',
  'support/ems/events': 'Events',
  'support/ems/filters': 'Event filters',
  'support/ems/filters/{filter.name}/rules': 'Rules of the filter',
  'support/snmp': 'SNMP',
  'support/snmp/traphosts': 'SNMP trap hosts',
  'support/snmp/users': 'SNMP users',
};

export function resourceTitle(t: TFunction, path: string): string {
  return t(TITLES[path] ?? humanized(path.split('/').at(-1)!));
}

/** Where the shell's word is not that of the API. */
const NOUNS: Record<string, string> = { 'svm/svms': 'SVM', 'storage/qos/policies': 'QoS policy' };

/** One of them, as in the middle of a sentence: "volume", "LUN". */
export const nounOf = (path: string): string =>
  NOUNS[path] ?? (described(path).noun || humanized(path.split('/').at(-1)!));

export const resourceNoun = (t: TFunction, path: string): string => t(nounOf(path));

/** The presentations of resources. */
import { part } from '../base/part';
import { titleOf } from '../changes/jobTexts';
import type { Presentation } from '../resources/presentation';
import {
  DISK_ACTIONS,
  JOB_ACTIONS,
  LIF_ACTIONS,
  LUN_ACTIONS,
  NAMESPACE_ACTIONS,
  SNAPSHOT_ACTIONS,
  VOLUME_ACTIONS,
} from './actions';
import { AGGREGATE_ACTIONS } from './aggregates/actions';
import { ManualLink } from './events/ManualLink';
import { FabricLink } from './fabrics/FabricLink';
import { JobOutcome, JobTitle } from './jobs/JobTexts';

/** LUNs and namespaces look alike. `last` is the field of the last part of their paths. */
const device = (last: string): Presentation => ({
  columns: [
    'name',
    'svm.name',
    'status.state',
    'status.mapped',
    '#capacity',
    'os_type',
    'location.volume.name',
  ],
  capacity: { used: 'space.used', size: 'space.size' },
  first: ['svm', 'location.volume', last, 'os_type', 'space.size', 'qos_policy', 'comment'],
  needed: ['location.volume', last, 'os_type', 'space.size'],
  holdsData: true,
});

const BY_PATH: Record<string, Presentation> = {
  'protocols/san/hosts': {
    columns: [
      'name',
      'svm.name',
      'initiator.name',
      'state',
      'since',
      'paths.connected',
      'paths.lost',
      'paths.narrow',
      'paths.total',
    ],
  },
  'protocols/san/paths': {
    columns: [
      'initiator.name',
      'host.name',
      'state',
      'since',
      'interface.name',
      'transport_protocol',
      'igroups.name',
      'subsystem.name',
      'mtu',
      'device_count',
      'svm.name',
    ],
    search: 'initiator.name',
    refresh: 4,
  },
  'storage/volumes': {
    columns: [
      'name',
      'svm.name',
      'state',
      '#capacity',
      'space.available',
      'aggregates.name',
      'guarantee.type',
      'snapshot_count',
    ],
    capacity: { used: 'space.used', size: 'space.size' },
    first: [
      'name',
      'svm',
      'size',
      'aggregates',
      'guarantee.type',
      'snapshot_policy',
      'qos.policy',
      'comment',
    ],
    needed: ['size'],
    holdsData: true,
    overview: part(() => import('./volumes/VolumeOverview')),
    actions: VOLUME_ACTIONS,
  },
  'storage/luns': {
    ...device('location.logical_unit'),
    overview: part(() => import('./luns/LunOverview')),
    actions: LUN_ACTIONS,
  },
  'storage/namespaces': {
    ...device('location.namespace'),
    overview: part(() => import('./namespaces/NamespaceOverview')),
    actions: NAMESPACE_ACTIONS,
  },
  'storage/aggregates': {
    columns: [
      'name',
      'state',
      '#capacity',
      'space.block_storage.available',
      'block_storage.primary.raid_type',
      'block_storage.primary.disk_count',
      'volume_count',
    ],
    capacity: { used: 'space.block_storage.used', size: 'space.block_storage.size' },
    first: [
      'name',
      'block_storage.primary.disk_count',
      'block_storage.primary.raid_type',
      'block_storage.primary.raid_size',
      'block_storage.primary.disk_class',
      'block_storage.primary.disks',
    ],
    suggestion: {
      query: { recommend: true },
      fields: [
        'name',
        'block_storage.primary.disk_count',
        'block_storage.primary.raid_type',
        'block_storage.primary.raid_size',
        'block_storage.primary.disk_class',
      ],
      note: part(() => import('./aggregates/Recommendation')),
    },
    holdsData: true,
    overview: part(() => import('./aggregates/AggregateOverview')),
    actions: AGGREGATE_ACTIONS,
  },
  'storage/disks': {
    columns: [
      'name',
      'state',
      'container_type',
      'usable_size',
      'type',
      'bay',
      'aggregates.name',
      'rated_life_used_percent',
      'model',
      'serial_number',
    ],
    drawing: { title: 'By shelf', component: part(() => import('./disks/Shelves')) },
    overview: part(() => import('./disks/DiskOverview')),
    hidden: ['erase.content', 'erase.method', 'sanitize.action', 'sanitize.supported'],
    actions: DISK_ACTIONS,
  },
  'storage/volumes/{volume.uuid}/snapshots': { holdsData: true, actions: SNAPSHOT_ACTIONS },
  'network/ip/interfaces': { actions: LIF_ACTIONS },
  'cluster/nodes': {
    columns: ['name', 'state', 'model', 'serial_number', 'version.full', 'uptime'],
    overview: part(() => import('./power/NodeOverview')),
  },
  'support/ems/events': {
    columns: ['time', 'message.severity', 'log_message', 'message.name', 'index'],
    search: 'log_message',
    renderers: { manual: { needs: [], component: ManualLink } },
  },
  'support/ems/messages': { renderers: { manual: { needs: [], component: ManualLink } } },
  'cluster/jobs': {
    columns: ['description', 'state', 'start_time', 'end_time', 'message'],
    search: 'description',
    title: (t, declarations, { description = '' }) =>
      titleOf(t, declarations, description as string),
    renderers: {
      description: { needs: [], component: JobTitle },
      message: { needs: ['error', 'state'], component: JobOutcome },
      'error.message': { needs: ['error', 'state'], component: JobOutcome },
    },
    hidden: ['error.arguments'],
    actions: JOB_ACTIONS,
  },
  'network/fc/ports': {
    columns: ['name', 'state', 'wwpn', 'fabric.name', 'speed.maximum', 'supported_protocols'],
    renderers: { 'fabric.name': { needs: [], component: FabricLink } },
  },
  'network/fc/fabrics': {
    columns: ['name', 'zoneset.name', 'connections', 'cache.update_time'],
    hidden: ['cache.age'],
  },
  'network/fc/fabrics/{fabric.name}/switches': {
    columns: ['wwn', 'name', 'domain_id', 'vendor', 'release'],
    hidden: ['cache.age'],
  },
  'network/fc/fabrics/{fabric.name}/zones': {
    columns: ['name', 'members'],
    hidden: ['cache.age'],
  },
  'support/bundles': {
    columns: ['name', 'state', 'size', 'create_time'],
    overview: part(() => import('./support/BundleOverview')),
  },
  cluster: {
    first: ['name', 'contact', 'location', 'timezone.name', 'name_servers', 'dns_domains'],
  },
  'cluster/ntp/servers': { columns: ['server', 'version', 'authentication_enabled'] },
  'cluster/schedules': { columns: ['name', 'type', 'interval', 'cron'] },
  'cluster/web': { first: ['certificate'] },
  'security/accounts': {
    columns: ['name', 'owner.name', 'role.name', 'locked', 'applications', 'comment'],
    first: ['name', 'owner', 'role', 'password', 'applications', 'locked', 'comment'],
    needed: ['role', 'applications'],
    overview: part(() => import('./account/AccountOverview')),
  },
  'security/authentication/cluster/oidc': {
    first: ['provider', 'issuer', 'client_id', 'client_secret', 'redirect_ipaddress', 'enabled'],
  },
  'security/login/totps': {
    columns: ['account.name', 'enabled', 'owner.name', 'comment', 'sha_fingerprint'],
    first: ['account.name', 'owner', 'comment'],
    linked: ['account.name', 'owner'],
    search: 'account.name',
    once: part(() => import('./account/InstallCode')),
  },
  'security/roles': {
    columns: ['name', 'owner.name', 'builtin', 'privileges'],
    first: ['name', 'owner', 'privileges'],
  },
  'security/roles/{owner.uuid}/{role.name}/privileges': { columns: ['path', 'access'] },
  'security/authentication/publickeys': {
    columns: ['account.name', 'index', 'owner.name', 'comment', 'sha_fingerprint'],
    first: ['account.name', 'owner', 'public_key', 'comment'],
    search: 'account.name',
  },
  'security/certificates': {
    columns: ['name', 'type', 'common_name', 'expiry_time', 'ca', 'serial_number'],
    first: [
      'name',
      'type',
      'common_name',
      'subject_alternatives.dns',
      'subject_alternatives.ip',
      'expiry_time',
      'public_certificate',
      'private_key',
      'intermediate_certificates',
    ],
    overview: part(() => import('./certificates/CertificateOverview')),
  },
  'security/login/messages': {
    columns: ['scope', 'svm.name', 'banner', 'message', 'show_cluster_message'],
    first: ['banner', 'message', 'show_cluster_message'],
  },
  'support/ems/destinations': {
    columns: ['name', 'type', 'destination', 'filters', 'connectivity.state'],
    first: [
      'name',
      'type',
      'destination',
      'filters',
      'syslog.port',
      'syslog.transport',
      'syslog.format.message',
      'certificate.name',
    ],
  },
  'support/ems': {
    first: [
      'mail_server',
      'mail_from',
      'mail_server_encryption',
      'mail_server_user',
      'mail_server_password',
      'proxy_url',
    ],
  },
  'support/snmp/users': {
    columns: [
      'name',
      'authentication_method',
      'snmpv3.authentication_protocol',
      'snmpv3.privacy_protocol',
      'comment',
    ],
    first: [
      'name',
      'authentication_method',
      'snmpv3.authentication_protocol',
      'snmpv3.authentication_password',
      'snmpv3.privacy_protocol',
      'snmpv3.privacy_password',
      'comment',
    ],
  },
  'support/snmp/traphosts': { columns: ['host', 'ip_address', 'user.name'] },
  'support/ems/filters': { columns: ['name', 'system_defined', 'rules'] },
  'security/audit/messages': {
    columns: ['timestamp', 'user', 'application', 'location', 'input', 'state'],
    search: 'input',
  },
};

const FIGURES: Presentation = { charts: part(() => import('./performance/MetricsView')) };
const NONE: Presentation = {};

/** Return the presentation of the resource with a path. */
export function presentationOf(path: string): Presentation {
  return BY_PATH[path] ?? (/{.*\/metrics$/.test(path) ? FIGURES : NONE);
}

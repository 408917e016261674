/**
 * What is known of a resource beyond its declaration. All of it is optional: a resource that is not
 * here has its pages nevertheless.
 */
import type { TFunction } from 'i18next';
import { type ComponentType, lazy } from 'react';

import type { Json, Query } from '../api/client';
import type { Action } from '../resources/action/action';
import type { Declarations } from '../resources/declarations';
import type { Place } from '../resources/place';
import { titleOf } from '../shell/jobTexts';
import {
  JOB_ACTIONS,
  LIF_ACTIONS,
  LUN_ACTIONS,
  NAMESPACE_ACTIONS,
  SNAPSHOT_ACTIONS,
  VOLUME_ACTIONS,
} from './actions';
import { FabricLink } from './fabrics/FabricLink';
import { JobOutcome, JobTitle } from './jobs/JobTexts';

export interface OverviewProps {
  place: Place;
  record: Json;
}

/** A query of the same collection, of which the first record fills in these fields. */
export interface Suggestion {
  query: Query;
  fields: string[];
  note: ComponentType<{ record: Json | undefined }>;
}

export interface Made {
  /** Columns of the list, by dotted name. */
  columns?: string[];
  /** Fields that are told otherwise than the array does, and what is asked for beside them. */
  told?: Record<string, { needs: string[]; component: ComponentType<{ record: Json }> }>;
  /** The heading of an object's page, if not its name. */
  title?: (t: TFunction, declarations: Declarations, record: Json) => string;
  /** Fields that are for programs alone. */
  hidden?: string[];
  /** Fields that are shown as a bar: used, of size. */
  capacity?: { used: string; size: string };
  /** The field that the filter of the list looks at, if not the name. */
  search?: string;
  /** Seconds after which the list is asked for again, where that is sooner than for others. */
  refresh?: number;
  /** Fields at the top of the form, in this order; the others are under "More". */
  first?: string[];
  /** Fields that the array needs though it can do without them in some case. */
  needed?: string[];
  /** Data is lost with it: its name is typed before it is deleted. */
  holdsData?: boolean;
  /** What its list shows at first; the rows are one click away. */
  drawing?: { title: string; component: ComponentType };
  /** Shown above the fields of an object. */
  overview?: ComponentType<OverviewProps>;
  /** What the array itself would make, and how that is told above the form. */
  suggestion?: Suggestion;
  /** What is done to it every day: buttons on its page, and for the chosen rows of its list. */
  actions?: Action[];
}

export const made: Record<string, Made> = {
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
    overview: lazy(() => import('./volumes/VolumeOverview')),
    actions: VOLUME_ACTIONS,
  },
  'storage/luns': {
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
    first: [
      'svm',
      'location.volume',
      'location.logical_unit',
      'os_type',
      'space.size',
      'qos_policy',
      'comment',
    ],
    needed: ['location.volume', 'location.logical_unit', 'os_type', 'space.size'],
    holdsData: true,
    overview: lazy(() => import('./luns/LunOverview')),
    actions: LUN_ACTIONS,
  },
  'storage/namespaces': {
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
    first: [
      'svm',
      'location.volume',
      'location.namespace',
      'os_type',
      'space.size',
      'qos_policy',
      'comment',
    ],
    needed: ['location.volume', 'location.namespace', 'os_type', 'space.size'],
    holdsData: true,
    overview: lazy(() => import('./namespaces/NamespaceOverview')),
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
      note: lazy(() => import('./aggregates/Recommendation')),
    },
    holdsData: true,
    overview: lazy(() => import('./aggregates/AggregateOverview')),
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
    drawing: { title: 'By shelf', component: lazy(() => import('./disks/Shelves')) },
    overview: lazy(() => import('./disks/DiskOverview')),
  },
  'storage/volumes/{volume.uuid}/snapshots': { holdsData: true, actions: SNAPSHOT_ACTIONS },
  'network/ip/interfaces': { actions: LIF_ACTIONS },
  'cluster/nodes': {
    columns: ['name', 'state', 'model', 'serial_number', 'version.full', 'uptime'],
    overview: lazy(() => import('./power/NodeOverview')),
  },
  'support/ems/events': {
    columns: ['time', 'message.severity', 'log_message', 'message.name', 'index'],
    search: 'log_message',
  },
  'cluster/jobs': {
    columns: ['description', 'state', 'start_time', 'end_time', 'message'],
    search: 'description',
    title: (t, declarations, { description = '' }) =>
      titleOf(t, declarations, description as string),
    told: {
      description: { needs: [], component: JobTitle },
      message: { needs: ['error', 'state'], component: JobOutcome },
      'error.message': { needs: ['error', 'state'], component: JobOutcome },
    },
    hidden: ['error.arguments'],
    actions: JOB_ACTIONS,
  },
  'network/fc/ports': {
    columns: ['name', 'state', 'wwpn', 'fabric.name', 'speed.maximum', 'supported_protocols'],
    told: { 'fabric.name': { needs: [], component: FabricLink } },
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
    overview: lazy(() => import('./support/BundleOverview')),
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
    overview: lazy(() => import('./certificates/CertificateOverview')),
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
    ],
  },
  'support/ems/filters': { columns: ['name', 'system_defined', 'rules'] },
  'security/audit/messages': {
    columns: ['timestamp', 'user', 'application', 'location', 'input', 'state'],
    search: 'input',
  },
};

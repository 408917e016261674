import type { TFunction } from 'i18next';

import { language, LANGUAGES } from '../language/language';
import { density, theme } from '../theme/theme';

/** A task of an administrator, and its page. */
interface Task {
  label: (t: TFunction) => string;
  /** Other words for it, in English as the field has them, beside those of the label. */
  words: string;
  to: string;
  /** The resource that its page reads. */
  reads: string;
}

export const TASKS: Task[] = [
  {
    label: (t) => t('Grow an aggregate'),
    words: 'add disks extend expand raid group',
    to: '/storage/aggregates',
    reads: 'storage/aggregates',
  },
  {
    label: (t) => t('Grow a volume'),
    words: 'resize extend expand size',
    to: '/storage/volumes',
    reads: 'storage/volumes',
  },
  {
    label: (t) => t('Grow a LUN'),
    words: 'resize extend expand size',
    to: '/storage/luns',
    reads: 'storage/luns',
  },
  {
    label: (t) => t('Grow a namespace'),
    words: 'resize extend expand size',
    to: '/storage/namespaces',
    reads: 'storage/namespaces',
  },
  {
    label: (t) => t('Restore a snapshot'),
    words: 'revert rollback recover',
    to: '/storage/volumes',
    reads: 'storage/volumes',
  },
  {
    label: (t) => t('Replace a disk'),
    words: 'failed broken swap spare erase zero sanitize locate led',
    to: '/storage/disks',
    reads: 'storage/disks',
  },
  {
    label: (t) => t('Find out why a host has lost its disks'),
    words: 'paths multipath login refused initiator offline',
    to: '/hosts',
    reads: 'protocols/san/hosts',
  },
  {
    label: (t) => t('Restart or shut down the array'),
    words: 'reboot power off halt poweroff',
    to: '/cluster/nodes',
    reads: 'cluster/nodes',
  },
  {
    label: (t) => t('Update the array'),
    words: 'upgrade software firmware version package',
    to: '/system/update',
    reads: 'cluster/software',
  },
  {
    label: (t) => t('Send events by mail, to syslog or to a webhook'),
    words: 'smtp e-mail email notification alert destination',
    to: '/support/ems/destinations',
    reads: 'support/ems/destinations',
  },
  {
    label: (t) => t('Set the mail server'),
    words: 'smtp e-mail email relay sender',
    to: '/support/ems',
    reads: 'support/ems',
  },
  {
    label: (t) => t('Watch the array by SNMP'),
    words: 'monitoring trap community agent',
    to: '/support/snmp',
    reads: 'support/snmp',
  },
  {
    label: (t) => t('Set time servers'),
    words: 'ntp clock chrony date',
    to: '/cluster/ntp/servers',
    reads: 'cluster/ntp/servers',
  },
  {
    label: (t) => t('Set name servers'),
    words: 'dns resolver domain',
    to: '/name-services/dns',
    reads: 'name-services/dns',
  },
  {
    label: (t) => t('Install a certificate'),
    words: 'tls ssl https csr ca',
    to: '/security/certificates',
    reads: 'security/certificates',
  },
  {
    label: (t) => t('Change an address of the array'),
    words: 'ip lif management network interface',
    to: '/network/ip/interfaces',
    reads: 'network/ip/interfaces',
  },
  {
    label: (t) => t('Collect a support bundle'),
    words: 'logs diagnostics autosupport',
    to: '/support/bundles',
    reads: 'support/bundles',
  },
];

/** A setting of this browser, without a page. */
interface Setting {
  label: (t: TFunction) => string;
  words: string;
  set: () => void;
}

export const SETTINGS: Setting[] = [
  {
    label: (t) => t('Dark appearance'),
    words: 'theme mode night black',
    set: () => theme.set('dark'),
  },
  {
    label: (t) => t('Light appearance'),
    words: 'theme mode day white',
    set: () => theme.set('light'),
  },
  {
    label: (t) => t('Appearance as the system'),
    words: 'theme mode',
    set: () => theme.set('system'),
  },
  {
    label: (t) => t('High contrast'),
    words: 'theme mode accessibility',
    set: () => theme.set('contrast'),
  },
  {
    label: (t) => t('Compact rows'),
    words: 'density dense small',
    set: () => density.set('compact'),
  },
  {
    label: (t) => t('Comfortable rows'),
    words: 'density large spacious',
    set: () => density.set('comfortable'),
  },
  ...Object.entries(LANGUAGES).map(([code, name]) => ({
    label: () => name,
    words: `language ${code}`,
    set: () => language.set(code),
  })),
];

/**
 * Where each resource is in the navigation.
 *
 * A resource that is named nowhere here is still found: by the first part of its path, at the end of
 * a group. So whatever the array can do has a place.
 */
import type { Declarations, Resource } from '../declarations/declarations';
import { isBelow } from '../declarations/declarations';

interface Group {
  title: string;
  /** Beginnings of paths; the longest that fits decides the group, their order the order in it. */
  paths: string[];
  /** Pages of their own in it, for who may read a resource. */
  pages?: { text: string; to: string; reads: string }[];
}

const GROUPS: Group[] = [
  {
    title: 'Storage',
    paths: [
      'storage/volumes',
      'storage/luns',
      'storage/namespaces',
      'storage/aggregates',
      'storage/disks',
      'storage/qos/policies',
      'svm',
      'storage',
    ],
    pages: [{ text: 'Provision for a host', to: '/provision', reads: 'storage/volumes' }],
  },
  {
    title: 'Hosts',
    paths: [
      'protocols/san/igroups',
      'protocols/san/lun-maps',
      'protocols/nvme/subsystems',
      'protocols/nvme/subsystem-maps',
      'protocols/san/iscsi/sessions',
      'protocols/san/srp/sessions',
      'protocols/nvme/subsystem-controllers',
      'protocols',
    ],
    pages: [{ text: 'Hosts and paths', to: '/hosts', reads: 'protocols/san/hosts' }],
  },
  {
    title: 'Protection',
    paths: ['storage/snapshot-policies', 'application', 'cluster/schedules', 'snapmirror'],
  },
  { title: 'Performance', paths: ['cluster/metrics'] },
  { title: 'Events', paths: ['support/ems/events', 'cluster/jobs', 'security/audit', 'support'] },
  {
    title: 'Network',
    paths: ['network/ip', 'network/fc/interfaces', 'network/ethernet', 'network', 'name-services'],
  },
  {
    title: 'Security',
    paths: ['security/accounts', 'security/roles', 'security', 'private/cli/security'],
  },
  {
    title: 'System',
    paths: ['cluster', 'cluster/nodes', 'support/bundles', ''],
    pages: [{ text: 'Updates', to: '/system/update', reads: 'cluster/software' }],
  },
];

/** The resources on the page of hosts and paths. */
const SHOWN_BY_HOSTS = [
  'protocols/san/hosts',
  'protocols/san/paths',
  'protocols/san/refused-initiators',
];
/** Resources for this interface itself; as pages they are of little use. */
const USED = new Set([
  'cluster/changes',
  'cluster/counter/tables',
  'cluster/licensing/licenses',
  'cluster/overview',
  'cluster/search',
  'cluster/setup',
  'cluster/software',
  'cluster/software/download',
  'cluster/software/history',
  'cluster/software/images',
  'cluster/software/packages',
  'storage/shelves',
  ...SHOWN_BY_HOSTS,
]);

export interface NavigationGroup {
  title: string;
  resources: Resource[];
  pages: { text: string; to: string }[];
}

export function navigation(
  declarations: Declarations,
  mayRead: (path: string) => boolean,
): NavigationGroup[] {
  const top = declarations.resources.filter(
    (each) => !isBelow(each) && !USED.has(each.path) && mayRead(each.path),
  );
  return GROUPS.map(({ title, pages = [] }) => ({
    title,
    pages: pages.filter(({ reads }) => mayRead(reads)),
    resources: top
      .map((resource) => ({ resource, ...placed(resource.path) }))
      .filter((each) => each.title === title)
      .sort((one, other) => one.order - other.order)
      .map((each) => each.resource),
  })).filter((group) => group.resources.length + group.pages.length > 0);
}

/** Return the group that a path belongs to. */
export function groupTitle(path: string): string {
  return placed(path).title;
}

function placed(path: string): { title: string; order: number } {
  const fits = (start: string) => start === '' || path === start || path.startsWith(`${start}/`);
  const [best] = GROUPS.flatMap(({ title, paths }) =>
    paths.map((start, order) => ({ title, start, order })),
  )
    .filter(({ start }) => fits(start))
    .sort((one, other) => other.start.length - one.start.length);
  return best!;
}

/** The pages of `g` and a letter. */
export const SHORTCUTS: Record<string, string> = {
  d: '/',
  v: '/storage/volumes',
  l: '/storage/luns',
  n: '/storage/namespaces',
  a: '/storage/aggregates',
  h: '/protocols/san/igroups',
  o: '/hosts',
  i: '/network/ip/interfaces',
  p: '/performance',
  e: '/support/ems/events',
  j: '/cluster/jobs',
  s: '/svm/svms',
};

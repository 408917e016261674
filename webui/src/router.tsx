import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { Suspense } from 'react';

import { Loading } from './base/Loading';
import { Shell } from './shell/Shell';

const root = createRootRoute({
  component: () => (
    <Suspense fallback={<Loading />}>
      <Shell>
        <Outlet />
      </Shell>
    </Suspense>
  ),
});

const page = <Path extends string>(
  path: Path,
  load: () => Promise<{ default: React.ComponentType }>,
) => createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) });

/** Pages of their own. Every other address is that of a resource, or of nothing. */
const pages = [
  page('/', () => import('./pages/dashboard/DashboardPage')),
  page('/performance', () => import('./pages/performance/PerformancePage')),
  page('/hosts', () => import('./pages/hosts/HostsPage')),
  page('/system/update', () => import('./pages/update/UpdatePage')),
  page('/provision', () => import('./pages/provision/ProvisionPage')),
  page('/setup', () => import('./pages/setup/SetupPage')),
  page('/licences', () => import('./pages/licences/LicencesPage')),
  page('/account/password', () => import('./pages/account/PasswordPage')),
  page('$', () => import('./resources/ResourcePage')),
];

export const router = createRouter({
  routeTree: root.addChildren(pages),
  defaultPendingComponent: Loading,
  // Parameters are filters in the array's own language: texts, never JSON.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

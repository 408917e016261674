import { Nav, NavExpandable, NavItem, NavList } from '@patternfly/react-core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { usePathname } from '../base/address';
import { PageLink } from '../base/PageLink';
import { useDeclarations } from '../declarations/declarations';
import { resourceTitle } from '../declarations/labels';
import { useMayRead } from '../session/useSession';
import { navigation } from './navigation';

export function SideNavigation() {
  const { t } = useTranslation();
  const pathname = usePathname();
  const declarations = useDeclarations();
  const mayRead = useMayRead();
  const groups = useMemo(() => navigation(declarations, mayRead), [declarations, mayRead]);
  const paths = groups.flatMap(({ resources, pages }) => [
    ...resources.map(({ path }) => `/${path}`),
    ...pages.map(({ to }) => to),
  ]);
  const [here] = paths
    .filter((path) => pathname === path || pathname.startsWith(`${path}/`))
    .sort((one, other) => other.length - one.length);
  return (
    <Nav aria-label={t('Pages')}>
      <NavList>
        <NavItem isActive={pathname === '/'}>
          <PageLink to="/">{t('Dashboard')}</PageLink>
        </NavItem>
        {groups.map(({ title, resources, pages }) => {
          if (title === 'Performance')
            return (
              <NavItem key={title} isActive={pathname === '/performance'}>
                <PageLink to="/performance">{t(title)}</PageLink>
              </NavItem>
            );
          const isHere =
            resources.some(({ path }) => `/${path}` === here) ||
            pages.some(({ to }) => to === here);
          return (
            <NavExpandable
              key={title}
              title={t(title)}
              isActive={isHere}
              isExpanded={isHere || title === 'Storage'}
            >
              {pages.map(({ text, to }) => (
                <NavItem key={to} isActive={to === here}>
                  <PageLink to={to}>{t(text)}</PageLink>
                </NavItem>
              ))}
              {resources.map(({ path }) => (
                <NavItem key={path} isActive={`/${path}` === here}>
                  <PageLink to={`/${path}`}>{resourceTitle(t, path)}</PageLink>
                </NavItem>
              ))}
            </NavExpandable>
          );
        })}
        {mayRead('cluster/setup') && (
          <NavItem isActive={pathname === '/setup'}>
            <PageLink to="/setup">{t('Setup guide')}</PageLink>
          </NavItem>
        )}
      </NavList>
    </Nav>
  );
}

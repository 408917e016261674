import {
  Button,
  Divider,
  Dropdown,
  DropdownGroup,
  DropdownItem,
  DropdownList,
  Label,
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadMain,
  MastheadToggle,
  MenuToggle,
  NotificationBadge,
  PageToggleButton,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import BarsIcon from '@patternfly/react-icons/dist/esm/icons/bars-icon';
import FlaskIcon from '@patternfly/react-icons/dist/esm/icons/flask-icon';
import QuestionCircleIcon from '@patternfly/react-icons/dist/esm/icons/question-circle-icon';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import TasksIcon from '@patternfly/react-icons/dist/esm/icons/tasks-icon';
import UserIcon from '@patternfly/react-icons/dist/esm/icons/user-icon';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { api } from '../api/client';
import { logOut } from '../api/session';
import { useGo, usePathname } from '../base/address';
import { notice } from '../base/notice';
import { PageLink } from '../base/PageLink';
import { Sign } from '../base/Sign';
import { useStore } from '../base/store';
import { isOpen, type Job } from '../changes/job';
import { ALERTS_PAGE, useAlerts } from '../pages/events/alerts';
import { Preferences } from '../session/Preferences';
import { useSession } from '../session/useSession';

interface Props {
  jobs: Job[];
  isSideOpen: boolean;
  onSide: () => void;
  onTray: () => void;
  onPalette: () => void;
  onKeys: () => void;
}

export function TopBar(props: Props) {
  const { t } = useTranslation();
  const go = useGo();
  const alerts = useAlerts();
  const pathname = usePathname();
  const restarting = useStore(notice.restarting);
  const open = props.jobs.filter(isOpen).length;
  const { data: array } = useQuery({
    queryKey: ['array'],
    queryFn: async () =>
      (await api.GET('/cluster', { params: { query: { fields: 'name,version' } } })).data!,
    staleTime: 60_000,
  });

  return (
    <Masthead display={{ default: 'inline' }} inset={{ default: 'insetSm' }}>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton
            aria-label={t('Navigation')}
            isSidebarOpen={props.isSideOpen}
            onSidebarToggle={props.onSide}
            id="side-toggle"
          >
            <BarsIcon />
          </PageToggleButton>
        </MastheadToggle>
        <MastheadBrand>
          <PageLink to="/" className="brand" aria-label={t('Dashboard')}>
            <Sign />
          </PageLink>
          {array?.name && <span className="array-name">{array.name}</span>}
          {array?.version?.build?.development && (
            <Label
              className="development"
              variant="outline"
              isCompact
              icon={<FlaskIcon />}
              title={array.version.full}
            >
              {t('Development build')}
            </Label>
          )}
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar isStatic ouiaId="top">
          <ToolbarContent>
            <ToolbarGroup align={{ default: 'alignEnd' }} gap={{ default: 'gapXs' }}>
              {restarting && (
                <ToolbarItem>
                  <span className="restarting" role="status">
                    {t('The array is restarting …')}
                  </span>
                </ToolbarItem>
              )}
              <ToolbarItem>
                <button
                  type="button"
                  className="palette-button"
                  aria-label={t('Search or do')}
                  onClick={props.onPalette}
                >
                  <SearchIcon aria-hidden="true" />
                  <span className="palette-button-text">{t('Search or do')}</span>
                  <kbd>Ctrl K</kbd>
                </button>
              </ToolbarItem>
              <ToolbarItem>
                <Button
                  variant="plain"
                  aria-label={open ? t('Jobs, {{count}} running', { count: open }) : t('Jobs')}
                  onClick={props.onTray}
                  icon={
                    <span className="with-count">
                      <TasksIcon />
                      {open > 0 && <span className="count">{open}</span>}
                    </span>
                  }
                />
              </ToolbarItem>
              <ToolbarItem className="alert-count">
                <NotificationBadge
                  aria-label={alerts ? t('Alerts: {{number}}', { number: alerts }) : t('Alerts')}
                  variant={alerts ? 'attention' : 'read'}
                  count={alerts}
                  onClick={() => go(ALERTS_PAGE)}
                />
              </ToolbarItem>
              <ToolbarItem visibility={{ default: 'hidden', md: 'visible' }}>
                <Button
                  variant="plain"
                  component="a"
                  href={`/docs/#${pathname}`}
                  target="_blank"
                  aria-label={t('Help on this page')}
                  icon={<QuestionCircleIcon />}
                />
              </ToolbarItem>
              <ToolbarItem>
                <Preferences />
              </ToolbarItem>
              <ToolbarItem>
                <UserMenu onKeys={props.onKeys} version={array?.version?.full ?? ''} />
              </ToolbarItem>
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Masthead>
  );
}

function UserMenu({ onKeys, version }: { onKeys: () => void; version: string }) {
  const { t } = useTranslation();
  const { account } = useSession();
  const go = useGo();
  const pathname = usePathname();
  const [open, setOpen] = useState(false);
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      popperProps={{ position: 'right' }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plainText"
          icon={<UserIcon />}
          isExpanded={open}
          aria-label={t('Account {{name}}', { name: account.name })}
          onClick={() => setOpen(!open)}
        >
          <span className="account-name">{account.name}</span>
        </MenuToggle>
      )}
    >
      <DropdownGroup
        label={t('{{name}}, role {{role}}', { name: account.name, role: account.role.name })}
        labelHeadingLevel="h2"
      >
        <DropdownList>
          <DropdownItem onClick={() => go('/account/password')}>
            {t('Change password')}
          </DropdownItem>
          <DropdownItem onClick={onKeys}>{t('Keys')}</DropdownItem>
          <DropdownItem to={`/docs/#${pathname}`} component="a" target="_blank">
            {t('Help on this page')}
          </DropdownItem>
          <DropdownItem to="/docs/api/" component="a">
            {t('Documentation of the API')}
          </DropdownItem>
          <DropdownItem onClick={() => go('/licences')} description={version}>
            {t('Licences')}
          </DropdownItem>
          <Divider component="li" />
          <DropdownItem onClick={() => void logOut()}>{t('Log out')}</DropdownItem>
        </DropdownList>
      </DropdownGroup>
    </Dropdown>
  );
}

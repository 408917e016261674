import { Page, PageSidebar, PageSidebarBody, SkipToContent } from '@patternfly/react-core';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useParameters, usePathname } from '../base/address';
import { Loading } from '../base/Loading';
import { useStore } from '../base/store';
import { useChanges } from '../changes/changes';
import { CONFIRM, guarded } from '../changes/guard';
import { useJobs } from '../changes/jobs';
import { ErrorBoundary } from './ErrorBoundary';
import { GuardDialog } from './GuardDialog';
import { JobTray } from './JobTray';
import { KeyHelp } from './KeyHelp';
import { useGlobalKeys } from './keys';
import { Palette } from './Palette';
import { SideNavigation } from './SideNavigation';
import { Toasts } from './Toasts';
import { TopBar } from './TopBar';

const WIDE = 1200;

/** The frame of every page. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const pathname = usePathname();
  const [side, setSide] = useState(innerWidth >= WIDE);
  const [tray, setTray] = useState(false);
  const [open, setOpen] = useState<'palette' | 'keys'>();
  const jobs = useJobs();
  useChanges();
  const guardedChange = useStore(guarded);
  const [parameters, changeParameters] = useParameters();
  const toConfirm = parameters.get(CONFIRM);
  useGlobalKeys(setOpen);
  useEffect(() => {
    // Who was cut off has opened another address of the array.
    if (!toConfirm) return;
    guarded.set({ job: toConfirm, text: '' });
    changeParameters({ [CONFIRM]: '' });
  }, [toConfirm, changeParameters]);
  const [shown, setShown] = useState(pathname);
  if (shown !== pathname) {
    setShown(pathname);
    // On a phone the navigation lies over the page that was chosen in it.
    if (innerWidth < WIDE) setSide(false);
  }
  useEffect(() => {
    document.getElementById('page')?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <>
      <Page
        isContentFilled
        skipToContent={<SkipToContent href="#page">{t('Skip to content')}</SkipToContent>}
        masthead={
          <TopBar
            jobs={jobs}
            onSide={() => setSide(!side)}
            isSideOpen={side}
            onTray={() => setTray(!tray)}
            onPalette={() => setOpen('palette')}
            onKeys={() => setOpen('keys')}
          />
        }
        sidebar={
          <PageSidebar isSidebarOpen={side} id="side">
            <PageSidebarBody>
              <SideNavigation />
            </PageSidebarBody>
          </PageSidebar>
        }
        isNotificationDrawerExpanded={tray}
        notificationDrawer={<JobTray jobs={jobs} onClose={() => setTray(false)} />}
        mainContainerId="page"
        mainAriaLabel={t('Content')}
      >
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </ErrorBoundary>
      </Page>
      <Toasts />
      {guardedChange && <GuardDialog key={guardedChange.job} change={guardedChange} />}
      {open === 'palette' && <Palette onClose={() => setOpen(undefined)} />}
      {open === 'keys' && <KeyHelp onClose={() => setOpen(undefined)} />}
    </>
  );
}

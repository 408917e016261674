import {
  EmptyState,
  EmptyStateVariant,
  NotificationDrawer,
  NotificationDrawerBody,
  NotificationDrawerHeader,
  NotificationDrawerList,
  NotificationDrawerListItem,
  NotificationDrawerListItemBody,
  NotificationDrawerListItemHeader,
} from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import { State } from '../resources/State';
import { formatTime } from '../resources/times';
import { isOpen, type Job } from './jobs';
import { PageLink } from './PageLink';

const VARIANTS = {
  success: 'success',
  failure: 'danger',
  queued: 'info',
  running: 'info',
} as const;

/** The array's latest jobs: of this page, of others, and of before it was loaded. */
export function JobTray({ jobs, onClose }: { jobs: Job[]; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const open = jobs.filter(isOpen).length;
  return (
    <NotificationDrawer aria-label={t('Jobs')}>
      <NotificationDrawerHeader
        title={t('Jobs')}
        customText={open ? t('{{count}} running', { count: open }) : ''}
        onClose={onClose}
        closeButtonAriaLabel={t('Close')}
      >
        <PageLink to="/cluster/jobs">{t('All jobs')}</PageLink>
      </NotificationDrawerHeader>
      <NotificationDrawerBody>
        {!jobs.length && (
          <EmptyState
            variant={EmptyStateVariant.xs}
            headingLevel="h2"
            titleText={t('Nothing has been changed yet.')}
          />
        )}
        <NotificationDrawerList aria-label={t('Jobs')}>
          {jobs.map((job) => (
            <NotificationDrawerListItem
              key={job.uuid}
              variant={VARIANTS[job.state]}
              isRead={!isOpen(job)}
            >
              <NotificationDrawerListItemHeader
                title={job.description}
                variant={VARIANTS[job.state]}
                headingLevel="h2"
                srTitle={job.state}
              />
              <NotificationDrawerListItemBody
                timestamp={formatTime(job.end_time ?? job.start_time, i18n.language)}
              >
                <State value={job.state} isJob />{' '}
                {job.state === 'success' ? '' : (job.error?.message ?? job.message)}
              </NotificationDrawerListItemBody>
            </NotificationDrawerListItem>
          ))}
        </NotificationDrawerList>
      </NotificationDrawerBody>
    </NotificationDrawer>
  );
}

import {
  Button,
  EmptyState,
  EmptyStateVariant,
  NotificationDrawer,
  NotificationDrawerBody,
  NotificationDrawerHeader,
  NotificationDrawerList,
  NotificationDrawerListItem,
  NotificationDrawerListItemBody,
  NotificationDrawerListItemHeader,
  Progress,
} from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import { State } from '../resources/State';
import { formatTime } from '../resources/times';
import { useDisabledReason } from '../session/useSession';
import { guarded } from './guard';
import { isOpen, type Job, useChange } from './jobs';
import { tell } from './notice';
import { PageLink } from './PageLink';
import { ReasonedButton } from './ReasonedButton';

const VARIANTS = {
  success: 'success',
  failure: 'danger',
  queued: 'info',
  running: 'info',
  paused: 'warning',
} as const;

/** The array's latest jobs: of this page, of others, and of before it was loaded. */
export function JobTray({ jobs, onClose }: { jobs: Job[]; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const change = useChange();
  const reason = useDisabledReason();
  const open = jobs.filter(isOpen).length;

  async function cancel(job: Job) {
    const text = t('Cancel {{what}}', { what: job.description });
    const query = { action: 'cancel' };
    try {
      await change({ method: 'PATCH', path: `cluster/jobs/${job.uuid}`, query, body: {}, text });
    } catch (refused) {
      tell('danger', text, (refused as Error).message);
    }
  }

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
                {isOpen(job) && job.progress?.percent !== undefined && (
                  <Progress value={job.progress.percent} size="sm" aria-label={job.description} />
                )}
                {job.state === 'paused' && (
                  <Button
                    variant="link"
                    isInline
                    onClick={() => guarded.set({ job: job.uuid, text: '' })}
                  >
                    {t('Keep or take back')}
                  </Button>
                )}
                {job.state !== 'paused' && job.cancelable && (
                  <ReasonedButton
                    variant="link"
                    isInline
                    reason={reason('PATCH', 'cluster/jobs')}
                    onClick={() => void cancel(job)}
                  >
                    {t('Cancel this job')}
                  </ReasonedButton>
                )}
              </NotificationDrawerListItemBody>
            </NotificationDrawerListItem>
          ))}
        </NotificationDrawerList>
      </NotificationDrawerBody>
    </NotificationDrawer>
  );
}

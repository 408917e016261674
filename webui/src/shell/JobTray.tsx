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

import { tell } from '../base/notice';
import { PageLink } from '../base/PageLink';
import { ReasonedButton } from '../base/ReasonedButton';
import { formatTime } from '../base/times';
import { useChange } from '../changes/change';
import { guarded } from '../changes/guard';
import { isOpen, type Job } from '../changes/job';
import { outcomeOf, titleOf } from '../changes/jobTexts';
import { useDeclarations } from '../declarations/declarations';
import { State } from '../resources/State';
import { useDisabledReason } from '../session/useSession';

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

  const declarations = useDeclarations();
  const titled = jobs.map((job) => ({ job, title: titleOf(t, declarations, job.description) }));

  async function cancel(job: Job, what: string) {
    const text = t('Cancel {{what}}', { what });
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
        customText={t('{{count}} running', { count: open })}
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
          {titled.map(({ job, title }) => (
            <NotificationDrawerListItem
              key={job.uuid}
              variant={VARIANTS[job.state]}
              isRead={!isOpen(job)}
            >
              <NotificationDrawerListItemHeader
                title={title}
                variant={VARIANTS[job.state]}
                headingLevel="h2"
                srTitle={job.state}
              />
              <NotificationDrawerListItemBody
                timestamp={formatTime(job.end_time ?? job.start_time, i18n.language)}
              >
                <State value={job.state} isJob /> {outcomeOf(job)}
                {isOpen(job) && job.progress?.percent !== undefined && (
                  <Progress value={job.progress.percent} size="sm" aria-label={title} />
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
                    onClick={() => void cancel(job, title)}
                  >
                    {t('Cancel this job')}
                  </ReasonedButton>
                )}
                {title !== job.description && (
                  <div>
                    <small className="request">{job.description}</small>
                  </div>
                )}
              </NotificationDrawerListItemBody>
            </NotificationDrawerListItem>
          ))}
        </NotificationDrawerList>
      </NotificationDrawerBody>
    </NotificationDrawer>
  );
}

import {
  Alert,
  Button,
  Progress as Bar,
  ProgressStep,
  ProgressStepper,
} from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { notice } from '../../base/notice';
import { kept, useStore } from '../../base/store';
import { isUnderWay, type Software } from './software';
import { progressOf, type Step, stepOf } from './steps';

const STEPS: Step[] = ['check', 'write', 'restart'];

/** The update that was watched here, so that its end is shown even if the page was loaded anew. */
const watched = kept('update', '');

/** How an update goes: checked, written, restarted; and which release answered in the end. */
export function Progress({ software }: { software: Software }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const restarting = useStore(notice.restarting);
  const watchedStart = useStore(watched);
  const underWay = isUnderWay(software);
  const { message, percent } = progressOf(software);
  const version = software.pending_version ?? '';
  const start = software.status_details?.[0]?.start_time ?? '';
  useEffect(() => {
    if (underWay) watched.set(start);
    else void client.invalidateQueries({ queryKey: ['software'] });
  }, [underWay, start, client]);

  if (underWay) {
    const now = restarting ? 'restart' : stepOf(software);
    const place = STEPS.indexOf(now);
    const texts: Record<Step, string> = {
      check: t('Check the package'),
      write: t('Write the other slot'),
      restart: t('Restart the array'),
    };
    return (
      <section className="card" aria-label={t('Update under way')}>
        <h2>{t('Release {{version}} is being installed', { version })}</h2>
        <ProgressStepper aria-label={t('Update under way')}>
          {STEPS.map((step, index) => (
            <ProgressStep
              key={step}
              id={`update-${step}`}
              titleId={`update-${step}-title`}
              variant={index < place ? 'success' : index === place ? 'info' : 'pending'}
              isCurrent={index === place}
              aria-label={texts[step]}
            >
              {texts[step]}
            </ProgressStep>
          ))}
        </ProgressStepper>
        {now === 'write' && percent !== undefined && (
          <Bar value={percent} size="sm" aria-label={texts.write} />
        )}
        <p role="status">
          {restarting ? t('The array restarts. This page waits until it answers.') : t(message)}
        </p>
      </section>
    );
  }
  if (!watchedStart || watchedStart !== start || !software.state) return null;
  const isGood = software.state === 'completed';
  return (
    <Alert
      component="h2"
      isInline
      variant={isGood ? 'success' : 'danger'}
      title={
        isGood
          ? t('The update is complete.')
          : t('The update failed. The array runs release {{version}}.', {
              version: software.version,
            })
      }
      actionLinks={
        <>
          {isGood && (
            <Button variant="link" isInline onClick={() => location.reload()}>
              {t('Load the pages of the new release')}
            </Button>
          )}
          <Button variant="link" isInline onClick={() => watched.set('')}>
            {t('Dismiss')}
          </Button>
        </>
      }
    >
      {message}
    </Alert>
  );
}

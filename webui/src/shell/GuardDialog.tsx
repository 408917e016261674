import {
  Alert,
  Button,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  ModalVariant,
  Progress,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call } from '../api/client';
import { elsewhere, type Guarded, guarded, WITHIN } from '../changes/guard';
import { isOpen, type Job } from '../changes/job';
import { outcomeOf, titleOf } from '../changes/jobTexts';
import { useRefresh } from '../changes/refresh';
import { useDeclarations } from '../declarations/declarations';

/** Milliseconds after which the array counts as out of reach, and between two questions. */
const PATIENCE = 4000;
const PAUSE = 1000;

/** Asks whether a change that may cut this browser off shall stay, and shows its outcome. */
export function GuardDialog({ change }: { change: Guarded }) {
  const { t } = useTranslation();
  const titleId = useId();
  const refresh = useRefresh();
  const { job, isError, left, isBusy, error, answer } = useAnswer(change);
  const ended = job !== undefined && !isOpen(job);
  const isAsking = job?.state === 'paused';
  const isKept = job?.state === 'success';
  const ending = isKept ? t('The change is kept') : t('The change was taken back');

  useEffect(() => {
    if (ended) void refresh();
  }, [ended, refresh]);

  return (
    <Modal isOpen variant={ModalVariant.small} aria-labelledby={titleId}>
      <ModalHeader
        labelId={titleId}
        title={ended ? ending : t('Do you still reach the array?')}
        titleIconVariant={isKept ? 'success' : 'warning'}
      />
      {/* It takes the focus while no button can be used. */}
      <ModalBody className="guard" tabIndex={0}>
        <Situation {...{ change, job, left }} />
        {!ended && <Reach change={change} isLost={isError} />}
        {error && <Alert component="h2" isInline variant="danger" title={t(error)} role="alert" />}
      </ModalBody>
      <ModalFooter>
        {ended ? (
          <Button onClick={() => guarded.set(undefined)}>{t('Close')}</Button>
        ) : (
          <>
            <Button
              isDisabled={!isAsking || isError || isBusy}
              isLoading={isBusy}
              onClick={() => answer('confirm')}
            >
              {t('Keep this')}
            </Button>
            <Button
              variant="secondary"
              isDisabled={!isAsking || isBusy}
              onClick={() => answer('cancel')}
            >
              {t('Take back now')}
            </Button>
          </>
        )}
      </ModalFooter>
    </Modal>
  );
}

/** Read the job of a change again and again, and return it with the function that confirms or cancels it. */
function useAnswer({ job: uuid }: Guarded) {
  const [error, setError] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const path = `cluster/jobs/${uuid}`;
  const { data, dataUpdatedAt, isError, refetch } = useQuery({
    queryKey: ['guarded', uuid],
    queryFn: () =>
      call<Job>('GET', path, { fields: '*' }, undefined, AbortSignal.timeout(PATIENCE)),
    retry: false,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : PAUSE),
  });
  const left = useSecondsLeft(data, dataUpdatedAt);

  async function answer(action: 'confirm' | 'cancel') {
    setIsBusy(true);
    setError('');
    try {
      await call('PATCH', path, { action }, {}, AbortSignal.timeout(2 * PATIENCE));
    } catch (refused) {
      setError((refused as Error).message);
    } finally {
      setIsBusy(false);
      void refetch();
    }
  }

  return {
    job: data,
    isError,
    left,
    isBusy,
    error,
    answer: (action: 'confirm' | 'cancel') => void answer(action),
  };
}

/** How far the change is, and how long it stays unless it is kept. */
function Situation({ change, job, left }: { change: Guarded; job: Job | undefined; left: number }) {
  const { t } = useTranslation();
  const declarations = useDeclarations();
  const isAsking = job?.state === 'paused';
  return (
    <>
      <p>{change.text || (job && titleOf(t, declarations, job.description))}</p>
      {!isAsking && (!job || isOpen(job)) && <p role="status">{t('The array is changing …')}</p>}
      {isAsking && (
        <>
          <p>
            {t(
              'The change is in effect. It may cut off this browser, so it is taken back unless you keep it.',
            )}
          </p>
          <Progress
            size="sm"
            min={0}
            max={WITHIN}
            value={left}
            title={t('Seconds left')}
            label={String(left)}
            valueText={String(left)}
          />
        </>
      )}
      {job?.state === 'failure' && <p>{outcomeOf(job)}</p>}
    </>
  );
}

/** The address of the array now, and the outcome if it cannot be reached. */
function Reach({ change, isLost }: { change: Guarded; isLost: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      {isLost && (
        <Alert
          component="h2"
          isInline
          variant="warning"
          title={t('The array does not answer at this address.')}
        >
          {t('If you do nothing, it takes the change back within a minute or so.')}
        </Alert>
      )}
      {change.address && (
        <>
          <p>{t('The array has a new address. Open it, log in there and keep the change:')}</p>
          <p>
            <a href={elsewhere(change.address, change.job)} target="_blank" rel="noreferrer">
              {change.address}
            </a>
          </p>
        </>
      )}
    </>
  );
}

/** Return the seconds left to confirm a job, which was read at a time of this browser's clock. */
function useSecondsLeft(job: Job | undefined, toldAt: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), PAUSE / 2);
    return () => clearInterval(timer);
  }, []);
  if (job?.state !== 'paused' || job.confirm_left === undefined) return WITHIN;
  const passed = (now - toldAt) / 1000;
  return Math.min(WITHIN, Math.max(0, Math.ceil(job.confirm_left - passed)));
}

import { Alert, Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call } from '../../api/client';
import { PageLink } from '../../base/PageLink';
import { useRefresh } from '../../changes/refresh';
import { useDeclarations } from '../../declarations/declarations';
import { resourceNoun } from '../../declarations/labels';
import { State } from '../../resources/State';
import { HostCommands } from './HostCommands';
import { forget, createdBy, proceed, type Progress, type Run, takeBack } from './run';

interface Props {
  run: Run;
  /** Called when the run is forgotten, with whether all objects were created. */
  onLeave: (isDone: boolean) => void;
}

/** The progress of a run; afterwards the commands for the host, or the ways on. */
export function RunView({ run, onLeave }: Props) {
  const { t } = useTranslation();
  const { phase } = run;
  const leave = (isDone: boolean) => {
    forget();
    onLeave(isDone);
  };
  return (
    <>
      <Outcome run={run} />
      <Steps run={run} />
      {phase === 'stopped' && <WhatNow run={run} onLeave={() => leave(false)} />}
      {phase === 'done' && <CreatedObjects run={run} />}
      {(phase === 'done' || phase === 'taken back') && (
        <div className="form-buttons">
          <Button variant="secondary" onClick={() => leave(phase === 'done')}>
            {phase === 'done' ? t('Provision for another host') : t('Change what was entered')}
          </Button>
        </div>
      )}
    </>
  );
}

/** How a run ended, if it has. */
function Outcome({ run }: { run: Run }) {
  const { t } = useTranslation();
  const failed = run.steps.findIndex((step) => step.error);
  const number = failed + 1;
  if (run.phase === 'done')
    return <Alert component="h2" isInline variant="success" title={t('All of it is there')} />;
  if (run.phase === 'taken back')
    return (
      <Alert
        component="h2"
        isInline
        variant="info"
        title={t('The new objects of this run are deleted again')}
      />
    );
  if (run.phase !== 'stopped') return null;
  return (
    <Alert
      component="h2"
      isInline
      variant="danger"
      role="alert"
      title={number ? t('Step {{number}} failed', { number }) : t('It was interrupted')}
    >
      {number > 0 && <p>{t(run.steps[failed]!.error!)}</p>}
      <p>{t('Created so far: {{number}}', { number: createdBy(run).length })}</p>
    </Alert>
  );
}

function Steps({ run: { phase, steps } }: { run: Run }) {
  const { t } = useTranslation();
  const isBusy = phase === 'running' || phase === 'deleting';
  const words: Record<Progress['state'], string> = {
    waiting: t('not created yet'),
    sent: isBusy ? t('being created') : t('nobody knows whether it was created'),
    created: t('created, and read back'),
    found: t('is there; whether this run created it is not known'),
    failed: t('failed'),
    deleted: t('deleted again'),
  };
  return (
    <section className="card" aria-label={t('Steps')} aria-live="polite">
      <h2>{t('Steps')}</h2>
      <ol className="steps">
        {steps.map((step, index) => (
          <li key={keyOf(step)} className="step">
            <span className="step-kind">
              {index + 1}. {resourceNoun(t, step.path)}
            </span>
            <span className="step-name">
              {step.object && step.state !== 'deleted' ? (
                <PageLink to={`/${step.object}`}>{step.name}</PageLink>
              ) : (
                step.name
              )}
            </span>
            <span className="step-state">
              <State value={SHOWN[step.state]} text={words[step.state]} />
            </span>
          </li>
        ))}
      </ol>
      {phase !== 'done' && phase !== 'taken back' && (
        <p className="quiet">
          {t('This browser keeps the run: it is found again here, after a reload too.')}
        </p>
      )}
    </section>
  );
}

const keyOf = ({ path, name }: Progress) => `${path} ${name}`;

/** The ways on from a run that has stopped: go on, take it back, or leave it. */
function WhatNow({ run, onLeave }: { run: Run; onLeave: () => void }) {
  const { t } = useTranslation();
  const declarations = useDeclarations();
  const refresh = useRefresh();
  const [isOpen, setIsOpen] = useState(false);
  const created = createdBy(run);
  return (
    <>
      {isOpen && (
        <Alert
          component="h2"
          isInline
          variant="warning"
          title={t('These will be deleted, the last first, and nothing else')}
        >
          <ul className="named">
            {created.toReversed().map((step) => (
              <li key={keyOf(step)}>
                {resourceNoun(t, step.path)} {step.name}
              </li>
            ))}
          </ul>
          <Button
            variant="danger"
            onClick={() => {
              setIsOpen(false);
              void takeBack(run).then(refresh);
            }}
          >
            {t('Delete {{number}} objects', { number: created.length })}
          </Button>
        </Alert>
      )}
      <div className="form-buttons">
        <Button onClick={() => void proceed(run, declarations).then(refresh)}>
          {t('Try again from there')}
        </Button>
        {created.length > 0 && (
          <Button variant="secondary" isDanger onClick={() => setIsOpen(!isOpen)}>
            {t('Take back')}
          </Button>
        )}
        <Button variant="link" onClick={onLeave}>
          {created.length ? t('Leave the new objects') : t('Change what was entered')}
        </Button>
      </div>
    </>
  );
}

/** The colour and icon of a step. */
const SHOWN: Record<Progress['state'], string> = {
  waiting: 'offline',
  sent: 'starting',
  created: 'ok',
  found: 'unknown',
  failed: 'failed',
  deleted: 'offline',
};

function CreatedObjects({ run: { answers, steps } }: { run: Run }) {
  const device = steps.find(({ path }) => /(luns|namespaces)$/.test(path));
  const { data: identity } = useQuery({
    queryKey: ['provision', 'device', device?.object],
    enabled: Boolean(device?.object),
    queryFn: async () => {
      const record = await call('GET', device!.object!, {});
      return String(record['serial_number'] ?? record['uuid']);
    },
  });
  return (
    <HostCommands
      svm={answers.svm}
      protocol={answers.protocol}
      group={answers.group}
      {...(answers.count === 1 && identity && { device: { identity } })}
    />
  );
}

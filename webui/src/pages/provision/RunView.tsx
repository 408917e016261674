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
import { forget, madeBy, proceed, type Progress, type Run, takeBack } from './run';

interface Props {
  run: Run;
  /** Called when the run is forgotten, with whether all of it was made. */
  onLeave: (isDone: boolean) => void;
}

/** How far a run has come; afterwards what is typed on the host, or what can be done about it. */
export function RunView({ run, onLeave }: Props) {
  const { t } = useTranslation();
  const declarations = useDeclarations();
  const refresh = useRefresh();
  const [isSure, setIsSure] = useState(false);
  const { phase } = run;
  const made = madeBy(run);
  const isBusy = phase === 'running' || phase === 'deleting';
  const failed = run.steps.findIndex((step) => step.error);
  const words: Record<Progress['state'], string> = {
    waiting: t('not made yet'),
    sent: isBusy ? t('being made') : t('nobody knows whether it was made'),
    made: t('made, and read back'),
    found: t('is there; whether this run made it is not known'),
    failed: t('failed'),
    deleted: t('deleted again'),
  };
  return (
    <>
      {phase === 'done' && (
        <Alert component="h2" isInline variant="success" title={t('All of it is there')} />
      )}
      {phase === 'taken back' && (
        <Alert
          component="h2"
          isInline
          variant="info"
          title={t('What this run had made is deleted again')}
        />
      )}
      {phase === 'stopped' && (
        <Alert
          component="h2"
          isInline
          variant="danger"
          role="alert"
          title={
            failed < 0
              ? t('It was interrupted')
              : t('Step {{number}} failed', { number: failed + 1 })
          }
        >
          {failed >= 0 && <p>{t(run.steps[failed]!.error!)}</p>}
          <p>{t('Made so far: {{number}}', { number: made.length })}</p>
        </Alert>
      )}
      <section className="card" aria-label={t('Steps')} aria-live="polite">
        <h2>{t('Steps')}</h2>
        <ol className="steps">
          {run.steps.map((step, index) => (
            <li key={`${step.path} ${step.name}`} className="step">
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
      {isSure && phase === 'stopped' && (
        <Alert
          component="h2"
          isInline
          variant="warning"
          title={t('These will be deleted, the last first, and nothing else')}
        >
          <ul className="named">
            {made.toReversed().map((step) => (
              <li key={`${step.path} ${step.name}`}>
                {resourceNoun(t, step.path)} {step.name}
              </li>
            ))}
          </ul>
          <Button
            variant="danger"
            onClick={() => {
              setIsSure(false);
              void takeBack(run).then(refresh);
            }}
          >
            {t('Delete {{number}} objects', { number: made.length })}
          </Button>
        </Alert>
      )}
      {phase === 'stopped' && (
        <div className="form-buttons">
          <Button onClick={() => void proceed(run, declarations).then(refresh)}>
            {t('Try again from there')}
          </Button>
          {made.length > 0 && (
            <Button variant="secondary" isDanger onClick={() => setIsSure(!isSure)}>
              {t('Take back')}
            </Button>
          )}
          <Button
            variant="link"
            onClick={() => {
              forget();
              onLeave(false);
            }}
          >
            {made.length ? t('Leave what was made') : t('Change what was entered')}
          </Button>
        </div>
      )}
      {phase === 'done' && <Made run={run} />}
      {(phase === 'done' || phase === 'taken back') && (
        <div className="form-buttons">
          <Button
            variant="secondary"
            onClick={() => {
              forget();
              onLeave(phase === 'done');
            }}
          >
            {phase === 'done' ? t('Provision for another host') : t('Change what was entered')}
          </Button>
        </div>
      )}
    </>
  );
}

/** The colour and icon of a step. */
const SHOWN: Record<Progress['state'], string> = {
  waiting: 'offline',
  sent: 'starting',
  made: 'ok',
  found: 'unknown',
  failed: 'failed',
  deleted: 'offline',
};

function Made({ run: { answers, steps } }: { run: Run }) {
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

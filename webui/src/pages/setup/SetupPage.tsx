import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon';
import CircleIcon from '@patternfly/react-icons/dist/esm/icons/outlined-circle-icon';
import ArrowCircleRightIcon from '@patternfly/react-icons/dist/esm/icons/arrow-circle-right-icon';
import { Alert } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

import { useParameters } from '../../base/address';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { PageLink } from '../../base/PageLink';
import { wasShown, type Setup, setupQuery, type Step } from './setup';
import { StepPanel } from './StepPanel';
import { stepTitle } from './words';

const STEP = 'step';

/** The way from a new array to a host that uses it, step by step. It can be left at any time. */
export default function SetupPage() {
  const { t } = useTranslation();
  const [parameters, change] = useParameters();
  const { data: setup, error } = useQuery(setupQuery);
  useEffect(() => wasShown.set(true), []);
  if (error) return <Alert component="h2" isInline variant="danger" title={error.message} />;
  if (!setup) return <Loading />;
  const name = parameters.get(STEP) ?? setup.next ?? 'host';
  const step = setup.steps.find((each) => each.name === name) ?? setup.steps[0]!;
  return (
    <div className="page">
      <PageHead
        title={t('Setup guide')}
        help={
          setup.complete
            ? t('Everything that hosts need is set up.')
            : t('Leave it whenever you like: it goes on where the array is.')
        }
      >
        <PageLink to="/">{t('To the dashboard')}</PageLink>
      </PageHead>
      <div className="setup">
        <nav aria-label={t('Steps')} className="card">
          <ol className="setup-steps">
            {setup.steps.map((each) => (
              <li key={each.name}>
                <button
                  type="button"
                  aria-current={each === step ? 'step' : undefined}
                  onClick={() => change({ [STEP]: each.name })}
                >
                  <Mark step={each} setup={setup} />
                  <span>
                    <span className="setup-title">{stepTitle(t, each.name)}</span>
                    <span className="quiet">{markOf(t, each, setup)}</span>
                  </span>
                </button>
              </li>
            ))}
          </ol>
        </nav>
        <StepPanel
          key={step.name}
          step={step}
          title={stepTitle(t, step.name)}
          onDone={() => change({ [STEP]: '' })}
        />
      </div>
    </div>
  );
}

function Mark({ step, setup }: { step: Step; setup: Setup }) {
  if (step.done)
    return (
      <span className="state state-good">
        <CheckCircleIcon aria-hidden="true" />
      </span>
    );
  const isNext = step.name === setup.next;
  return (
    <span className={isNext ? 'state state-working' : 'state state-off'}>
      {isNext ? <ArrowCircleRightIcon aria-hidden="true" /> : <CircleIcon aria-hidden="true" />}
    </span>
  );
}

function markOf(t: TFunction, step: Step, setup: Setup): string {
  if (step.done) return t('Done');
  if (step.name === setup.next) return t('Next');
  return step.needed ? t('Open') : t('Optional');
}

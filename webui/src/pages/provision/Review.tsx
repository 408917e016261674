import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ReasonedButton } from '../../base/ReasonedButton';
import { formatSize } from '../../base/sizes';
import { useDeclarations } from '../../declarations/declarations';
import { resourceNoun } from '../../declarations/labels';
import { Consequences, type DryRun } from '../../resources/form/Impact';
import { ShowAs } from '../../resources/form/ShowAs';
import { useDisabledReason } from '../../session/useSession';
import { NoInterface } from './NoInterface';
import { type Answers, type Step, volumeSize } from './plan';

interface Props {
  answers: Answers;
  steps: Step[];
  /** The answers to dry runs of the steps that could be tried. */
  dryRuns: (DryRun | undefined)[];
  hasAddresses: boolean;
  onBack: () => void;
  onRun: () => void;
}

/** All objects that will be created, before any is. */
export function Review({ answers, steps, dryRuns, hasAddresses, onBack, onRun }: Props) {
  const { t, i18n } = useTranslation();
  const declarations = useDeclarations();
  const reason = useDisabledReason();
  const [open, setOpen] = useState<number>();
  const missing = steps.map(({ method, to }) => reason(method, to)).find(Boolean);
  const known = dryRuns.filter((each) => each !== undefined);
  const size = (bytes: number) => formatSize(bytes, i18n.language);
  const detail = ({ path, body }: Step) =>
    path === 'storage/volumes'
      ? `${size(volumeSize(answers))}${answers.aggregate ? `, ${answers.aggregate}` : ''}`
      : typeof body['space.size'] === 'number'
        ? size(body['space.size'])
        : path.endsWith('igroups') || path.endsWith('subsystems')
          ? (answers.host?.initiators.join(' ') ?? '')
          : String(body['location.home_port.name'] ?? '');
  return (
    <>
      <section className="card" aria-label={t('New objects')}>
        <h2>{t('New objects')}</h2>
        <ol className="steps">
          {steps.map((step, index) => (
            <li key={`${step.path} ${step.name}`}>
              <details
                name="step"
                onToggle={({ currentTarget }) => {
                  if (currentTarget.open) setOpen(index);
                }}
              >
                <summary>
                  <span className="step-kind">
                    {index + 1}.{' '}
                    {step.method === 'PATCH'
                      ? t('Enable {{what}}', { what: resourceNoun(t, step.path) })
                      : resourceNoun(t, step.path)}
                  </span>
                  <span className="step-name">{step.name}</span>
                  <span className="quiet">{detail(step)}</span>
                  <span className="quiet step-state">
                    {dryRuns[index]
                      ? t('tried: the array takes it')
                      : t('can be tried once the others are there')}
                  </span>
                </summary>
                {open === index && (
                  <ShowAs
                    method={step.method}
                    path={step.to}
                    resource={declarations.get(step.path)}
                    keys={step.method === 'PATCH' ? { svm: { name: answers.svm } } : {}}
                    body={step.body}
                  />
                )}
              </details>
            </li>
          ))}
        </ol>
        {!answers.host && (
          <p>
            {t('The group {{name}} is there already, and stays as it is.', { name: answers.group })}
          </p>
        )}
      </section>
      <Consequences
        answer={{
          refusals: [],
          changes: [],
          hosts: known.flatMap(({ hosts }) => hosts),
          aggregates: known.flatMap(({ aggregates }) => aggregates),
          own_connection: false,
        }}
      />
      {!hasAddresses && (
        <NoInterface protocol={answers.protocol} component="h2" query="?back=/provision" />
      )}
      <div className="form-buttons">
        <ReasonedButton reason={missing} onClick={onRun}>
          {t('Make all of it')}
        </ReasonedButton>
        <Button variant="secondary" onClick={onBack}>
          {t('Back to the form')}
        </Button>
      </div>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@patternfly/react-core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

import { Loading } from '../../base/Loading';
import { PageLink } from '../../base/PageLink';
import { useChange } from '../../changes/change';
import { nested, useDeclarations } from '../../declarations/declarations';
import { resourceNoun, resourceTitle } from '../../declarations/labels';
import { ResourceForm } from '../../resources/form/ResourceForm';
import type { Values } from '../../resources/form/values';
import { State } from '../../resources/State';
import { forms, type StepForm } from './forms';
import type { Step, StepName } from './setup';
import { purpose } from './words';

interface Props {
  step: Step;
  title: string;
  /** Called when an object was created. */
  onDone: () => void;
}

/** One step: its state, its reason, and its form. */
export function StepPanel({ step, title, onDone }: Props) {
  const { t } = useTranslation();
  const [again, setAgain] = useState(false);
  const form = forms[step.name];
  const page = PAGES[step.name];
  return (
    <section className="setup-step" aria-label={title}>
      <div className="card">
        <h2>{title}</h2>
        <p>{purpose(t, step.name)}</p>
        <p>
          {step.done && <State value="ok" />} {textOf(t, step.message)}
        </p>
        <p className="setup-links">
          {page && <PageLink to={page.to}>{t(page.text)}</PageLink>}
          <PageLink to={`/${step.resource}`}>{resourceTitle(t, step.resource)}</PageLink>
          {form && step.done && !again && (
            <Button variant="link" isInline onClick={() => setAgain(true)}>
              {t('Add another one')}
            </Button>
          )}
        </p>
      </div>
      {form && (again || !step.done) && <Form form={form} onDone={onDone} />}
    </section>
  );
}

/** The array's message about a step. Its figures are not part of the text to be translated. */
function textOf(t: TFunction, message: string): string {
  const [first, second] = message.match(/\d+/g) ?? [];
  const key = message.replace(/\d+/, '{{first}}').replace(/\d+/, '{{second}}');
  return t(key, { first, second });
}

/** Pages on which a step is done that has no form here. */
const PAGES: Partial<Record<StepName, { to: string; text: string }>> = {
  password: { to: '/account/password', text: 'Change password' },
  host_access: { to: '/provision', text: 'Provision for a host' },
  storage: { to: '/provision', text: 'Provision for a host' },
  host: { to: '/provision', text: 'Provision for a host' },
};

function Form({ form, onDone }: { form: StepForm; onDone: () => void }) {
  const { data: initial, error } = useQuery({
    queryKey: ['setup form', form.resource, form.fields],
    queryFn: form.begin,
    gcTime: 0,
    // Typed values stay as they are.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (error) throw error;
  return initial ? <FormFields form={form} initial={initial} onDone={onDone} /> : <Loading />;
}

function FormFields({
  form,
  initial,
  onDone,
}: {
  form: StepForm;
  initial: Values;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const change = useChange();
  const resource = useDeclarations().get(form.resource);
  const what = resourceNoun(t, resource.path);
  const nodes = form.fields.flatMap((name) => resource.fields.filter((node) => node.name === name));
  return (
    <ResourceForm
      resource={resource}
      nodes={nodes}
      options={[]}
      method="POST"
      path={resource.path}
      initial={initial}
      {...(form.fixed && { fixed: form.fixed })}
      submit={t('Create {{what}}', { what })}
      onSubmit={async (body, query) => {
        const name = String(body['name'] ?? body['server'] ?? '');
        const text = t('Create {{what}}', { what: `${what} ${name}`.trim() });
        await change({ method: 'POST', path: resource.path, query, body: nested(body), text });
        onDone();
      }}
    />
  );
}

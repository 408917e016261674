import { Alert, Form } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Page } from '../../api/client';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { PageLink } from '../../base/PageLink';
import { ReasonedButton } from '../../base/ReasonedButton';
import { kept, useStore } from '../../base/store';
import { useRefresh } from '../../changes/refresh';
import { type Node, useDeclarations } from '../../declarations/declarations';
import { resourceNoun } from '../../declarations/labels';
import { Field } from '../../resources/form/Field';
import { type Errors, FormError, useFocusOnError } from '../../resources/form/FormError';
import type { Chosen, Typed, Values } from '../../resources/form/values';
import { useSession } from '../../session/useSession';
import { isFibreChannel, type Protocol } from './commandParts';
import { FcPorts, SeenPorts } from './FcChoices';
import { fieldsOf, INITIAL, labelOf, NotComplete, protocolOf, svmOf } from './form';
import { Review } from './Review';
import { review, type Reviewed } from './reviewed';
import { begin, settle, useRun } from './run';
import { RunView } from './RunView';
import { situationQuery } from './situation';

/** The values are kept, so that a user who leaves to create a missing object loses nothing. */
const draft = kept('provision.draft', '');

/** LUNs or namespaces for a host, with all that they need, in one form. */
export default function ProvisionPage() {
  const { t } = useTranslation();
  const { account } = useSession();
  const declarations = useDeclarations();
  const refresh = useRefresh();
  const run = useRun(account.name);
  const [reviewed, setReviewed] = useState<Reviewed>();

  useEffect(() => void settle(declarations), [declarations]);

  return (
    <div className="page">
      <PageHead
        title={t('Provision for a host')}
        help={t('LUNs or namespaces for a host, with all that they need to be used.')}
      />
      {run ? (
        <RunView
          run={run}
          onLeave={(isDone) => {
            setReviewed(undefined);
            if (isDone) draft.set('');
          }}
        />
      ) : reviewed ? (
        <Review
          {...reviewed}
          onBack={() => setReviewed(undefined)}
          onRun={() =>
            void begin(account.name, reviewed.answers, reviewed.steps, declarations).then(refresh)
          }
        />
      ) : (
        <Entry onReviewed={setReviewed} />
      )}
    </div>
  );
}

function Entry({ onReviewed }: { onReviewed: (reviewed: Reviewed) => void }) {
  const { t } = useTranslation();
  const declarations = useDeclarations();
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const values = valuesOf(useStore(draft));
  const fields = fieldsOf(t, values, declarations);
  const svm = svmOf(values);
  const protocol = protocolOf(values);
  useOnlySvm(svm, (only) => set('svm', only));
  useFocusOnError(errors);

  function set(name: string, value: Typed | undefined) {
    enter(name, value);
    if (errors[name] || errors['']) setErrors({});
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      onReviewed(await review(t, values, fields));
    } catch (error) {
      setErrors(error instanceof NotComplete ? error.errors : { '': (error as Error).message });
    } finally {
      setBusy(false);
    }
  }

  const field = (node: Node) => (
    <EntryField key={node.name} {...{ node, values, errors }} onChange={set} />
  );
  return (
    <Form className="resource-form" noValidate onSubmit={(event) => void submit(event)}>
      <div className="fields card">
        {fields.first.map(field)}
        {isFibreChannel(protocol) && svm && (
          <FcPorts
            svm={svm}
            protocol={protocol}
            value={values['ports']}
            error={errors['ports'] ?? ''}
            onChange={(value) => set('ports', value)}
          />
        )}
      </div>
      {svm && <ServiceNote svm={svm} protocol={protocol} />}
      <details className="card">
        <summary>{t('More')}</summary>
        <div className="fields">{fields.more.map(field)}</div>
      </details>
      <FormError errors={errors} />
      <div className="form-buttons">
        <ReasonedButton type="submit" isLoading={busy} isDisabled={busy}>
          {t('Review')}
        </ReasonedButton>
      </div>
    </Form>
  );
}

/** Keep the value of a field. Values of another protocol or SVM do not fit any more. */
function enter(name: string, value: Typed | undefined): void {
  const others: Values =
    name === 'protocol'
      ? { igroup: undefined, initiator: undefined, ports: undefined, os_type: 'linux' }
      : name === 'svm'
        ? { igroup: undefined, ports: undefined, qos: undefined }
        : {};
  draft.set(JSON.stringify({ ...valuesOf(draft.get()), ...others, [name]: value }));
}

interface EntryFieldProps {
  node: Node;
  values: Values;
  errors: Errors;
  onChange: (name: string, value: Typed | undefined) => void;
}

/** A field, with the ports that were seen, or the way to create a missing object. */
function EntryField({ node, values, errors, onChange }: EntryFieldProps) {
  const { t } = useTranslation();
  const protocol = protocolOf(values);
  const svm = svmOf(values);
  return (
    <div>
      <Field
        node={node}
        label={labelOf(t, node.name, protocol)}
        isNeeded={Boolean(node.required)}
        value={values[node.name]}
        values={values}
        error={errors[node.name] ?? ''}
        onChange={(value) => onChange(node.name, value)}
      />
      {node.name === 'initiator' && protocol === 'fcp' && svm && (
        <SeenPorts
          svm={svm}
          value={String(values['initiator'] ?? '')}
          onChange={(value) => onChange('initiator', value)}
        />
      )}
      {node.to && node.name !== 'igroup' && (
        <PageLink className="create-new" to={`/${node.to}/~new?back=/provision`}>
          {t('Create {{what}}', { what: resourceNoun(t, node.to) })}
        </PageLink>
      )}
    </div>
  );
}

/** Says that the SVM does not serve a protocol yet. */
function ServiceNote({ svm, protocol }: { svm: string; protocol: Protocol }) {
  const { t } = useTranslation();
  const { data: situation, isLoading } = useQuery(situationQuery(svm, protocol));
  if (isLoading) return <Loading isLine />;
  if (!situation || situation.service.enabled) return null;
  return (
    <Alert
      component="h2"
      isInline
      variant="info"
      title={t(
        'The SVM does not serve this protocol yet. Its service will be created, too, and started.',
      )}
    />
  );
}

const valuesOf = (text: string): Values => (text ? (JSON.parse(text) as Values) : INITIAL);

/** Choose the SVM where there is no choice. */
function useOnlySvm(chosen: string, choose: (svm: Chosen) => void) {
  const { data } = useQuery({
    queryKey: ['provision', 'svms'],
    meta: { shows: ['svm/svms'] },
    queryFn: () => call<Page>('GET', 'svm/svms', { max_records: 2 }),
  });
  const only = data?.records.length === 1 ? data.records[0] : undefined;
  const chooseIt = useEffectEvent(choose);
  useEffect(() => {
    if (only && !chosen) chooseIt({ name: String(only['name']), uuid: String(only['uuid']) });
  }, [only, chosen]);
}

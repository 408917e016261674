import { Alert, Form } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Page } from '../../api/client';
import { Refusal } from '../../api/refusal';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { PageLink } from '../../base/PageLink';
import { ReasonedButton } from '../../base/ReasonedButton';
import { kept, useStore } from '../../base/store';
import { useRefresh } from '../../changes/refresh';
import { nested, type Node, useDeclarations } from '../../declarations/declarations';
import { resourceNoun } from '../../declarations/labels';
import { Field } from '../../resources/form/Field';
import { type Errors, FormError, useFocusOnError } from '../../resources/form/FormError';
import type { Told } from '../../resources/form/Impact';
import type { Chosen, Typed, Values } from '../../resources/form/values';
import { useSession } from '../../session/useSession';
import { isFibreChannel, reachedAt } from './commandParts';
import { FcPorts, SeenPorts } from './FcChoices';
import { arrayPorts, chosenPorts } from './fibreChannel';
import { fieldsOf, INITIAL, NotComplete, protocolOf, read } from './form';
import { type Answers, fieldOf, KINDS, plan, type Step } from './plan';
import { Review } from './Review';
import { begin, settle, useRun } from './run';
import { RunView } from './RunView';
import { group, situation, situationQuery } from './situation';

/** What was entered is kept, so that who leaves to create what is missing loses nothing. */
const draft = kept('provision.draft', '');

interface Reviewed {
  answers: Answers;
  steps: Step[];
  told: (Told | undefined)[];
  hasAddresses: boolean;
}

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
  const svm = (values['svm'] as Chosen | undefined)?.name ?? '';
  const protocol = protocolOf(values);
  const { data: found, isLoading } = useQuery({
    ...situationQuery(svm, protocol),
    enabled: Boolean(svm),
  });
  useOnlySvm(svm, (only) => set('svm', only));

  useFocusOnError(errors);

  function set(name: string, value: Typed | undefined) {
    const before = valuesOf(draft.get());
    // What belongs to another protocol or SVM fits no more.
    const others =
      name === 'protocol'
        ? { igroup: undefined, initiator: undefined, ports: undefined, os_type: 'linux' }
        : name === 'svm'
          ? { igroup: undefined, ports: undefined, qos: undefined }
          : {};
    draft.set(JSON.stringify({ ...before, ...others, [name]: value }));
    if (errors[name] || errors['']) setErrors({});
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      onReviewed(await review());
    } catch (error) {
      setErrors(error instanceof NotComplete ? error.errors : { '': (error as Error).message });
    } finally {
      setBusy(false);
    }
  }

  /** Try all that can be tried. Throws NotComplete. */
  async function review(): Promise<Reviewed> {
    const chosen = (values['igroup'] as Chosen | undefined)?.name;
    const known =
      values['host'] === 'existing_host' && svm && chosen
        ? await group(svm, protocol, chosen)
        : undefined;
    const ports = svm ? await arrayPorts(svm, protocol) : [];
    const lacking = chosenPorts(ports, values['ports']).filter((port) => !port.interface);
    const names = lacking.map(({ name }) => name);
    const answers = read(t, values, fields, known?.osType ?? '', names);
    if (!answers.host && !known)
      throw new NotComplete({ igroup: t('The array does not know it.') });
    const found = await situation(svm, protocol);
    const steps = plan(answers, found.service);
    const told = await Promise.all(steps.map((step) => (step.isTried ? tried(step) : undefined)));
    const refused = Object.fromEntries(
      steps.flatMap((step, index) =>
        (told[index]?.refusals ?? []).map(({ message, target }) => [
          visible(fieldOf(step, target ?? '')),
          message,
        ]),
      ),
    );
    if (Object.keys(refused).length) throw new NotComplete(refused);
    return { answers, steps, told, hasAddresses: names.length > 0 || reachedAt(found).length > 0 };
  }

  const all = [...fields.first, ...fields.more];
  const visible = (name: string) =>
    all.some((node) => node.name === name) || (name === 'ports' && isFibreChannel(protocol))
      ? name
      : '';
  const field = (node: Node) => (
    <div key={node.name}>
      <Field
        node={node}
        label={labelOf(node)}
        isNeeded={Boolean(node.required)}
        value={values[node.name]}
        values={values}
        error={errors[node.name] ?? ''}
        onChange={(value) => set(node.name, value)}
      />
      {node.name === 'initiator' && protocol === 'fcp' && svm && (
        <SeenPorts
          svm={svm}
          value={String(values['initiator'] ?? '')}
          onChange={(value) => set('initiator', value)}
        />
      )}
      {node.to && node.name !== 'igroup' && (
        <PageLink className="create-new" to={`/${node.to}/~new?back=/provision`}>
          {t('Create {{what}}', { what: resourceNoun(t, node.to) })}
        </PageLink>
      )}
    </div>
  );
  const labelOf = ({ name }: Node) =>
    ({
      svm: t('SVM'),
      protocol: t('Protocol'),
      host: t('Host'),
      initiator: {
        iscsi: t('IQN of the host'),
        srp: t('GIDs of the host'),
        fcp: t('WWPNs of the host'),
        nvme_tcp: t('NQN of the host'),
        nvme_fc: t('NQN of the host'),
      }[protocol],
      os_type: t('Operating system'),
      igroup: resourceNoun(t, KINDS[protocol].groups),
      name: t('Name'),
      count: t('Number'),
      size: t('Size'),
      aggregate: t('Aggregate'),
      volume: t('Volume'),
      group: resourceNoun(t, KINDS[protocol].groups),
      reserved: t('Reserve the space'),
      qos: t('QoS policy'),
      block_size: t('Block size'),
    })[name] ?? name;

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
      {isLoading && <Loading isLine />}
      {found && !found.service.enabled && (
        <Alert
          component="h2"
          isInline
          variant="info"
          title={t('The SVM does not serve this protocol yet. That is made, too, and started.')}
        />
      )}
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

/** Ask what a step would do. What is refused as a whole is told as its only refusal. */
async function tried({ method, to, body }: Step): Promise<Told> {
  try {
    return await call<Told>(method, to, { dry_run: true }, nested(body));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, target } = error;
    return {
      refusals: [{ message, target }],
      changes: [],
      hosts: [],
      aggregates: [],
      own_connection: false,
    };
  }
}

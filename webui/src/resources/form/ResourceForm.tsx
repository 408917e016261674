import { Alert, Button, ExpandableSection, Form } from '@patternfly/react-core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json, Query } from '../../api/client';
import type { Method } from '../../api/method';
import { Refusal } from '../../api/refusal';
import { ReasonedButton } from '../../base/ReasonedButton';
import { nested, type Node, type Resource } from '../../declarations/declarations';
import { groupOf, isFixed } from '../../declarations/fields';
import { fieldLabel, groupLabel } from '../../declarations/labels';
import { useDisabledReason } from '../../session/useSession';
import { type Presentation, usePresentation } from '../presentation';
import { Field } from './Field';
import { fieldId } from './fieldProps';
import { Impact } from './Impact';
import { ShowAs } from './ShowAs';
import { changes, isEmpty, NotReadable, type Typed, type Values } from './values';

interface Props {
  resource: Resource;
  nodes: Node[];
  options: Node[];
  method: Method;
  path: string;
  /** The object that is changed. */
  record?: Json;
  initial: Values;
  /** What is sent besides, by field, without being asked for. */
  fixed?: Json;
  submit: string;
  onCancel?: () => void;
  onSubmit: (body: Json, query: Query) => Promise<void>;
}

/** Fields at the top where nothing says which. */
const AT_TOP = 8;

/** A form of declared fields. What the array refuses is told beside the field that it names. */
export function ResourceForm(props: Props) {
  const { resource, nodes, options, method, initial, fixed } = props;
  const { t } = useTranslation();
  const reason = useDisabledReason();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const isNew = method === 'POST';
  const presentation = usePresentation(resource.path);
  const needed = new Set(isNew ? presentation.needed : []);
  const isNeeded = (node: Node) => isNew && (node.required || needed.has(node.name));
  const top = firstOf(presentation, nodes, isNeeded);
  const rest = nodes.filter((node) => !top.includes(node));
  const all = [...nodes, ...options];

  useEffect(() => {
    const [name] = Object.keys(errors);
    if (name === undefined) return;
    const field = document.getElementById(fieldId(name));
    const section = field?.closest('details');
    if (section) section.open = true;
    (field ?? form.current?.querySelector<HTMLElement>('[role="alert"]'))?.focus();
  }, [errors]);

  /** Return what is to be sent, or tell what cannot be. */
  function read(): { body: Json; query: Query } | undefined {
    try {
      return {
        body: { ...fixed, ...changes(nodes, values, isNew ? undefined : initial) },
        query: changes(options, values) as Query,
      };
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error;
      return undefined;
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const missing = nodes.filter((node) => isNeeded(node) && isEmpty(values[node.name]));
    if (missing.length) {
      setErrors(Object.fromEntries(missing.map(({ name }) => [name, t('This is needed.')])));
      return;
    }
    setBusy(true);
    try {
      const body = { ...fixed, ...changes(nodes, values, isNew ? undefined : initial) };
      await props.onSubmit(body, changes(options, values) as Query);
      setErrors({});
    } catch (error) {
      setErrors({ [placeOf(error)]: t((error as Error).message) });
    } finally {
      setBusy(false);
    }
  }

  /** The field that an error is about, '' for the form as a whole. */
  function placeOf(error: unknown): string {
    if (error instanceof NotReadable) return error.field;
    const target = error instanceof Refusal ? error.target : '';
    if (!target) return '';
    const named = all.filter(
      ({ name }) =>
        name === target || target.startsWith(`${name}.`) || name.startsWith(`${target}.`),
    );
    return named.sort((one, other) => other.name.length - one.name.length)[0]?.name ?? '';
  }

  const request = read();
  const isChanged =
    isNew ||
    Boolean(request && Object.keys({ ...request.body, ...request.query }).length) ||
    !request;
  const field = (node: Node) => (
    <Field
      key={node.name}
      node={node}
      label={fieldLabel(t, node.name)}
      isNeeded={isNeeded(node)}
      value={values[node.name]}
      values={values}
      error={errors[node.name] ?? ''}
      onChange={(value: Typed | undefined) => {
        setValues((before) => ({ ...before, [node.name]: value }));
        if (errors[node.name]) setErrors({});
      }}
    />
  );

  return (
    <Form ref={form} className="resource-form" noValidate onSubmit={(event) => void submit(event)}>
      <div className="fields card">{top.map(field)}</div>
      {[...Map.groupBy(rest, (node) => groupIn(node, rest))].map(([group, members]) => (
        <details key={group} className="card">
          <summary>
            {group === FIXED
              ? t('The same on every array')
              : group
                ? groupLabel(t, group)
                : t('More')}
          </summary>
          <div className="fields">{members.map(field)}</div>
        </details>
      ))}
      {options.length > 0 && (
        <details className="card">
          <summary>{t('Options')}</summary>
          <div className="fields">{options.map(field)}</div>
        </details>
      )}
      <ShowAs
        method={method}
        path={props.path}
        resource={resource}
        keys={props.record ?? {}}
        body={request?.body ?? {}}
        query={request?.query ?? {}}
      />
      <ExpandableSection
        toggleText={t('What it would do')}
        isExpanded={isTried}
        onToggle={(_event, expanded) => setIsTried(expanded)}
      >
        {isTried && request && (
          <Impact
            method={method}
            path={props.path}
            query={request.query}
            body={nested(request.body)}
          />
        )}
      </ExpandableSection>
      {'' in errors && (
        <Alert
          component="h2"
          isInline
          variant="danger"
          role="alert"
          tabIndex={-1}
          title={errors['']}
        />
      )}
      <div className="form-buttons">
        <ReasonedButton
          type="submit"
          isLoading={busy}
          isDisabled={busy || !isChanged}
          reason={reason(method, props.path)}
        >
          {props.submit}
        </ReasonedButton>
        {props.onCancel && (
          <Button variant="link" onClick={props.onCancel}>
            {t('Cancel')}
          </Button>
        )}
      </div>
    </Form>
  );
}

const FIXED = '#fixed';
const groupIn = (node: Node, all: Node[]) => (isFixed(node) ? FIXED : groupOf(node, all));

/** What is seen first: what was made so, else what is needed and what is declared first. */
function firstOf(
  { first: wanted }: Presentation,
  nodes: Node[],
  isNeeded: (node: Node) => boolean,
): Node[] {
  if (wanted) {
    const byName = new Map(nodes.map((node) => [node.name, node]));
    const found = wanted.flatMap((name) => byName.get(name) ?? []);
    if (found.length) return found;
  }
  const usual = nodes.filter((node) => !isFixed(node));
  const needed = usual.filter(isNeeded);
  const others = usual.filter((node) => !isNeeded(node));
  const top = new Set([...needed, ...others.slice(0, Math.max(0, AT_TOP - needed.length))]);
  return nodes.filter((node) => top.has(node));
}

import {
  Alert,
  Button,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  ModalVariant,
  TextInput,
} from '@patternfly/react-core';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { Refusal } from '../../api/refusal';
import { useGo } from '../../base/address';
import { CapacityBar } from '../../base/CapacityBar';
import { useIsHere } from '../../base/presence';
import { useChange } from '../../changes/jobs';
import { at, nested, type Node, useDeclarations } from '../../declarations/declarations';
import { isFixed, settable } from '../../declarations/fields';
import { fieldLabel, resourceNoun, resourceTitle } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import { apiPath, type Place } from '../../declarations/place';
import { Field } from '../form/Field';
import { Impact } from '../form/Impact';
import { ShowAs } from '../form/ShowAs';
import { changes, isEmpty, NotReadable, typed, type Values } from '../form/values';
import { usePresentation } from '../presentation';
import { type Action, requestOf } from './action';

interface Props {
  action: Action;
  place: Place;
  records: Json[];
  /** Whether any field may be chosen and changed. */
  canChoose?: boolean;
  /** Called with whether something is being done. */
  onClose: (done: boolean) => void;
}

const NAMED = 12;

/** Asks for what an action needs, and tells what it would do before it does it. */
export function ActionDialog({ action, place, records, canChoose = false, onClose }: Props) {
  const { t } = useTranslation();
  const change = useChange();
  const go = useGo();
  const isHere = useIsHere();
  const declarations = useDeclarations();
  const { resource } = place;
  const all = settable(resource, 'modify').filter((node) => !isFixed(node));
  const [chosen, setChosen] = useState<string[]>([]);
  const names = canChoose ? chosen : (action.fields ?? []);
  const [only] = records.length === 1 ? records : [];
  const choices = (only && action.choices?.(only)) ?? {};
  const nodes = [
    ...names
      .flatMap((name) => resource.fields.find((node) => node.name === name) ?? [])
      .map((node) => {
        const narrowed = choices[node.name];
        return narrowed ? { ...node, choices: narrowed } : node;
      }),
    ...(action.asked?.(t) ?? []),
  ];
  const [values, setValues] = useState<Values>(() =>
    only
      ? (action.initial?.(only) ??
        Object.fromEntries(nodes.map((node) => [node.name, typed(node, at(only, node.name))])))
      : {},
  );
  const [typedName, setTypedName] = useState('');
  const [error, setError] = useState<{ field: string; message: string }>();
  const [busy, setBusy] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const tried = useDeferredValue(values);

  const what = only
    ? `${resourceNoun(t, resource.path)} ${nameIn(only)}`
    : `${records.length} ${resourceTitle(t, resource.path)}`;
  const text = `${action.label(t)}: ${what}`;
  const expected = only ? nameIn(only) : String(records.length);
  const request = requestIn(tried);
  const { capacity } = usePresentation(resource.path);
  const asksSize = capacity && names.includes(capacity.size);
  const isEntered = canChoose
    ? chosen.length > 0
    : nodes.every((node) => node.kind === 'boolean' || !isEmpty(values[node.name]));

  /** Return the request with these values, undefined as long as they cannot be read. */
  function requestIn(entered: Values) {
    try {
      return requestOf(action, place, records, changes(nodes, entered));
    } catch (problem) {
      if (!(problem instanceof NotReadable)) throw problem;
      return undefined;
    }
  }

  function tell(problem: unknown) {
    const message = t((problem as Error).message);
    const target =
      problem instanceof NotReadable
        ? problem.field
        : problem instanceof Refusal
          ? problem.target
          : '';
    setError({ field: nodes.some(({ name }) => name === target) ? target : '', message });
  }

  async function run() {
    setBusy(true);
    setError(undefined);
    try {
      const { method, path, query, body } = requestOf(
        action,
        place,
        records,
        changes(nodes, values),
      );
      await change({ method, path, ...(query && { query }), body: body && nested(body), text });
      if (!isHere()) return;
      if (action.leadsTo && only) go(action.leadsTo(only));
      if (action.after) setIsDone(true);
      else onClose(true);
    } catch (problem) {
      tell(problem);
    } finally {
      setBusy(false);
    }
  }

  const After = action.after;
  return (
    <Modal
      isOpen
      className="weighed"
      variant={ModalVariant.medium}
      position="top"
      onClose={() => onClose(isDone)}
      aria-labelledby="action-title"
    >
      <ModalHeader
        labelId="action-title"
        title={text}
        {...(action.warning && { titleIconVariant: 'warning' as const })}
      />
      <ModalBody>
        {isDone && After ? (
          <>
            <Alert
              component="h2"
              isInline
              variant="success"
              title={t('The array does it. What remains to be done on the hosts:')}
            />
            <After place={place} records={records} />
          </>
        ) : (
          <Form onSubmit={(event) => event.preventDefault()}>
            {error && !error.field && (
              <Alert component="h2" isInline variant="danger" title={error.message} role="alert" />
            )}
            {records.length > 1 && (
              <ul className="named">
                {records.slice(0, NAMED).map((record) => (
                  <li key={apiPath(place.collection, resource, record)}>{nameIn(record)}</li>
                ))}
                {records.length > NAMED && (
                  <li>{t('and {{count}} more', { count: records.length - NAMED })}</li>
                )}
              </ul>
            )}
            {asksSize && only && (
              <p>
                {t('Now:')}{' '}
                <CapacityBar
                  used={Number(at(only, capacity.used) ?? 0)}
                  size={Number(at(only, capacity.size) ?? 0)}
                />
              </p>
            )}
            {canChoose && (
              <FormGroup fieldId="action-field" label={t('What is changed')}>
                <FormSelect
                  id="action-field"
                  value=""
                  onChange={(_event, name) => name && setChosen([...chosen, name])}
                >
                  <FormSelectOption value="" label={t('Choose')} />
                  {all
                    .filter(({ name }) => !chosen.includes(name))
                    .map(({ name }) => (
                      <FormSelectOption key={name} value={name} label={fieldLabel(t, name)} />
                    ))}
                </FormSelect>
              </FormGroup>
            )}
            {nodes.map((node: Node) => (
              <Field
                key={node.name}
                prefix="action-"
                node={node}
                label={fieldLabel(t, node.name)}
                isNeeded={!canChoose}
                value={values[node.name]}
                values={values}
                error={error?.field === node.name ? error.message : ''}
                onChange={(value) => {
                  setValues((before) => ({ ...before, [node.name]: value }));
                  setError(undefined);
                }}
              />
            ))}
            {request && isEntered && (
              <Impact
                method={request.method}
                path={request.path}
                query={request.query ?? {}}
                body={request.body && nested(request.body)}
                known={action.leadsTo ? [] : records.map((record) => String(record['uuid']))}
              />
            )}
            {action.warning && (
              <FormGroup fieldId="action-name" label={action.warning(t, expected, only ?? {})}>
                <TextInput
                  id="action-name"
                  value={typedName}
                  autoComplete="off"
                  onChange={(_event, value) => setTypedName(value)}
                />
              </FormGroup>
            )}
            {request && (
              <ShowAs
                method={request.method}
                path={request.path}
                resource={declarations.get(request.resource ?? resource.path)}
                keys={only ?? {}}
                body={request.body ?? {}}
                query={request.query ?? {}}
              />
            )}
          </Form>
        )}
      </ModalBody>
      <ModalFooter>
        {!isDone && (
          <Button
            variant={action.warning ? 'danger' : 'primary'}
            isDisabled={busy || !isEntered || (Boolean(action.warning) && typedName !== expected)}
            isLoading={busy}
            onClick={() => void run()}
          >
            {text}
          </Button>
        )}
        <Button variant="link" onClick={() => onClose(isDone)}>
          {isDone ? t('Close') : t('Cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

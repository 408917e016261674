import { Alert, FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { Refusal } from '../../api/refusal';
import { useGo } from '../../base/address';
import { CapacityBar } from '../../base/CapacityBar';
import { at, type Node } from '../../declarations/declarations';
import { isFixed, settable } from '../../declarations/fields';
import { fieldLabel } from '../../declarations/labels';
import type { Place } from '../../declarations/place';
import { Field } from '../form/Field';
import { changes, isEmpty, NotReadable, typed, type Values } from '../form/values';
import { usePresentation } from '../presentation';
import { type Action, requestOf } from './action';
import { ChangeDialog } from './ChangeDialog';
import { subjectOf } from './subject';

interface Props {
  action: Action;
  place: Place;
  records: Json[];
  /** Whether any field may be chosen and changed. */
  canChoose?: boolean;
  /** Called with whether something is being done. */
  onClose: (done: boolean) => void;
}

/** Asks for the values of an action, and shows its consequences first. */
export function ActionDialog({ action, place, records, canChoose = false, onClose }: Props) {
  const { t } = useTranslation();
  const go = useGo();
  const { only, what, expected, about } = subjectOf(t, place, records);
  const [chosen, setChosen] = useState<string[]>([]);
  const names = canChoose ? chosen : (action.fields ?? []);
  const nodes = [...nodesOf(place, action, names, only), ...(action.extraFields?.(t) ?? [])];
  const [values, setValues] = useState<Values>(() => (only ? initialOf(action, nodes, only) : {}));
  const [error, setError] = useState<{ field: string; message: string }>();
  const isEntered = canChoose
    ? chosen.length > 0
    : nodes.every((node) => node.kind === 'boolean' || !isEmpty(values[node.name]));

  function tellBeside(problem: unknown): boolean {
    const field =
      problem instanceof NotReadable
        ? problem.field
        : problem instanceof Refusal
          ? problem.target
          : '';
    const isBeside = nodes.some(({ name }) => name === field);
    if (isBeside) setError({ field, message: t((problem as Error).message) });
    return isBeside;
  }

  const { leadsTo, warning, after: After } = action;
  return (
    <ChangeDialog
      title={`${action.label(t)}: ${what}`}
      isDanger={Boolean(warning)}
      request={() => requestOf(action, place, records, changes(nodes, values))}
      isEntered={isEntered}
      {...about}
      known={leadsTo ? [] : about.known}
      toType={warning && { text: expected, label: warning(t, expected, only ?? {}) }}
      onRefused={tellBeside}
      after={
        After && (
          <>
            <Alert
              component="h2"
              isInline
              variant="success"
              title={t('The array does it. What remains to be done on the hosts:')}
            />
            <After place={place} records={records} />
          </>
        )
      }
      onClose={(done) => {
        if (done && leadsTo && only) go(leadsTo(only));
        onClose(done);
      }}
    >
      {only && <Now place={place} record={only} names={names} />}
      {canChoose && (
        <ChooseField
          place={place}
          chosen={chosen}
          onChoose={(name) => setChosen([...chosen, name])}
        />
      )}
      {nodes.map((node) => (
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
    </ChangeDialog>
  );
}

/** The declared fields of some names, with the choices that an object has. */
function nodesOf(
  { resource }: Place,
  action: Action,
  names: readonly string[],
  only: Json | undefined,
): Node[] {
  const choices = (only && action.choices?.(only)) ?? {};
  return names
    .flatMap((name) => resource.fields.find((node) => node.name === name) ?? [])
    .map((node) => {
      const narrowed = choices[node.name];
      return narrowed ? { ...node, choices: narrowed } : node;
    });
}

const initialOf = (action: Action, nodes: readonly Node[], record: Json): Values =>
  action.initial?.(record) ??
  Object.fromEntries(nodes.map((node) => [node.name, typed(node, at(record, node.name))]));

/** How full an object is now, where its size is entered. */
function Now({ place, record, names }: { place: Place; record: Json; names: readonly string[] }) {
  const { t } = useTranslation();
  const { capacity } = usePresentation(place.resource.path);
  if (!capacity || !names.includes(capacity.size)) return null;
  return (
    <p>
      {t('Now:')}{' '}
      <CapacityBar
        used={Number(at(record, capacity.used) ?? 0)}
        size={Number(at(record, capacity.size) ?? 0)}
      />
    </p>
  );
}

interface ChooseFieldProps {
  place: Place;
  chosen: readonly string[];
  onChoose: (name: string) => void;
}

/** Adds a field to those that are changed. */
function ChooseField({ place: { resource }, chosen, onChoose }: ChooseFieldProps) {
  const { t } = useTranslation();
  const others = settable(resource, 'modify').filter(
    (node) => !isFixed(node) && !chosen.includes(node.name),
  );
  return (
    <FormGroup fieldId="action-field" label={t('Field to change')}>
      <FormSelect id="action-field" value="" onChange={(_event, name) => name && onChoose(name)}>
        <FormSelectOption value="" label={t('Choose')} />
        {others.map(({ name }) => (
          <FormSelectOption key={name} value={name} label={fieldLabel(t, name)} />
        ))}
      </FormSelect>
    </FormGroup>
  );
}

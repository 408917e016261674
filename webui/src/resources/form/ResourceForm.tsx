import { Button, ExpandableSection, Form } from '@patternfly/react-core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ReasonedButton } from '../../base/ReasonedButton';
import { nested, type Node } from '../../declarations/declarations';
import { groupOf, isFixed } from '../../declarations/fields';
import { fieldLabel, groupLabel } from '../../declarations/labels';
import { useDisabledReason } from '../../session/useSession';
import { type Presentation, usePresentation } from '../presentation';
import { Field } from './Field';
import { FormError } from './FormError';
import { Impact } from './Impact';
import { ShowAs } from './ShowAs';
import { type FormProps, useEntry } from './useEntry';

/** Fields at the top where nothing says which. */
const AT_TOP = 8;

/** A form of declared fields. A refusal of the array is shown beside the field that it names. */
export function ResourceForm(props: FormProps) {
  const { resource, nodes, options, method, path } = props;
  const { t } = useTranslation();
  const reason = useDisabledReason();
  const entry = useEntry(props);
  const { request } = entry;
  const top = firstOf(usePresentation(resource.path), nodes, entry.isNeeded);
  const rest = nodes.filter((node) => !top.includes(node));
  const groups = Map.groupBy(rest, (node) => groupIn(node, rest));
  return (
    <Form className="resource-form" noValidate onSubmit={entry.submit}>
      <div className="fields card">
        <Fields nodes={top} entry={entry} />
      </div>
      {[...groups].map(([group, members]) => (
        <Group key={group} title={groupTitle(t, group)} nodes={members} entry={entry} />
      ))}
      {options.length > 0 && <Group title={t('Options')} nodes={options} entry={entry} />}
      <ShowAs
        method={method}
        path={path}
        resource={resource}
        keys={props.record ?? {}}
        body={request?.body ?? {}}
        query={request?.query ?? {}}
      />
      <Trial method={method} path={path} request={request} />
      <FormError errors={entry.errors} />
      <div className="form-buttons">
        <ReasonedButton
          type="submit"
          isLoading={entry.isBusy}
          isDisabled={entry.isBusy || !entry.isChanged}
          reason={reason(method, path)}
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

type Entry = ReturnType<typeof useEntry>;

function Fields({ nodes, entry }: { nodes: readonly Node[]; entry: Entry }) {
  const { t } = useTranslation();
  return nodes.map((node) => (
    <Field
      key={node.name}
      node={node}
      label={fieldLabel(t, node.name)}
      isNeeded={Boolean(entry.isNeeded(node))}
      value={entry.values[node.name]}
      values={entry.values}
      error={entry.errors[node.name] ?? ''}
      onChange={(value) => entry.change(node.name, value)}
    />
  ));
}

function Group({ title, ...fields }: { title: string; nodes: readonly Node[]; entry: Entry }) {
  return (
    <details className="card">
      <summary>{title}</summary>
      <div className="fields">
        <Fields {...fields} />
      </div>
    </details>
  );
}

/** A preview of the request, on demand. */
function Trial({
  method,
  path,
  request,
}: Pick<FormProps, 'method' | 'path'> & Pick<Entry, 'request'>) {
  const { t } = useTranslation();
  const [isTried, setIsTried] = useState(false);
  return (
    <ExpandableSection
      toggleText={t('What it would do')}
      isExpanded={isTried}
      onToggle={(_event, expanded) => setIsTried(expanded)}
    >
      {isTried && request && (
        <Impact method={method} path={path} query={request.query} body={nested(request.body)} />
      )}
    </ExpandableSection>
  );
}

const FIXED = '#fixed';
const groupIn = (node: Node, all: Node[]) => (isFixed(node) ? FIXED : groupOf(node, all));

function groupTitle(t: TFunction, group: string): string {
  if (group === FIXED) return t('The same on every array');
  return group ? groupLabel(t, group) : t('More');
}

/** The fields at the top: those of the presentation, else the needed ones and those declared first. */
function firstOf(
  { first: names }: Presentation,
  nodes: Node[],
  isNeeded: (node: Node) => boolean,
): Node[] {
  if (names) {
    const byName = new Map(nodes.map((node) => [node.name, node]));
    const first = names.flatMap((name) => byName.get(name) ?? []);
    if (first.length) return first;
  }
  const usual = nodes.filter((node) => !isFixed(node));
  const needed = usual.filter(isNeeded);
  const others = usual.filter((node) => !isNeeded(node));
  const top = new Set([...needed, ...others.slice(0, Math.max(0, AT_TOP - needed.length))]);
  return nodes.filter((node) => top.has(node));
}

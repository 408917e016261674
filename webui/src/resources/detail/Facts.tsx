import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { withoutMarks } from '../../base/Prose';
import { at, type Node, type Resource } from '../../declarations/declarations';
import { groupOf, isCounter, isFixed, nameOf } from '../../declarations/fields';
import { fieldLabel, groupLabel } from '../../declarations/labels';
import { usePresentation } from '../presentation';
import { Value } from '../Value';

/** All fields of an object that have a value, in groups. */
export function Facts({ resource, record }: { resource: Resource; record: Json }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const { hidden = [] } = usePresentation(resource.path);
  const present = resource.fields.filter(
    (node) =>
      !isCounter(node) &&
      !node.secret &&
      !hidden.includes(node.name) &&
      at(record, node.name) !== undefined,
  );
  const shown = present.filter((node) => all || !isFixed(node));
  const groups = Map.groupBy(shown, (node) => groupOf(node, resource.fields));
  const sorted = [...groups].sort(([one], [other]) => Number(one !== '') - Number(other !== ''));
  return (
    <>
      <div className="facts">
        {sorted.map(([group, nodes]) => (
          <section key={group} className="card" aria-label={groupLabel(t, group)}>
            <h2>{groupLabel(t, group)}</h2>
            <dl>
              {nodes.map((node) => (
                <Fact key={node.name} node={node} record={record} path={resource.path} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      {present.some(isFixed) && (
        <Button variant="link" isInline onClick={() => setAll(!all)}>
          {all
            ? t('Hide facts that are the same on every array')
            : t('Show facts that are the same on every array, too')}
        </Button>
      )}
    </>
  );
}

function Fact({ node, record, path }: { node: Node; record: Json; path: string }) {
  const { t } = useTranslation();
  return (
    <div title={withoutMarks(node.doc)}>
      <dt>{fieldLabel(t, nameOf(node))}</dt>
      <dd>
        <Value node={node} record={record} path={path} />
      </dd>
    </div>
  );
}

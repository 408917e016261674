import { Button } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Node } from '../../declarations/declarations';
import { fieldLabel } from '../../declarations/labels';
import type { FieldProps } from './fieldProps';
import type { Values } from './values';

interface Props {
  node: Node;
  label: string;
  id: string;
  entries: Values[];
  /** How one field of an entry is drawn; entries are fields, too. */
  field: (props: FieldProps) => ReactNode;
  onChange: (entries: Values[]) => void;
}

/** A list of small objects: a line of fields for each. */
export function Entries({ node, label, id, entries, field, onChange }: Props) {
  const { t } = useTranslation();
  const children = (node.items ?? []).filter((child) => child.create || child.modify);
  return (
    <div className="entries-form" id={id} tabIndex={-1} role="group" aria-label={label}>
      {entries.map((entry, index) => (
        <div key={index} className="entry" role="group" aria-label={`${label} ${index + 1}`}>
          {children.map((child) =>
            field({
              prefix: `${id}-${index}-`,
              node: child,
              label: fieldLabel(t, child.name),
              isNeeded: Boolean(child.required),
              value: entry[child.name],
              values: entry,
              error: '',
              onChange: (value) =>
                onChange(
                  entries.map((each, position) =>
                    position === index ? { ...each, [child.name]: value } : each,
                  ),
                ),
            }),
          )}
          <Button
            variant="link"
            size="sm"
            isDanger
            onClick={() => onChange(entries.filter((_each, position) => position !== index))}
          >
            {t('Remove {{name}}', { name: `${label} ${index + 1}` })}
          </Button>
        </div>
      ))}
      <Button variant="secondary" size="sm" onClick={() => onChange([...entries, {}])}>
        {t('Add {{what}}', { what: label })}
      </Button>
    </div>
  );
}

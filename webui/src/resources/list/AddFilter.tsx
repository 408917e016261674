import {
  Button,
  FormSelect,
  FormSelectOption,
  MenuToggle,
  Popover,
  TextInput,
} from '@patternfly/react-core';
import FilterIcon from '@patternfly/react-icons/dist/esm/icons/filter-icon';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { anywhere } from '../../api/search';
import type { Resource } from '../../declarations/declarations';
import { isCounter, isFixed, leaves } from '../../declarations/fields';
import { choiceLabel, fieldLabel } from '../../declarations/labels';

interface Props {
  resource: Resource;
  onAdd: (name: string, value: string) => void;
}

/** A filter by any field, in a small form. The array's query operators may be typed, too. */
export function AddFilter({ resource, onAdd }: Props) {
  const { t } = useTranslation();
  return (
    <Popover
      position="bottom-start"
      aria-label={t('Add a filter')}
      showClose={false}
      bodyContent={(hide) => (
        <Fields
          resource={resource}
          onAdd={(name, value) => {
            onAdd(name, value);
            hide();
          }}
        />
      )}
    >
      <MenuToggle icon={<FilterIcon />}>{t('Filter')}</MenuToggle>
    </Popover>
  );
}

function Fields({ resource, onAdd }: Props) {
  const { t } = useTranslation();
  const fields = leaves(resource).filter(
    ({ node }) => !isCounter(node) && !isFixed(node) && node.kind !== 'items',
  );
  const [name, setName] = useState(fields[0]?.name ?? '');
  const [value, setValue] = useState('');
  const node = fields.find((field) => field.name === name)?.node;
  const choices = node?.kind === 'boolean' ? ['true', 'false'] : node?.choices;
  const isText = !choices && !['integer', 'size', 'timestamp', 'uuid'].includes(node?.kind ?? '');

  function submit(event: FormEvent) {
    event.preventDefault();
    if (value) onAdd(name, isText ? anywhere(value) : value);
  }

  return (
    <form className="add-filter" onSubmit={submit}>
      <FormSelect
        aria-label={t('Field')}
        value={name}
        onChange={(_event, next) => {
          setName(next);
          setValue('');
        }}
      >
        {fields.map((field) => (
          <FormSelectOption key={field.name} value={field.name} label={fieldLabel(t, field.name)} />
        ))}
      </FormSelect>
      {choices ? (
        <FormSelect
          aria-label={t('Value')}
          value={value}
          onChange={(_event, next) => setValue(next)}
        >
          <FormSelectOption value="" label={t('Choose')} isPlaceholder />
          {choices.map((choice) => (
            <FormSelectOption key={choice} value={choice} label={choiceLabel(t, choice)} />
          ))}
        </FormSelect>
      ) : (
        <TextInput
          aria-label={t('Value')}
          placeholder={node?.kind === 'size' ? '>10GB' : node?.kind === 'integer' ? '>10' : ''}
          value={value}
          onChange={(_event, next) => setValue(next)}
        />
      )}
      <Button type="submit" isDisabled={!value}>
        {t('Add')}
      </Button>
    </form>
  );
}

import {
  Button,
  Checkbox,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  TextArea,
  TextInput,
} from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import { Prose } from '../../base/Prose';
import { choiceLabel } from '../../declarations/labels';
import { Entries } from './Entries';
import { fieldId, type FieldProps } from './fieldProps';
import { Picker } from './Picker';
import { Secret } from './Secret';
import type { Chosen, Values } from './values';

/** One field of a form, as its declaration says that it is to be entered. */
export function Field(props: FieldProps) {
  const { node, label, value, error, onChange, prefix } = props;
  const { t } = useTranslation();
  const id = fieldId(node.name, prefix);
  const help = error || node.doc;
  if (node.kind === 'boolean')
    return (
      <Checkbox
        id={id}
        label={label}
        description={<Prose text={help} />}
        isChecked={value === true}
        onChange={(_event, checked) => onChange(checked)}
      />
    );
  const isGroup = node.kind === 'items';
  return (
    <FormGroup
      label={label}
      fieldId={id}
      isRequired={props.isNeeded}
      {...(isGroup && { role: 'group' as const })}
    >
      <Input {...props} id={id} />
      {help && (
        <FormHelperText>
          <HelperText id={`${id}-help`} {...(error && { 'aria-live': 'polite' as const })}>
            <HelperTextItem variant={error ? 'error' : 'default'}>
              {error || <Prose text={t(help)} />}
            </HelperTextItem>
          </HelperText>
        </FormHelperText>
      )}
    </FormGroup>
  );
}

function Input({
  node,
  label,
  value,
  values,
  error,
  onChange,
  id,
  isNeeded,
}: FieldProps & { id: string }) {
  const { t } = useTranslation();
  const common = {
    id,
    'aria-describedby': `${id}-help`,
    'aria-invalid': Boolean(error),
    validated: error ? ('error' as const) : ('default' as const),
  };
  const text = typeof value === 'string' ? value : '';
  if (node.kind === 'items')
    return (
      <Entries
        node={node}
        label={label}
        id={id}
        entries={(value as Values[] | undefined) ?? []}
        field={(props) => <Field key={props.node.name} {...props} />}
        onChange={onChange}
      />
    );
  if (node.kind === 'reference')
    return (
      <Picker
        node={node}
        label={label}
        id={id}
        values={values}
        isInvalid={Boolean(error)}
        chosen={value as Chosen | undefined}
        onChoose={onChange}
      />
    );
  if (node.kind === 'references') {
    const several = (value as Chosen[] | undefined) ?? [];
    return (
      <div className="several">
        {several.map((each, index) => (
          <span key={each.uuid ?? each.name} className="chosen">
            {each.name}
            <Button
              variant="plain"
              size="sm"
              aria-label={t('Remove {{name}}', { name: each.name })}
              onClick={() => onChange(several.filter((_other, position) => position !== index))}
            >
              ×
            </Button>
          </span>
        ))}
        <Picker
          key={several.length}
          node={node}
          label={label}
          id={id}
          values={values}
          isInvalid={Boolean(error)}
          chosen={undefined}
          onChoose={(next) => next && onChange([...several, next])}
        />
      </div>
    );
  }
  const choices = ['never', 'always'].includes(node.kind) ? ['true', 'false'] : node.choices;
  if (choices && !node.list)
    return (
      <FormSelect {...common} value={text} onChange={(_event, next) => onChange(next)}>
        {(!text || !isNeeded) && (
          <FormSelectOption value="" label={isNeeded ? t('Choose') : t('Not set')} />
        )}
        {choices.map((choice) => (
          <FormSelectOption key={choice} value={choice} label={choiceLabel(t, choice)} />
        ))}
      </FormSelect>
    );
  if (node.list || ['lines', 'strings'].includes(node.kind))
    return (
      <TextArea
        {...common}
        rows={node.kind === 'lines' ? 5 : 2}
        resizeOrientation="vertical"
        placeholder={node.kind === 'lines' ? '' : t('One on each line')}
        value={text}
        onChange={(_event, next) => onChange(next)}
      />
    );
  if (node.secret)
    return (
      <Secret kind={node.kind} label={label} value={text} onChange={onChange} common={common} />
    );
  return (
    <TextInput
      {...common}
      type="text"
      autoComplete="off"
      inputMode={node.kind === 'integer' ? 'numeric' : 'text'}
      placeholder={node.kind === 'size' ? '100 GiB' : ''}
      value={text}
      onChange={(_event, next) => onChange(next)}
    />
  );
}

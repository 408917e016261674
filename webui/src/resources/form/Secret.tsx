import { Button, InputGroup, InputGroupItem, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { isGenerated, newKey } from './keys';

interface Props {
  kind: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The properties of every input of a form. */
  common: {
    id: string;
    'aria-describedby': string;
    'aria-invalid': boolean;
    validated: 'error' | 'default';
  };
}

/**
 * A secret, which nobody sees; but a key that was generated here is shown, since the host needs it too
 * and the array does not show it again.
 */
export function Secret({ kind, label, value, onChange, common }: Props) {
  const { t } = useTranslation();
  const [generated, setGenerated] = useState('');
  const input = (
    <TextInput
      {...common}
      type={generated && value === generated ? 'text' : 'password'}
      autoComplete="new-password"
      value={value}
      onChange={(_event, next) => onChange(next)}
    />
  );
  if (!isGenerated(kind)) return input;
  const make = () => {
    const key = newKey(kind);
    setGenerated(key);
    onChange(key);
  };
  return (
    <InputGroup>
      <InputGroupItem isFill>{input}</InputGroupItem>
      <InputGroupItem>
        <Button variant="control" aria-label={t('Make a key: {{label}}', { label })} onClick={make}>
          {t('Make a key')}
        </Button>
      </InputGroupItem>
    </InputGroup>
  );
}

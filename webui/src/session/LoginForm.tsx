import { Alert, Button, Form, FormGroup, TextInput } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Refusal } from '../api/refusal';
import { logIn } from './session';

/** Name and password; with `name`, only that account's password. */
export function LoginForm({ name: given = '' }: { name?: string }) {
  const { t } = useTranslation();
  const [name, setName] = useState(given);
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await logIn(name, password);
    } catch (refused) {
      setError(messageOf(refused));
      setPassword('');
      setBusy(false);
    }
  }

  function messageOf(refused: unknown): string {
    if (!(refused instanceof Refusal)) return t('The array cannot be reached.');
    if (refused.status === 401) return t('Name or password is wrong, or the account is locked.');
    if (refused.status === 503) return t('The array is restarting. Try again in a moment.');
    return refused.message;
  }

  return (
    <Form onSubmit={(event) => void submit(event)}>
      {error && <Alert component="h2" variant="danger" isInline title={error} role="alert" />}
      <FormGroup label={t('Name')} fieldId="login-name">
        <TextInput
          id="login-name"
          value={name}
          readOnlyVariant={given ? 'default' : undefined!}
          onChange={(_event, value) => setName(value)}
          autoComplete="username"
          autoFocus={!given}
          isRequired
        />
      </FormGroup>
      <FormGroup label={t('Password')} fieldId="login-password">
        <TextInput
          id="login-password"
          type="password"
          value={password}
          onChange={(_event, value) => setPassword(value)}
          autoComplete="current-password"
          autoFocus={Boolean(given)}
          isRequired
        />
      </FormGroup>
      <Button type="submit" isBlock isLoading={busy} isDisabled={busy || !name || !password}>
        {t('Log in')}
      </Button>
    </Form>
  );
}

import {
  Alert,
  Button,
  Form,
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  TextInput,
} from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Refusal } from '../api/refusal';
import { isCodeNeeded, logIn, refusedLogin } from '../api/session';
import { ProviderLink } from './ProviderLink';

/**
 * Name and password; with `name`, only that account's password. Then a code, if the account needs one.
 */
export function LoginForm({ name: account = '' }: { name?: string }) {
  const { t } = useTranslation();
  const [name, setName] = useState(account);
  const [password, setPassword] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [code, setCode] = useState('');
  const [error, setError] = useState(refusedLogin.get);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await logIn(name, password, code);
    } catch (refused) {
      const isNeeded = isCodeNeeded(refused);
      setError(isNeeded && !asksCode ? '' : messageOf(refused));
      setCode('');
      setBusy(false);
      // After a short wait the password need not be typed again.
      if (isNeeded) setAsksCode(true);
      else if (!(refused instanceof Refusal && refused.status === 429)) begin();
    }
  }

  function begin() {
    setAsksCode(false);
    setPassword('');
  }

  function messageOf(refused: unknown): string {
    if (!(refused instanceof Refusal)) return t('The array cannot be reached.');
    if (isCodeNeeded(refused)) return t('The code is wrong, or was used already.');
    if (refused.status === 401) return t('Name or password is wrong, or the account is locked.');
    if (refused.status === 503) return t('The array is restarting. Try again in a moment.');
    return refused.message;
  }

  if (asksCode)
    return (
      <Form key="code" onSubmit={(event) => void submit(event)}>
        {error && <Alert component="h2" variant="danger" isInline title={error} role="alert" />}
        <FormGroup label={t('Verification code')} fieldId="login-code">
          <TextInput
            id="login-code"
            value={code}
            onChange={(_event, value) => setCode(value)}
            autoComplete="one-time-code"
            inputMode="numeric"
            aria-describedby="login-code-help"
            autoFocus
            isRequired
          />
          <FormHelperText>
            <HelperText id="login-code-help">
              <HelperTextItem>
                {t('Six digits that your authenticator app shows, or an emergency code.')}
              </HelperTextItem>
            </HelperText>
          </FormHelperText>
        </FormGroup>
        <Button type="submit" isBlock isLoading={busy} isDisabled={busy || !code.trim()}>
          {t('Log in')}
        </Button>
        <Button
          variant="link"
          isBlock
          onClick={() => {
            setError('');
            begin();
          }}
        >
          {t('Back')}
        </Button>
      </Form>
    );
  return (
    <Form key="password" onSubmit={(event) => void submit(event)}>
      {error && <Alert component="h2" variant="danger" isInline title={error} role="alert" />}
      <FormGroup label={t('Name')} fieldId="login-name">
        <TextInput
          id="login-name"
          value={name}
          readOnlyVariant={account ? 'default' : undefined!}
          onChange={(_event, value) => setName(value)}
          autoComplete="username"
          autoFocus={!account}
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
          autoFocus={Boolean(account)}
          isRequired
        />
      </FormGroup>
      <Button type="submit" isBlock isLoading={busy} isDisabled={busy || !name || !password}>
        {t('Log in')}
      </Button>
      <ProviderLink apart={Boolean(account)} />
    </Form>
  );
}

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

import { api } from '../api/client';
import { isCodeNeeded, logIn, state } from '../api/session';
import { useSession } from './useSession';

/** Change one's own password. The session ends with the old one, so a new one begins. */
export function PasswordForm({ onDone }: { onDone?: () => void }) {
  const { t } = useTranslation();
  const { account, svm } = useSession();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [error, setError] = useState('');
  const different = again !== '' && again !== password;

  async function submit(event: FormEvent) {
    event.preventDefault();
    setError('');
    try {
      const body = { name: account.name, password, ...(svm && { owner: svm }) };
      await api.POST('/security/authentication/password', { body });
      await logIn(account.name, password);
      onDone?.();
    } catch (refused) {
      // It is changed; to go on takes a code, which the login page asks for.
      if (isCodeNeeded(refused)) state.set({ kind: 'out' });
      setError((refused as Error).message);
    }
  }

  return (
    <Form onSubmit={(event) => void submit(event)}>
      {error && <Alert component="h2" variant="danger" isInline title={error} role="alert" />}
      <input type="hidden" autoComplete="username" value={account.name} readOnly />
      <FormGroup label={t('New password')} fieldId="new-password">
        <TextInput
          id="new-password"
          type="password"
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={(_event, value) => setPassword(value)}
        />
      </FormGroup>
      <FormGroup label={t('New password again')} fieldId="new-password-again">
        <TextInput
          id="new-password-again"
          type="password"
          autoComplete="new-password"
          value={again}
          validated={different ? 'error' : 'default'}
          onChange={(_event, value) => setAgain(value)}
        />
        {different && (
          <FormHelperText>
            <HelperText>
              <HelperTextItem variant="error">{t('The two are different.')}</HelperTextItem>
            </HelperText>
          </FormHelperText>
        )}
      </FormGroup>
      <Button type="submit" isBlock isDisabled={!password || password !== again}>
        {t('Change password')}
      </Button>
    </Form>
  );
}

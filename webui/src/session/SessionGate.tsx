import {
  Bullseye,
  Button,
  Modal,
  ModalBody,
  ModalHeader,
  ModalVariant,
  Spinner,
} from '@patternfly/react-core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { arrive, logOut, state } from '../api/session';
import { notice } from '../base/notice';
import { useStore } from '../base/store';
import { Entrance } from './Entrance';
import { LoginForm } from './LoginForm';
import { PasswordForm } from './PasswordForm';

/**
 * Shows its children after a login, before that the login page in their place: the address stays. A
 * session that ends leaves them as they are, under a dialog.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const now = useStore(state);
  const restarting = useStore(notice.restarting);
  useEffect(() => void arrive(), []);

  if (now.kind === 'unknown')
    return (
      <Bullseye>
        <Spinner aria-label={t('Loading')} />
        {restarting && <p role="status">{t('The array is restarting …')}</p>}
      </Bullseye>
    );
  if (now.kind === 'out')
    return (
      <Entrance title={t('Log in to Sanstone')}>
        <LoginForm />
      </Entrance>
    );
  if (now.session.password_expired)
    return (
      <Entrance title={t('Your password has expired')}>
        <p>{t('Choose a new one to go on.')}</p>
        <PasswordForm />
        <Button variant="link" onClick={() => void logOut()}>
          {t('Log out')}
        </Button>
      </Entrance>
    );
  return (
    <>
      {children}
      {now.kind === 'over' && (
        <Modal isOpen variant={ModalVariant.small} aria-labelledby="session-over">
          <ModalHeader
            labelId="session-over"
            title={t('Your session has ended')}
            description={t('Log in again to go on. What you have typed is still here.')}
          />
          <ModalBody>
            <LoginForm name={now.session.account.name} />
          </ModalBody>
        </Modal>
      )}
    </>
  );
}

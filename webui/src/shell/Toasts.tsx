import { Alert, AlertActionCloseButton, AlertGroup } from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import { dismiss, notice } from '../base/notice';
import { useStore } from '../base/store';

/** Successes go by themselves; failures stay until they are dismissed. */
export function Toasts() {
  const { t } = useTranslation();
  const toasts = useStore(notice.toasts);
  return (
    <AlertGroup isToast isLiveRegion aria-label={t('Messages')}>
      {toasts.map(({ id, kind, text, details }) => (
        <Alert
          key={id}
          component="h2"
          variant={kind}
          title={text}
          timeout={kind === 'success'}
          onTimeout={() => dismiss(id)}
          actionClose={
            <AlertActionCloseButton
              title={t('Dismiss')}
              aria-label={t('Dismiss')}
              onClose={() => dismiss(id)}
            />
          }
        >
          {details}
        </Alert>
      ))}
    </AlertGroup>
  );
}

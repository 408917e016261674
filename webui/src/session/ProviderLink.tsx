import { Button } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { findProvider, type Provider } from '../api/provider';
import { resume } from '../api/session';

/**
 * Where a login by the identity provider begins, if the array has one; on a page of its own where
 * there is something on this one to go on with.
 */
export function ProviderLink({ apart }: { apart: boolean }) {
  const { t } = useTranslation();
  const [provider, setProvider] = useState<Provider>();
  useEffect(() => void findProvider().then(setProvider), []);
  useEffect(() => {
    if (!apart) return;
    const look = () => void resume();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [apart]);

  if (!provider) return null;
  return (
    <Button
      variant="secondary"
      isBlock
      component="a"
      href={provider.login_url}
      {...(apart && { target: '_blank', rel: 'noopener' })}
    >
      {t('Log in with {{provider}}', { provider: provider.provider })}
    </Button>
  );
}

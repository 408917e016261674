import { EmptyState, EmptyStateActions, EmptyStateBody } from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import { PageLink } from './PageLink';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <EmptyState headingLevel="h1" titleText={t('There is no such page')}>
      <EmptyStateBody>
        {t('The address may be mistyped, or what it named was deleted.')}
      </EmptyStateBody>
      <EmptyStateActions>
        <PageLink to="/">{t('Dashboard')}</PageLink>
      </EmptyStateActions>
    </EmptyState>
  );
}

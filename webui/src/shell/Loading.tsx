import { PageSection, Skeleton } from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

export function Loading() {
  const { t } = useTranslation();
  return (
    <PageSection>
      <Skeleton width="30%" screenreaderText={t('Loading')} />
      <br />
      <Skeleton height="12rem" />
    </PageSection>
  );
}

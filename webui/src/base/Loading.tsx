import { PageSection, Skeleton } from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

/**
 * Stands for a part of the page that is still arriving. Parts below it are not shown before it has arrived
 * (`.arriving` in content.css), so nothing that can be pressed moves.
 */
export function Loading({ isLine = false }: { isLine?: boolean }) {
  const { t } = useTranslation();
  if (isLine) return <Skeleton className="arriving" width="8rem" screenreaderText={t('Loading')} />;
  return (
    <PageSection className="arriving">
      <Skeleton width="30%" screenreaderText={t('Loading')} />
      <br />
      <Skeleton height="12rem" />
    </PageSection>
  );
}

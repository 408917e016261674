import {
  Button,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
} from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

/** In the place of a list with no row after its filters. */
export function NothingMatches({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState headingLevel="h2" titleText={t('Nothing matches')} variant="sm">
      <EmptyStateBody>{t('There may be others that the filters leave out.')}</EmptyStateBody>
      <EmptyStateFooter>
        <EmptyStateActions>
          <Button variant="secondary" onClick={onClear}>
            {t('Clear filters')}
          </Button>
        </EmptyStateActions>
      </EmptyStateFooter>
    </EmptyState>
  );
}

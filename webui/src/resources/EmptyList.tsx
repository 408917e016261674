import {
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
} from '@patternfly/react-core';
import { useTranslation } from 'react-i18next';

import { NothingMatches } from '../base/NothingMatches';
import { Prose } from '../base/Prose';
import { resourceTitle } from '../declarations/labels';
import type { Place } from '../declarations/place';
import { CreateButton } from './CreateButton';

interface Props {
  place: Place;
  isFiltered: boolean;
  onClear: () => void;
}

export function EmptyList({ place, isFiltered, onClear }: Props) {
  const { t } = useTranslation();
  const what = resourceTitle(t, place.resource.path);
  if (isFiltered) return <NothingMatches onClear={onClear} />;
  return (
    <EmptyState headingLevel="h2" titleText={t('{{what}}: none yet', { what })} variant="sm">
      <EmptyStateBody>
        <Prose text={place.resource.doc} />
      </EmptyStateBody>
      <EmptyStateFooter>
        <EmptyStateActions>
          <CreateButton place={place} />
        </EmptyStateActions>
      </EmptyStateFooter>
    </EmptyState>
  );
}

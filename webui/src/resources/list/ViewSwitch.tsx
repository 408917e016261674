import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import ListIcon from '@patternfly/react-icons/dist/esm/icons/list-icon';
import { useTranslation } from 'react-i18next';

import { useParameters } from '../../base/address';
import { AS_LIST, filtersOf, SEARCH, VIEW } from './query';

interface Props {
  /** The other view of the list. */
  title: string;
  asList: boolean;
}

/** Switches between the rows of a list and its drawing. The address holds which it is. */
export function ViewSwitch({ title, asList }: Props) {
  const { t } = useTranslation();
  const [parameters, change] = useParameters();
  // A drawing shows all there is: filters are for the rows.
  const without = Object.fromEntries(filtersOf(parameters).map(([name]) => [name, '']));
  return (
    <ToggleGroup aria-label={t('View')}>
      <ToggleGroupItem
        text={t(title)}
        buttonId="view-drawing"
        isSelected={!asList}
        onChange={() => change({ ...without, [SEARCH]: '', [VIEW]: '' })}
      />
      <ToggleGroupItem
        text={t('List')}
        icon={<ListIcon />}
        buttonId="view-list"
        isSelected={asList}
        onChange={() => change({ [VIEW]: AS_LIST })}
      />
    </ToggleGroup>
  );
}

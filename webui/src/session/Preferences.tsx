import {
  Dropdown,
  DropdownGroup,
  DropdownItem,
  DropdownList,
  MenuToggle,
} from '@patternfly/react-core';
import CogIcon from '@patternfly/react-icons/dist/esm/icons/cog-icon';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type Store, useStore } from '../base/store';
import { LANGUAGES, language } from '../language/language';
import { density, theme } from '../theme/theme';

/** Theme, density and language: for this browser, kept in it. */
export function Preferences() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const groups: { title: string; store: Store<string>; choices: [string, string][] }[] = [
    {
      title: t('Appearance'),
      store: theme,
      choices: [
        ['system', t('As the system')],
        ['light', t('Light')],
        ['dark', t('Dark')],
        ['contrast', t('High contrast')],
      ],
    },
    {
      title: t('Rows'),
      store: density,
      choices: [
        ['compact', t('Compact')],
        ['comfortable', t('Comfortable')],
      ],
    },
    { title: t('Language'), store: language, choices: Object.entries(LANGUAGES) },
  ];
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      isScrollable
      popperProps={{ position: 'right' }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plain"
          aria-label={t('Appearance and language')}
          isExpanded={open}
          onClick={() => setOpen(!open)}
          icon={<CogIcon />}
        />
      )}
    >
      {groups.map((group) => (
        <Group key={group.title} {...group} />
      ))}
    </Dropdown>
  );
}

function Group(props: { title: string; store: Store<string>; choices: [string, string][] }) {
  const chosen = useStore(props.store);
  return (
    <DropdownGroup label={props.title} labelHeadingLevel="h2">
      <DropdownList>
        {props.choices.map(([value, text]) => (
          <DropdownItem
            key={value}
            isSelected={value === chosen}
            onClick={() => props.store.set(value)}
          >
            {text}
          </DropdownItem>
        ))}
      </DropdownList>
    </DropdownGroup>
  );
}

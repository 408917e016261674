import {
  Button,
  Dropdown,
  DropdownItem,
  DropdownList,
  Label,
  MenuToggle,
} from '@patternfly/react-core';
import ColumnsIcon from '@patternfly/react-icons/dist/esm/icons/columns-icon';
import DownloadIcon from '@patternfly/react-icons/dist/esm/icons/download-icon';
import SyncAltIcon from '@patternfly/react-icons/dist/esm/icons/sync-alt-icon';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { useParameters } from '../../base/address';
import { ReasonedButton } from '../../base/ReasonedButton';
import { isBelow } from '../../declarations/declarations';
import { choiceLabel, fieldLabel } from '../../declarations/labels';
import type { Place } from '../../declarations/place';
import { useDisabledReason } from '../../session/useSession';
import { ActionButtons } from '../action/ActionButtons';
import { CreateButton } from '../CreateButton';
import { usePresentation } from '../presentation';
import { AddFilter } from './AddFilter';
import { choosable, type Column, columnLabel } from './columns';
import { COLUMNS, filtersOf, SEARCH, searchField } from './query';
import { Search } from './Search';

interface Props {
  place: Place;
  columns: readonly Column[];
  total: number;
  chosen: Json[];
  isBusy: boolean;
  /** Objects that were created since the list was read. */
  others: number;
  onRefresh: () => void;
  onSave: () => void;
  onDelete: () => void;
  onUnchoose: () => void;
}

/** The tools above the rows: filters, actions on the selected ones, and views. */
export function Tools(props: Props) {
  const { t, i18n } = useTranslation();
  const reason = useDisabledReason();
  const [parameters, change] = useParameters();
  const { resource, collection } = props.place;
  const search = searchField(resource, usePresentation(resource.path), props.columns);
  const filters = filtersOf(parameters);
  return (
    <div className="tools" role="group" aria-label={t('Tools of the list')}>
      <div className="tools-line">
        {search && (
          <Search
            label={t('Filter by {{field}}', { field: fieldLabel(t, search) })}
            text={parameters.get(SEARCH) ?? ''}
            onChange={(text) => change({ [SEARCH]: text })}
          />
        )}
        <AddFilter resource={resource} onAdd={(name, value) => change({ [name]: value })} />
        <span className="tools-count" role="status">
          {props.chosen.length
            ? t('{{chosen}} of {{total}} selected', {
                chosen: props.chosen.length,
                total: props.total,
              })
            : t('{{total}} in all', {
                total: new Intl.NumberFormat(i18n.language).format(props.total),
              })}
        </span>
        {props.others > 0 && (
          <Button variant="link" size="sm" onClick={props.onRefresh}>
            {t('New or changed elsewhere: {{number}}. Read the list again', {
              number: props.others,
            })}
          </Button>
        )}
        {props.chosen.length > 0 && (
          <>
            <ActionButtons
              place={props.place}
              records={props.chosen}
              isList
              onDone={props.onUnchoose}
            />
            {resource.methods.includes('DELETE') && (
              <ReasonedButton
                variant="danger"
                size="sm"
                reason={reason('DELETE', collection)}
                onClick={props.onDelete}
              >
                {t('Delete')}
              </ReasonedButton>
            )}
            <Button variant="link" size="sm" onClick={props.onUnchoose}>
              {t('Select none')}
            </Button>
          </>
        )}
        <span className="tools-end">
          {isBelow(resource) && <CreateButton place={props.place} />}
          <ColumnsMenu place={props.place} columns={props.columns} />
          <Button
            variant="plain"
            aria-label={t('Save as CSV')}
            title={t('Save as CSV')}
            icon={<DownloadIcon />}
            onClick={props.onSave}
          />
          <Button
            variant="plain"
            aria-label={t('Refresh')}
            title={t('Refresh')}
            icon={<SyncAltIcon className={props.isBusy ? 'is-turning' : undefined!} />}
            onClick={props.onRefresh}
          />
        </span>
      </div>
      {filters.length > 0 && (
        <div className="tools-filters">
          {filters.map(([name, value]) => (
            <Label
              key={name}
              isCompact
              onClose={() => change({ [name]: '' })}
              closeBtnAriaLabel={t('Remove the filter {{name}}', { name: fieldLabel(t, name) })}
            >
              {fieldLabel(t, name)}:{' '}
              {value
                .split('|')
                .map((each) => choiceLabel(t, each))
                .join(', ')}
            </Label>
          ))}
        </div>
      )}
    </div>
  );
}

function ColumnsMenu({ place, columns }: { place: Place; columns: readonly Column[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [, change] = useParameters();
  const presentation = usePresentation(place.resource.path);
  const shown = columns.map(({ name }) => name);
  const names = [
    ...shown,
    ...choosable(place.resource, presentation).filter((name) => !shown.includes(name)),
  ];
  function toggle(name: string) {
    const next = shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name];
    if (next.length) change({ [COLUMNS]: next.join(',') });
  }
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
          aria-label={t('Columns')}
          icon={<ColumnsIcon />}
          isExpanded={open}
          onClick={() => setOpen(!open)}
        />
      )}
    >
      <DropdownList>
        <DropdownItem onClick={() => change({ [COLUMNS]: '' })}>{t('Usual columns')}</DropdownItem>
        {names.map((name) => (
          <DropdownItem key={name} isSelected={shown.includes(name)} onClick={() => toggle(name)}>
            {columnLabel(t, name)}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}

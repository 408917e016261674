import { useTranslation } from 'react-i18next';

import { useParameters } from '../../base/address';
import { PageHead } from '../../base/PageHead';
import { isBelow } from '../../declarations/declarations';
import { resourceTitle } from '../../declarations/labels';
import type { Place } from '../../declarations/place';
import { CreateButton } from '../CreateButton';
import { ObjectFrame } from '../detail/ObjectFrame';
import { usePresentation } from '../presentation';
import { List } from './List';
import { AS_LIST, filtersOf, SEARCH, VIEW } from './query';
import { ViewSwitch } from './ViewSwitch';

/** A collection, by itself or below the object that it belongs to. */
export function ListPage({ place }: { place: Place }) {
  const { t } = useTranslation();
  const [parameters] = useParameters();
  const { resource } = place;
  const { drawing, charts: Charts } = usePresentation(resource.path);
  const asList =
    !drawing ||
    parameters.get(VIEW) === AS_LIST ||
    parameters.has(SEARCH) ||
    filtersOf(parameters).length > 0;
  if (!isBelow(resource))
    return (
      <div className="page">
        <PageHead title={resourceTitle(t, resource.path)} help={resource.doc}>
          {drawing && <ViewSwitch title={drawing.title} asList={asList} />}
          <CreateButton place={place} />
        </PageHead>
        {asList ? <List place={place} /> : <drawing.component />}
      </div>
    );
  return (
    <ObjectFrame below={place}>
      {Charts ? (
        <Charts collection={place.collection} resource={resource} />
      ) : (
        <List place={place} />
      )}
    </ObjectFrame>
  );
}

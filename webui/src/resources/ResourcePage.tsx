import { usePathname } from '../base/address';
import { NotFound } from '../base/NotFound';
import { useDeclarations } from '../declarations/declarations';
import { isAction } from '../declarations/declarations';
import { locate } from '../declarations/place';
import { ObjectPage } from './detail/ObjectPage';
import { ActionPage } from './form/ActionPage';
import { FormPage } from './form/FormPage';
import { ListPage } from './list/ListPage';

/** The page of whatever resource, object or form the address names. */
export default function ResourcePage() {
  const declarations = useDeclarations();
  const place = locate(declarations, usePathname());
  if (!place) return <NotFound />;
  if (isAction(place.resource)) return <ActionPage key={place.api} place={place} />;
  if (place.form) return <FormPage key={place.api + place.form} place={place} />;
  if (place.object) return <ObjectPage key={place.api} place={place} />;
  return <ListPage key={place.api} place={place} />;
}

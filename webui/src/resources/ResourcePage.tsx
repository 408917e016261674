import { usePathname } from '../shell/address';
import { NotFound } from '../shell/NotFound';
import { useDeclarations } from './declarations';
import { ActionPage } from './form/ActionPage';
import { FormPage } from './form/FormPage';
import { ListPage } from './list/ListPage';
import { ObjectPage } from './detail/ObjectPage';
import { isAction } from './declarations';
import { locate } from './place';

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

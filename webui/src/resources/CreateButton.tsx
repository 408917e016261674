import { useTranslation } from 'react-i18next';

import { useGo, usePathname } from '../base/address';
import { ReasonedButton } from '../base/ReasonedButton';
import { resourceNoun } from '../declarations/labels';
import { collectionPage, type Place } from '../declarations/place';
import { useDisabledReason } from '../session/useSession';

/** The button that begins the form, on the page of a collection. */
export function CreateButton({ place }: { place: Place }) {
  const { t } = useTranslation();
  const go = useGo();
  const here = usePathname();
  const reason = useDisabledReason();
  const { resource } = place;
  if (!resource.methods.includes('POST')) return null;
  const page = place.object ? here : collectionPage(resource, place.keys);
  return (
    <ReasonedButton reason={reason('POST', place.collection)} onClick={() => go(`${page}/~new`)}>
      {t('Create {{what}}', { what: resourceNoun(t, resource.path) })}
    </ReasonedButton>
  );
}

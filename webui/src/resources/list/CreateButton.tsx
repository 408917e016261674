import { useTranslation } from 'react-i18next';

import { useDisabledReason } from '../../session/useSession';
import { useGo, usePathname } from '../../shell/address';
import { ReasonedButton } from '../../shell/ReasonedButton';
import { resourceNoun } from '../labels';
import { collectionPage, type Place } from '../place';

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

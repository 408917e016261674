import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { ReasonedButton } from '../../base/ReasonedButton';
import { settable } from '../../declarations/fields';
import type { Place } from '../../declarations/place';
import { useDisabledReason } from '../../session/useSession';
import { usePresentation } from '../presentation';
import { type Action, isOffered, requestOf } from './action';
import { ActionDialog } from './ActionDialog';

interface Props {
  place: Place;
  records: Json[];
  /** Whether these are rows of a list, which are edited together. */
  isList?: boolean;
  /** Called with whether something is being done. */
  onDone?: () => void;
}

/** Buttons for actions on these objects, each with its reason where it is disabled. */
export function ActionButtons({ place, records, isList = false, onDone }: Props) {
  const { t } = useTranslation();
  const reason = useDisabledReason();
  const [current, setCurrent] = useState<Action>();
  const { resource } = place;
  const { actions: declared = [] } = usePresentation(resource.path);
  const canEdit = resource.methods.includes('PATCH') && settable(resource, 'modify').length > 0;
  const edit: Action = { name: 'edit', label: (t) => t('Edit'), needs: [] };
  const actions = isList && canEdit ? [...declared, edit] : declared;
  function hindrance(action: Action): string | undefined {
    const { method, path } = requestOf(action, place, records, {});
    const reasons = records.map((record) => action.hindered?.(t, record));
    return reason(method, path) ?? (reasons.every(Boolean) ? reasons[0] : undefined);
  }
  return (
    <>
      {actions
        .filter((action) => isOffered(action, records))
        .map((action) => (
          <ReasonedButton
            key={action.name}
            variant="secondary"
            size={isList ? 'sm' : 'default'}
            reason={hindrance(action)}
            onClick={() => setCurrent(action)}
          >
            {action.label(t)}
          </ReasonedButton>
        ))}
      {current && (
        <ActionDialog
          action={current}
          place={place}
          records={records}
          canChoose={current.name === 'edit'}
          onClose={(done) => {
            setCurrent(undefined);
            if (done) onDone?.();
          }}
        />
      )}
    </>
  );
}

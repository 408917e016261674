import { Checkbox } from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { Prose } from '../../base/Prose';
import { nested } from '../../declarations/declarations';
import { fieldLabel } from '../../declarations/labels';
import { apiPath, type Place } from '../../declarations/place';
import { isDeleteOption } from '../form/options';
import { usePresentation } from '../presentation';
import { identity, type Request } from './action';
import { ChangeDialog } from './ChangeDialog';
import { subjectOf } from './subject';

interface Props {
  place: Place;
  records: Json[];
  /** Called with whether something is being deleted. */
  onClose: (done: boolean) => void;
}

/** Names the objects to delete, and those that go with them, before anything does. */
export function DeleteDialog({ place, records, onClose }: Props) {
  const { t } = useTranslation();
  const [options, setOptions] = useState<Record<string, boolean>>({});
  const { resource, collection } = place;
  const { holdsData } = usePresentation(resource.path);
  const { only, what, expected, about } = subjectOf(t, place, records);
  const request: Request = {
    method: 'DELETE',
    query: options,
    ...(only
      ? { path: apiPath(collection, resource, only) }
      : {
          path: collection,
          body: { records: records.map((record) => nested(identity(resource, record))) },
        }),
  };
  return (
    <ChangeDialog
      title={t('Delete {{what}}', { what })}
      isDanger
      request={() => request}
      {...about}
      {...(holdsData && {
        toType: {
          text: expected,
          label: t('Its data is lost. To go on, type {{expected}}', { expected }),
        },
      })}
      onClose={onClose}
    >
      {(resource.options ?? []).filter(isDeleteOption).map((option) => (
        <Checkbox
          key={option.name}
          id={`delete-${option.name}`}
          label={fieldLabel(t, option.name)}
          description={<Prose text={option.doc} />}
          isChecked={options[option.name] ?? false}
          onChange={(_event, value) => setOptions({ ...options, [option.name]: value })}
        />
      ))}
    </ChangeDialog>
  );
}

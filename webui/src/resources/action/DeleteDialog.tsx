import {
  Alert,
  Button,
  Checkbox,
  FormGroup,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  ModalVariant,
  TextInput,
} from '@patternfly/react-core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { useIsHere } from '../../base/presence';
import { Prose } from '../../base/Prose';
import { useChange } from '../../changes/jobs';
import { at, nested, ownKeys } from '../../declarations/declarations';
import { fieldLabel, resourceNoun, resourceTitle } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import { apiPath, type Place } from '../../declarations/place';
import { Impact } from '../form/Impact';
import { isDeleteOption } from '../form/options';
import { ShowAs } from '../form/ShowAs';
import { usePresentation } from '../presentation';

interface Props {
  place: Place;
  records: Json[];
  /** Called with whether something is being deleted. */
  onClose: (done: boolean) => void;
}

const NAMED = 12;

/** Says what goes, and what goes with it, before anything does. */
export function DeleteDialog({ place, records, onClose }: Props) {
  const { t } = useTranslation();
  const change = useChange();
  const isHere = useIsHere();
  const [typedName, setTypedName] = useState('');
  const [options, setOptions] = useState<Record<string, boolean>>({});
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const { resource } = place;
  const [only] = records.length === 1 ? records : [];
  const what = only
    ? `${resourceNoun(t, resource.path)} ${nameIn(only)}`
    : `${records.length} ${resourceTitle(t, resource.path)}`;
  const text = t('Delete {{what}}', { what });
  const expected = only ? nameIn(only) : String(records.length);
  const { holdsData } = usePresentation(resource.path);
  const isSure = !holdsData || typedName === expected;
  const request = only
    ? { path: apiPath(place.collection, resource, only), body: undefined }
    : { path: place.collection, body: { records: records.map(identity) } };

  function identity(record: Json): Json {
    return nested(Object.fromEntries(ownKeys(resource).map((key) => [key, at(record, key)])));
  }

  async function run() {
    setBusy(true);
    setError('');
    try {
      await change({ method: 'DELETE', ...request, query: options, text });
      if (isHere()) onClose(true);
    } catch (refused) {
      setError((refused as Error).message);
      setBusy(false);
    }
  }

  return (
    <Modal
      isOpen
      className="weighed"
      variant={ModalVariant.medium}
      position="top"
      onClose={() => onClose(false)}
      aria-labelledby="delete-title"
    >
      <ModalHeader labelId="delete-title" title={text} titleIconVariant="warning" />
      <ModalBody>
        {error && <Alert component="h2" isInline variant="danger" title={error} role="alert" />}
        {records.length > 1 && (
          <ul className="named">
            {records.slice(0, NAMED).map((record) => (
              <li key={apiPath(place.collection, resource, record)}>{nameIn(record)}</li>
            ))}
            {records.length > NAMED && (
              <li>{t('and {{count}} more', { count: records.length - NAMED })}</li>
            )}
          </ul>
        )}
        <Impact
          method="DELETE"
          {...request}
          query={options}
          known={records.map((record) => String(record['uuid']))}
        />
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
        {holdsData && (
          <FormGroup
            fieldId="delete-name"
            label={t('Its data is lost. To go on, type {{expected}}', { expected })}
          >
            <TextInput
              id="delete-name"
              value={typedName}
              autoComplete="off"
              onChange={(_event, value) => setTypedName(value)}
            />
          </FormGroup>
        )}
        <ShowAs
          method="DELETE"
          path={request.path}
          resource={resource}
          keys={only ?? {}}
          body={request.body ?? {}}
          query={options}
        />
      </ModalBody>
      <ModalFooter>
        <Button
          variant="danger"
          isDisabled={!isSure || busy}
          isLoading={busy}
          onClick={() => void run()}
        >
          {text}
        </Button>
        <Button variant="link" onClick={() => onClose(false)}>
          {t('Cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

import {
  Alert,
  Button,
  FormGroup,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  ModalVariant,
  TextInput,
} from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json, Query } from '../../api/client';
import { useIsHere } from '../../base/presence';
import { type Change, useChange } from '../../changes/jobs';
import { nested, useDeclarations } from '../../declarations/declarations';
import { Impact } from './Impact';
import { ShowAs } from './ShowAs';

interface Props {
  /** What is done, on the button and above. */
  title: string;
  /** Its body is values by field. */
  change: Omit<Change, 'text'>;
  /** The path of the resource. */
  resource: string;
  keys?: Json;
  /** What has to be typed before it can be done. */
  expected?: string;
  /** Called with whether it was begun. */
  onClose: (done: boolean) => void;
  children?: ReactNode;
}

/** Asks before something that hosts may notice; says which hosts, and how a script does it. */
export function ConfirmDialog({ title, change, onClose, expected = '', ...props }: Props) {
  const { t } = useTranslation();
  const run = useChange();
  const isHere = useIsHere();
  const resource = useDeclarations().get(props.resource);
  const [typedText, setTypedText] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const query: Query = change.query ?? {};
  const body = change.body && nested(change.body);

  async function confirm() {
    setBusy(true);
    setError('');
    try {
      await run({ ...change, body, text: title });
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
      aria-labelledby="confirm-title"
    >
      <ModalHeader labelId="confirm-title" title={title} titleIconVariant="warning" />
      <ModalBody>
        {error && <Alert component="h2" isInline variant="danger" title={error} role="alert" />}
        {props.children}
        <Impact method={change.method} path={change.path} query={query} body={body} />
        {expected && (
          <FormGroup fieldId="confirm-name" label={t('To go on, type {{expected}}', { expected })}>
            <TextInput
              id="confirm-name"
              value={typedText}
              autoComplete="off"
              onChange={(_event, value) => setTypedText(value)}
            />
          </FormGroup>
        )}
        <ShowAs
          method={change.method}
          path={change.path}
          resource={resource}
          keys={props.keys ?? {}}
          body={change.body ?? {}}
          query={query}
        />
      </ModalBody>
      <ModalFooter>
        <Button
          variant="danger"
          isDisabled={busy || typedText !== expected}
          isLoading={busy}
          onClick={() => void confirm()}
        >
          {title}
        </Button>
        <Button variant="link" onClick={() => onClose(false)}>
          {t('Cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

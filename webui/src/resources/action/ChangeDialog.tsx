import {
  Alert,
  Button,
  Form,
  FormGroup,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  ModalVariant,
  TextInput,
} from '@patternfly/react-core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { useIsHere } from '../../base/presence';
import { useChange } from '../../changes/change';
import { nested, useDeclarations } from '../../declarations/declarations';
import { Impact } from '../form/Impact';
import { ShowAs } from '../form/ShowAs';
import { readable } from '../form/useEntry';
import type { Request } from './action';

interface Props {
  /** The change in words, on the button and above. */
  title: string;
  /** The path of the resource, where the request does not say it. */
  resource: string;
  /** Return the body to send. Throws NotReadable. */
  request: () => Request;
  /** The object as it is, for the keys in commands. */
  keys?: Json;
  /** The names of the objects, where they are several. */
  names?: string[];
  /** UUIDs of the request's own objects, which need no mention. */
  known?: string[];
  /** Whether hosts may notice it, or data are lost by it. */
  isDanger?: boolean;
  /** The text that has to be typed first, and the warning with it. */
  toType?: { text: string; label: string } | undefined;
  /** Whether all is entered that it needs. */
  isEntered?: boolean;
  /** Called with the error. Returns whether the children show it. */
  onRefused?: (problem: unknown) => boolean;
  /** Shown when it was done. */
  after?: ReactNode;
  /** Called with whether the change has started. */
  onClose: (done: boolean) => void;
  /** Fields, or information. */
  children?: ReactNode;
}

/**
 * Asks before something is changed or deleted: shows the consequences, the hosts concerned, and the
 * commands for a script. It shows an error, and stays open then.
 */
export function ChangeDialog(props: Props) {
  const { t } = useTranslation();
  const titleId = useId();
  const [typed, setTyped] = useState('');
  const { run, error, isBusy, isDone } = useRun(props);
  const { title, onClose, isDanger = false, isEntered = true, toType } = props;
  return (
    <Modal
      isOpen
      className="weighed"
      variant={ModalVariant.medium}
      position="top"
      onClose={() => onClose(isDone)}
      aria-labelledby={titleId}
    >
      <ModalHeader
        labelId={titleId}
        title={title}
        {...(isDanger && { titleIconVariant: 'warning' as const })}
      />
      <ModalBody>
        {isDone ? props.after : <Question {...props} {...{ error, typed }} onType={setTyped} />}
      </ModalBody>
      <ModalFooter>
        {!isDone && (
          <Button
            variant={isDanger ? 'danger' : 'primary'}
            isDisabled={isBusy || !isEntered || typed !== (toType?.text ?? '')}
            isLoading={isBusy}
            onClick={run}
          >
            {title}
          </Button>
        )}
        <Button variant="link" onClick={() => onClose(isDone)}>
          {isDone ? t('Close') : t('Cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

/** Send the request of a dialog on demand, and return how that goes. */
function useRun({ title, request, onRefused, after, onClose }: Props) {
  const { t } = useTranslation();
  const change = useChange();
  const isHere = useIsHere();
  const [error, setError] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [isDone, setIsDone] = useState(false);

  async function run() {
    setIsBusy(true);
    setError('');
    try {
      const { method, path, query = {}, body } = request();
      await change({ method, path, query, body: body && nested(body), text: title });
      if (!isHere()) return;
      if (after) setIsDone(true);
      else onClose(true);
    } catch (problem) {
      if (!onRefused?.(problem)) setError(t((problem as Error).message));
    } finally {
      setIsBusy(false);
    }
  }

  return { run: () => void run(), error, isBusy, isDone };
}

interface QuestionProps extends Props {
  error: string;
  typed: string;
  onType: (typed: string) => void;
}

/** The body of the dialog: warning, fields, consequences and commands. */
function Question({ isEntered = true, toType, error, typed, onType, ...props }: QuestionProps) {
  const id = useId();
  const declarations = useDeclarations();
  const request = readable(props.request);
  const query = request?.query ?? {};
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      {error && <Alert component="h2" isInline variant="danger" title={error} role="alert" />}
      {props.names && <Names names={props.names} />}
      {props.children}
      {request && isEntered && (
        <Impact
          {...request}
          query={query}
          body={request.body && nested(request.body)}
          known={props.known ?? []}
        />
      )}
      {toType && (
        <FormGroup fieldId={id} label={toType.label}>
          <TextInput
            id={id}
            value={typed}
            autoComplete="off"
            onChange={(_event, value) => onType(value)}
          />
        </FormGroup>
      )}
      {request && (
        <ShowAs
          {...request}
          resource={declarations.get(request.resource ?? props.resource)}
          keys={props.keys ?? {}}
          body={request.body ?? {}}
          query={query}
        />
      )}
    </Form>
  );
}

const MOST = 12;

function Names({ names }: { names: readonly string[] }) {
  const { t } = useTranslation();
  const others = names.length - MOST;
  return (
    <ul className="named">
      {names.slice(0, MOST).map((name, index) => (
        <li key={index}>{name}</li>
      ))}
      {others > 0 && <li>{t('and {{count}} more', { count: others })}</li>}
    </ul>
  );
}

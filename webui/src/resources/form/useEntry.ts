import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json, Query } from '../../api/client';
import type { Method } from '../../api/method';
import { Refusal } from '../../api/refusal';
import type { Node, Resource } from '../../declarations/declarations';
import { usePresentation } from '../presentation';
import { type Errors, useFocusOnError } from './FormError';
import { changes, isEmpty, NotReadable, type Typed, type Values } from './values';

export interface FormProps {
  resource: Resource;
  nodes: Node[];
  options: Node[];
  method: Method;
  path: string;
  /** The object that is changed. */
  record?: Json;
  initial: Values;
  /** Values that are sent besides, by field, and not entered. */
  fixed?: Json;
  submit: string;
  onCancel?: () => void;
  onSubmit: (body: Json, query: Query) => Promise<void>;
}

/** Keep the values of a form, and send them. A refusal of the array becomes the error of a field. */
export function useEntry({
  resource,
  nodes,
  options,
  method,
  initial,
  fixed,
  onSubmit,
}: FormProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors>({});
  const [isBusy, setIsBusy] = useState(false);
  useFocusOnError(errors);
  const isNew = method === 'POST';
  const { needed = [] } = usePresentation(resource.path);
  const isNeeded = (node: Node) => isNew && (node.required || needed.includes(node.name));

  /** Return the body to send. Throws NotReadable. */
  const read = () => ({
    body: { ...fixed, ...changes(nodes, values, isNew ? undefined : initial) },
    query: changes(options, values) as Query,
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    const missing = nodes.filter((node) => isNeeded(node) && isEmpty(values[node.name]));
    if (missing.length) {
      setErrors(Object.fromEntries(missing.map(({ name }) => [name, t('This is needed.')])));
      return;
    }
    setIsBusy(true);
    try {
      const { body, query } = read();
      await onSubmit(body, query);
      setErrors({});
    } catch (error) {
      setErrors({ [fieldOf(error, [...nodes, ...options])]: t((error as Error).message) });
    } finally {
      setIsBusy(false);
    }
  }

  function change(name: string, value: Typed | undefined) {
    setValues((before) => ({ ...before, [name]: value }));
    if (errors[name]) setErrors({});
  }

  const request = readable(read);
  return {
    values,
    change,
    errors,
    isBusy,
    isNeeded,
    /** Undefined as long as the values cannot be read. */
    request,
    isChanged: isNew || !request || Object.keys({ ...request.body, ...request.query }).length > 0,
    submit: (event: FormEvent) => void submit(event),
  };
}

/** Return the body that a form's values make, undefined as long as they cannot be read. */
export function readable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof NotReadable)) throw problem;
    return undefined;
  }
}

/** Return the field that an error is about, '' for the form as a whole. */
function fieldOf(error: unknown, nodes: readonly Node[]): string {
  if (error instanceof NotReadable) return error.field;
  const target = error instanceof Refusal ? error.target : '';
  if (!target) return '';
  const named = nodes.filter(
    ({ name }) => name === target || target.startsWith(`${name}.`) || name.startsWith(`${target}.`),
  );
  return named.sort((one, other) => other.name.length - one.name.length)[0]?.name ?? '';
}

import { Alert } from '@patternfly/react-core';
import { useEffect } from 'react';

import { fieldId } from './fieldProps';

/** Errors of a form, by field; '' is the form as a whole. */
export type Errors = Record<string, string>;

/** Move the focus to the first field at fault, else to the error of the form as a whole. */
export function useFocusOnError(errors: Errors): void {
  useEffect(() => {
    const [name] = Object.keys(errors);
    if (name === undefined) return;
    const field = document.getElementById(fieldId(name));
    const section = field?.closest('details');
    if (section) section.open = true;
    (field ?? document.querySelector<HTMLElement>('form [role="alert"]'))?.focus();
  }, [errors]);
}

/** Shows the error of the form as a whole. */
export function FormError({ errors: { '': error } }: { errors: Errors }) {
  if (!error) return null;
  return (
    <Alert component="h2" isInline variant="danger" role="alert" tabIndex={-1} title={error} />
  );
}

/** The properties of a field of a form. */
import type { Node } from '../../declarations/declarations';
import type { Typed, Values } from './values';

export interface FieldProps {
  node: Node;
  label: string;
  isNeeded: boolean;
  value: Typed | undefined;
  /** The values of the whole form: a chosen SVM narrows the other choices. */
  values: Values;
  error: string;
  onChange: (value: Typed | undefined) => void;
  /** The prefix of its identity in the document, where the field comes several times. */
  prefix?: string;
}

export const fieldId = (name: string, prefix = '') => `field-${prefix}${name}`;

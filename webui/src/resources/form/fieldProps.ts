/** What a field of a form is made from. */
import type { Node } from '../../declarations/declarations';
import type { Typed, Values } from './values';

export interface FieldProps {
  node: Node;
  label: string;
  isNeeded: boolean;
  value: Typed | undefined;
  /** Of the whole form: an SVM that is chosen narrows what else can be. */
  values: Values;
  error: string;
  onChange: (value: Typed | undefined) => void;
  /** What its identity in the document begins with, where the field comes several times. */
  prefix?: string;
}

export const fieldId = (name: string, prefix = '') => `field-${prefix}${name}`;

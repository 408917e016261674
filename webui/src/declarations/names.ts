/** Names of objects, also of those without a field `name`. */
import type { Json } from '../api/client';
import { at } from './declarations';

/** Each distinguishes an object from its neighbours; the first that the object has counts. */
const NAMES = [
  ['name'],
  ['alias'],
  ['lun.name', 'igroup.name'],
  ['namespace.name', 'subsystem.name'],
  ['host.nqn'],
  ['initiator.name'],
  ['initiator.wwpn'],
  ['initiator'],
  ['schedule.name'],
  ['destination.address', 'gateway'],
  ['server'],
  ['path'],
  ['account.name', 'index'],
  ['account.name'],
  ['svm.name'],
  ['node.name'],
  ['index'],
  ['uuid'],
];

/** Return the name of a record, '' if it has none of these fields. */
export function nameIn(record: Json): string {
  for (const fields of NAMES) {
    const parts = fields.map((field) => at(record, field));
    if (parts.every((part) => ['string', 'number'].includes(typeof part))) return parts.join(' → ');
  }
  return '';
}

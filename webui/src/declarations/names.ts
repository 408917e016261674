/** What objects are called that have no name of their own. */
import type { Json } from '../api/client';
import { at } from './declarations';

/** Each is all that is needed to tell an object from its neighbours; the first that it has counts. */
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

/** Return what a record is called, '' if it tells nothing of it. */
export function nameIn(record: Json): string {
  for (const fields of NAMES) {
    const parts = fields.map((field) => at(record, field));
    if (parts.every((part) => ['string', 'number'].includes(typeof part))) return parts.join(' → ');
  }
  return '';
}

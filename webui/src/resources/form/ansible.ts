/** A change as a task of Ansible, which calls the REST API and needs no collection. */
import type { Json } from '../../api/client';
import type { Method } from '../../api/method';
import { nested } from '../declarations';
import { Template, yaml } from './yaml';

/** Statuses of what was done, and of what is being done by a job. */
const STATUSES: Record<Method, number[]> = {
  GET: [200],
  POST: [200, 201, 202],
  PATCH: [200, 202],
  DELETE: [200, 202],
};

const variable = (name: string) => new Template(`{{ ${name} }}`);

/** The name of the variable for a secret field: "chap.inbound.password" → chap_inbound_password. */
const variableName = (field: string) => field.replace(/\W+/g, '_');

/**
 * Return the task. Names and passwords are variables, never values: those of the array, and one for
 * each of the fields of `body` that are `secrets`.
 */
export function task(
  name: string,
  method: Method,
  address: string,
  body: Json,
  secrets: ReadonlySet<string>,
): string {
  const given = Object.entries(body).map(([field, value]) => [
    field,
    secrets.has(field) ? variable(variableName(field)) : value,
  ]);
  return yaml([
    {
      name,
      'ansible.builtin.uri': {
        url: new Template(`{{ sanstone_url }}${literal(address)}`),
        method,
        url_username: variable('sanstone_username'),
        url_password: variable('sanstone_password'),
        force_basic_auth: true,
        ...(given.length > 0 && {
          body_format: 'json',
          body: nested(Object.fromEntries(given) as Json),
        }),
        status_code: STATUSES[method],
      },
      no_log: given.some(([field]) => secrets.has(String(field))),
    },
  ]);
}

/** Braces in an address are escaped there, so that none begins a template. */
const literal = (address: string) => address.replaceAll('{', '%7B').replaceAll('}', '%7D');

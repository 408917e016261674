/**
 * A change as Ansible writes it: a play with a task of the collection sanstone.array, or where no
 * module says the same, a task that calls the REST API and needs no collection.
 *
 * Modules and their options are those that `ansible/generate` derives from the array's declarations.
 */
import type { Json, Query } from '../../api/client';
import type { Method } from '../../api/method';
import { at, nested } from '../../declarations/declarations';
import modules from '../../generated/modules.json';
import { Template, yaml } from './yaml';

/** Suboptions by name, a list of them, or true for an option with a value. */
type Option = true | Options | [Options];
interface Options {
  [name: string]: Option;
}

/** A module of the collection. `identity` has the option by each field that an object is found by. */
interface Module {
  name: string;
  identity: Record<string, string>;
  /** The fields that are set, by option. */
  fields: Record<string, string>;
  options: Options;
  required: string[];
  /** Options that are parameters of deleting. */
  switches: string[];
  renames: boolean;
}

/** A request that changes something. */
export interface Request {
  method: Method;
  /** Where it is sent, with its query. */
  address: string;
  /** The path of the resource, as it is declared. */
  resource: string;
  /** The object as it is, for its names. */
  keys: Json;
  /** Values by field. */
  body: Json;
  query: Query;
  /** Fields of the body that are shown to nobody. */
  secrets: ReadonlySet<string>;
}

/** Statuses of a change that was done, and of one that a job is doing. */
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
 * Return a play for a request. Names and passwords are variables, never values: those of the array, and
 * one for each secret.
 */
export function playbook(name: string, request: Request): string {
  const { body, secrets } = request;
  const values = Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      secrets.has(field) ? variable(variableName(field)) : value,
    ]),
  ) as Json;
  const module = (modules as unknown as Record<string, Module>)[request.resource];
  const options = module && optionsOf(module, request, nested(values));
  if (!options) return yaml([call(name, request, values)]);
  return yaml([
    {
      hosts: 'localhost',
      gather_facts: false,
      module_defaults: {
        'group/sanstone.array.array': {
          url: variable('sanstone_url'),
          username: variable('sanstone_username'),
          password: variable('sanstone_password'),
        },
      },
      tasks: [{ name, [`sanstone.array.${module.name}`]: options }],
    },
  ]);
}

/** Return the task that calls the API. */
function call(name: string, { method, address, secrets }: Request, body: Json): Json {
  return {
    name,
    'ansible.builtin.uri': {
      url: new Template(`{{ sanstone_url }}${literal(address)}`),
      method,
      url_username: variable('sanstone_username'),
      url_password: variable('sanstone_password'),
      force_basic_auth: true,
      ...(Object.keys(body).length > 0 && { body_format: 'json', body: nested(body) }),
      status_code: STATUSES[method],
    },
    no_log: Object.keys(body).some((field) => secrets.has(field)),
  };
}

/** Return the options by which a module does the same, nothing where it has none for it. */
function optionsOf(module: Module, request: Request, body: Json): Json | undefined {
  const { method, keys, query } = request;
  const chosen: Json = {};
  for (const [field, option] of Object.entries(module.identity)) {
    const [top, inner] = option.split('.') as [string, string?];
    const value = at(keys, field);
    if (value === undefined || value === null) continue;
    chosen[top] = inner ? { ...(chosen[top] as Json | undefined), [inner]: value } : value;
  }
  const options = new Map(Object.entries(module.fields).map(([option, field]) => [field, option]));
  for (const [field, value] of Object.entries(body)) {
    const option = options.get(field);
    const written = option && writtenAs(module.options[option], value);
    if (!option || written === undefined) return undefined;
    if (method === 'PATCH' && field === 'name' && module.renames)
      chosen['from_name'] = chosen['name'];
    chosen[option] = isObject(written)
      ? { ...(chosen[option] as Json | undefined), ...written }
      : written;
  }
  for (const [name, value] of Object.entries(query)) {
    if (!module.switches.includes(name)) return undefined;
    if (value) chosen[name] = true;
  }
  if (method === 'DELETE') chosen['state'] = 'absent';
  return module.required.every((name) => name in chosen) ? chosen : undefined;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Template);

/** Return a value as an option has it: an object that is referred to is its name. */
function writtenAs(option: Option | undefined, value: unknown): unknown {
  // An option that is left out changes nothing: no option takes a value away.
  if (option === undefined || value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const entries = value.map((entry) =>
      writtenAs(Array.isArray(option) ? option[0] : true, entry),
    );
    return entries.includes(undefined) ? undefined : entries;
  }
  if (!isObject(value)) return option === true || value instanceof Template ? value : undefined;
  if (option === true) return value['name'] ?? value['address'];
  if (Array.isArray(option)) return undefined;
  const parts = Object.entries(value)
    .filter(([name]) => name !== 'uuid' || 'uuid' in option)
    .map(([name, part]) => [name, writtenAs(option[name], part)] as const);
  return parts.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(parts);
}

/** Braces in an address are escaped there, so that none begins a template. */
const literal = (address: string) => address.replaceAll('{', '%7B').replaceAll('}', '%7D');

/**
 * Everyday actions on objects, one or several, as presentations declare them (pages/presentations.ts).
 *
 * An action is a request that lacks a few values. Its dialog shows the consequences before
 * it does it. Several objects are changed by one request, all of them or none.
 */
import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';

import type { Json, Query } from '../../api/client';
import type { Method } from '../../api/method';
import { at, nested, type Node, ownKeys, type Resource } from '../../declarations/declarations';
import { apiPath, type Place } from '../../declarations/place';
import type { Values } from '../form/values';

export interface Request {
  method: Method;
  path: string;
  query?: Query;
  /** Values by field. */
  body?: Json;
  /** The resource, where it is not that of the object. */
  resource?: string;
}

export interface Action {
  /** Its name among the actions of its resource. */
  name: string;
  label: (t: TFunction) => string;
  /** Fields of the object that the functions below look at. */
  needs: string[];
  /** Declared fields to enter; the action sets them to these values. */
  fields?: string[];
  /** Further fields to enter, which are none of the object. */
  extraFields?: (t: TFunction) => Node[];
  initial?: (record: Json) => Values;
  /** Of a field with choices, those that an object has. */
  choices?: (record: Json) => Record<string, string[]>;
  /** Values that it sets, which are not entered. */
  body?: Json;
  query?: Query;
  /** The request where it is no change of the object; for one object at a time. */
  request?: (record: Json, values: Json) => Request;
  /** Whether an object is already so: the button is not there then. */
  isDone?: (record: Json) => boolean;
  /** Why it cannot be done to an object now. */
  hindered?: (t: TFunction, record: Json) => string | undefined;
  /** Data is lost by it: the warning above the field for the name. */
  warning?: (t: TFunction, expected: string, record: Json) => string;
  /** The page of the object that takes the place of this one. */
  leadsTo?: (record: Json) => string;
  /** Shown when it was done. */
  after?: ComponentType<{ place: Place; records: Json[] }>;
}

/** Whether an action is offered for these objects. */
export function isOffered(action: Action, records: readonly Json[]): boolean {
  if (action.request && records.length !== 1) return false;
  return !records.every((record) => action.isDone?.(record));
}

/** Return the request for some objects, with the entered `values` by field. */
export function requestOf(
  action: Action,
  place: Place,
  records: readonly Json[],
  values: Json,
): Request {
  const [only] = records as [Json];
  if (action.request) return action.request(only, values);
  const { resource, collection } = place;
  const body = { ...action.body, ...values };
  const query = action.query ? { query: action.query } : {};
  if (records.length === 1)
    return { method: 'PATCH', path: apiPath(collection, resource, only), ...query, body };
  return {
    method: 'PATCH',
    path: collection,
    ...query,
    body: { records: records.map((record) => nested({ ...identity(resource, record), ...body })) },
  };
}

/** Return the keys by which an object is named among several. */
export function identity(resource: Resource, record: Json): Json {
  return Object.fromEntries(ownKeys(resource).map((key) => [key, at(record, key)]));
}

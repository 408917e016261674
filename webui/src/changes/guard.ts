/**
 * Changes that may cut this browser off from the array.
 *
 * The array says in a dry run whether a change touches the connection of the request. Such a change
 * holds only if it is confirmed in time; a dialog asks for that (GuardDialog), and if no confirmation
 * reaches the array, it takes the change back by itself.
 */
import type { QueryClient } from '@tanstack/react-query';

import { call, type Json, type Query } from '../api/client';
import type { Method } from '../api/method';
import { Store } from '../base/store';
import { at, Declarations, declarationsQuery } from '../declarations/declarations';

/** Seconds in which a person can open another address and log in there. */
export const WITHIN = 60;
/** The parameter of an address by which the dialog of a job opens. */
export const CONFIRM = 'confirm';

export interface Guarded {
  job: string;
  /** The change in words. */
  text: string;
  /** The address by which the array is reached now, if it is another. */
  address?: string;
}

/** The change that the dialog is about. */
export const guarded = new Store<Guarded | undefined>(undefined);

interface Request {
  method: Method;
  path: string;
  query?: Query | undefined;
  body?: Json | undefined;
}

/** Return whether a change may cut off this browser. The array refuses nothing here. */
export async function mayCutOff(client: QueryClient, request: Request): Promise<boolean> {
  const { resources } = await client.ensureQueryData(declarationsQuery);
  const { method, path, query, body } = request;
  if (!isConfirmable(new Declarations(resources), path)) return false;
  const answer = await call<{ own_connection: boolean; refusals: Json[] }>(
    method,
    path,
    { ...query, dry_run: true },
    body,
  );
  return answer.own_connection && !answer.refusals.length;
}

function isConfirmable(declarations: Declarations, path: string): boolean {
  return declarations.resources.some(
    (each) => each.confirmable && (path === each.path || path.startsWith(`${each.path}/`)),
  );
}

/** Return the address that an interface gets by a change, if that says so. */
export function newAddress({ path, body }: Request): string | undefined {
  const address = path.startsWith('network/ip/interfaces/') && at(body, 'ip.address');
  return typeof address === 'string' ? address : undefined;
}

/** Return where the dialog of a job is found at another address. */
export function elsewhere(address: string, job: string): string {
  const host = address.includes(':') ? `[${address}]` : address;
  const port = location.port && `:${location.port}`;
  return `${location.protocol}//${host}${port}/?${CONFIRM}=${job}`;
}

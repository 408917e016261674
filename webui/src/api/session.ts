/**
 * The session: its account and the account's privileges.
 *
 * The token of writing requests is held here, in memory, and nowhere else: a page that is loaded anew
 * asks the array for it.
 */
import { notice } from '../base/notice';
import { Store } from '../base/store';
import { takeGrant } from './provider';
import { Refusal, refusalOf } from './refusal';

/** The access of an account to all below a path. */
export interface Privilege {
  path: string;
  access: string;
}

export interface Session {
  account: { name: string; role: { name: string } };
  scope: 'cluster' | 'svm';
  svm?: { uuid: string };
  privileges: Privilege[];
  password_expired: boolean;
  idle_timeout: string;
  csrf_token?: string;
}

export type State =
  | { kind: 'unknown' }
  | { kind: 'out' }
  /** Ended while a page was open: `session` is the former one. */
  | { kind: 'over'; session: Session }
  | { kind: 'in'; session: Session };

export const state = new Store<State>({ kind: 'unknown' });

/** Why a login by the identity provider did not succeed, '' if none was tried. */
export const refusedLogin = new Store('');

const PATH = '/api/security/session';

export function csrfToken(): string {
  const now = state.get();
  return now.kind === 'in' ? (now.session.csrf_token ?? '') : '';
}

async function ask<Answer = Session>(method: string, body?: unknown): Promise<Answer> {
  const response = await fetch(PATH, {
    method,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'X-CSRF-Token': csrfToken(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await refusalOf(response);
  return (await response.json()) as Answer;
}

/** Log in with the parameters that the identity provider has added to the address, if there are any. */
export async function arrive(): Promise<void> {
  const grant = takeGrant();
  if (typeof grant === 'string') refusedLogin.set(grant);
  else if (grant)
    await ask('POST', grant).catch((error: unknown) => refusedLogin.set((error as Error).message));
  await recall();
}

/** Find out whether there is a session; while the array restarts, repeat until it answers. */
export async function recall(): Promise<void> {
  for (;;) {
    try {
      state.set({ kind: 'in', session: await ask('GET') });
      notice.restarting.set(false);
      return;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) break;
      notice.restarting.set(true);
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
  notice.restarting.set(false);
  state.set({ kind: 'out' });
}

/** Whether a login was refused for want of a code: the password is right, and the code is not. */
export const isCodeNeeded = (error: unknown): boolean =>
  error instanceof Refusal && error.status === 401 && error.target === 'verification_code';

export async function logIn(name: string, password: string, code = ''): Promise<void> {
  enter(await ask('POST', { name, password, ...(code && { verification_code: code }) }));
}

/** Go on if there is a session again: its browser may have logged in on another page. */
export async function resume(): Promise<void> {
  const session = await ask('GET').catch(() => undefined);
  if (session) enter(session);
}

function enter(session: Session): void {
  const before = state.get();
  if (before.kind === 'over' && before.session.account.name !== session.account.name) {
    // The page holds data of another account.
    location.reload();
    return;
  }
  refusedLogin.set('');
  state.set({ kind: 'in', session });
}

export async function logOut(): Promise<void> {
  const answer = await ask<{ logout_url?: string }>('DELETE').catch(() => undefined);
  // No data of this account may stay in memory.
  location.assign(answer?.logout_url ?? '/');
}

/** Resolve when the person has logged in again, after the array has said that nobody is. */
export function loggedInAgain(): Promise<void> {
  const now = state.get();
  if (now.kind === 'in') state.set({ kind: 'over', session: now.session });
  return new Promise((resolve) => {
    const stop = state.watch(() => {
      if (state.get().kind !== 'in') return;
      stop();
      resolve();
    });
  });
}

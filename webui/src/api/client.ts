/**
 * All calls of the array leave through `send`.
 *
 * It adds the token to writing requests, and relieves pages of two cases: while the array restarts,
 * reading is tried again until it answers; and when the session has ended, the call waits for the
 * person to log in again (SessionDialog), and is sent once more, so that nothing is lost.
 */
import createClient from 'openapi-fetch';

import { notice } from '../base/notice';
import type { paths } from '../generated/api';
import type { Method } from './method';
import { refusalOf } from './refusal';
import { csrfToken, loggedInAgain } from './session';

const LONGEST_WAIT = 5;
/** Milliseconds after which an answer to a GET is given up: its connection may be dead. */
const LONGEST_ANSWER = 60_000;

export async function send(request: Request): Promise<Response> {
  for (;;) {
    const attempt = request.clone();
    attempt.headers.set('Accept', 'application/json');
    if (request.method !== 'GET') attempt.headers.set('X-CSRF-Token', csrfToken());
    const { signal } = request;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_ANSWER)]);
    const response = await fetch(attempt, {
      signal: request.method === 'GET' ? limited : signal,
    }).catch(() => undefined);
    // A writing request may have been done before the answer was lost: only the person can repeat it.
    const unreachable = !response || response.status === 503;
    if (unreachable && request.method === 'GET' && !signal.aborted) {
      notice.restarting.set(true);
      const seconds = Number(response?.headers.get('Retry-After') ?? LONGEST_WAIT);
      await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(seconds, LONGEST_WAIT)));
      continue;
    }
    if (!response) throw new TypeError('The array cannot be reached.');
    notice.restarting.set(false);
    if (response.status === 401) {
      await loggedInAgain();
      continue;
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
  }
}

/** Typed by the API's description, for pages about one resource. */
export const api = createClient<paths>({ baseUrl: '/api', fetch: send });

export type Query = Record<string, string | number | boolean | undefined>;
export type Json = Record<string, unknown>;

export function address(path: string, query: Query = {}): string {
  const filled = Object.entries(query).filter((pair) => pair[1] !== undefined && pair[1] !== '');
  const text = new URLSearchParams(filled.map(([name, value]) => [name, String(value)])).toString();
  return `/api/${path}${text ? `?${text}` : ''}`;
}

/** Untyped, for pages that derive from declarations. */
export async function call<Answer = Json>(
  method: Method,
  path: string,
  query: Query = {},
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const request = new Request(address(path, query), {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  });
  return (await (await send(request)).json()) as Answer;
}

/** Ask by itself, which is no use of the session (`X-Sanstone-Poll`). */
export async function poll<Answer>(
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = { 'X-Sanstone-Poll': 'true' };
  const response = await send(new Request(address(path, query), { headers, signal }));
  return (await response.json()) as Answer;
}

/** Send a piece of a file. */
export async function sendPiece<Answer>(
  path: string,
  query: Query,
  piece: Blob,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  const request = new Request(address(path, query), {
    method: 'POST',
    body: piece,
    headers,
    signal,
  });
  return (await (await send(request)).json()) as Answer;
}

export interface Page {
  records: Json[];
  num_records: number;
  _links?: { next?: { href: string } };
}

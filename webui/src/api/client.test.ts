import { afterEach, expect, test, vi } from 'vitest';

import { send } from './client';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a GET whose connection is dead is sent again', async () => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), milliseconds);
    return controller.signal;
  });
  const silent = (_request: Request, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  const fetched = vi
    .fn()
    .mockImplementationOnce(silent)
    .mockResolvedValueOnce(new Response('{"name": "array"}'));
  vi.stubGlobal('fetch', fetched);
  const answer = send(new Request('http://array/api/cluster'));
  await vi.advanceTimersByTimeAsync(70_000);
  expect(await (await answer).json()).toEqual({ name: 'array' });
  expect(fetched).toHaveBeenCalledTimes(2);
});

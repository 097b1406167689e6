import { expect, it } from '@jest/globals';
import { transportError } from '#lib/client/error.ts';
import { withRetries } from '#lib/client/retry.ts';

const failure = (retryAfterMs: number) =>
  transportError('stream-xlen', 'throttled', { status: 429, retryable: true, outcome: 'not-sent', retryAfterMs });

/** A call that fails so often, and how often it was made. */
function failing(times: number, retryAfterMs: number, onFailure = () => {}) {
  const made = { count: 0 };
  const call = () => {
    if (made.count++ >= times) return Promise.resolve('done');
    onFailure();
    return Promise.reject(failure(retryAfterMs));
  };
  return { call, made };
}

it('the client does not wait longer than a minute for a retry', async () => {
  const { call, made } = failing(1, 60_001);

  await expect(withRetries(2, call)).rejects.toMatchObject({ status: 429, retryAfterMs: 60_001 });
  expect(made.count).toBe(1);
});

it('a call that was aborted while it failed rejects with the reason of its signal', async () => {
  const controller = new AbortController();
  const { call } = failing(1, 1, () => controller.abort(new Error('no longer needed')));

  await expect(withRetries(0, call, controller.signal)).rejects.toThrow('no longer needed');
});

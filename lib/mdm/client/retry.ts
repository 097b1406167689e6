import { setTimeout as wait } from 'node:timers/promises';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError } from '../../core/errors.ts';
import { wasNeverSent } from '../exchange/transport.ts';

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 2_000;
const STATUSES = new Set([429, 502, 503, 504]);

export interface RetryOptions {
  /** How often it is tried in all. */
  readonly attempts: number;
  /** Whether sending it twice does no harm. Else only what provably never reached the API is sent again. */
  readonly idempotent: boolean;
  readonly deadline: Deadline;
  /** Ends the wait for another attempt, so that the error stands. */
  readonly signal?: AbortSignal;
}

/**
 * Tries a call again on 429, 502, 503, 504 and connection faults: after a delay with jitter, or what Retry-After asks
 * for where that is longer. Where the time left would not suffice for a wait and another such attempt, the error stands.
 *
 * @param call receives whether an attempt before may have been carried out, its response lost
 */
export async function withRetries<T>(call: (mayBeDone: boolean) => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, deadline, signal } = options;
  let mayBeDone = false;
  for (let attempt = 1; ; attempt++) {
    const startedAt = performance.now();
    try {
      return await call(mayBeDone);
    } catch (error) {
      if (attempt >= attempts || !isWorthAnother(error, options)) throw error;
      const backOffMs = jitter(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)));
      const delayMs = Math.max(backOffMs, error.retryAfterMs ?? 0);
      if (delayMs + (performance.now() - startedAt) >= deadline.remainingMs()) throw error;
      mayBeDone ||= !(wasNeverSent(error) || error.upstreamStatus === 429);
      await wait(delayMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}

function isWorthAnother(error: unknown, { idempotent }: RetryOptions): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  if (!idempotent) return wasNeverSent(error);
  const { type, upstreamStatus, retryable } = error;
  return upstreamStatus === undefined ? type === 'MDM:CONNECTIVITY' && retryable : STATUSES.has(upstreamStatus);
}

const jitter = (ms: number) => ms * (0.5 + Math.random() / 2);

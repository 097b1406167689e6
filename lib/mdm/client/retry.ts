import { setTimeout as wait } from 'node:timers/promises';
import type { Deadline } from '../../core/deadline.ts';
import { ConnectorError, withOutcome } from '../../core/errors.ts';

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 2_000;
const STATUSES = new Set([429, 502, 503, 504]);

export interface RetryOptions {
  /** Attempts in all. */
  readonly attempts: number;
  /** Whether it may be sent twice. Otherwise it is repeated only if it certainly never reached the API. */
  readonly isIdempotent: boolean;
  readonly deadline: Deadline;
}

/**
 * Retries a call after 429, 502, 503, 504 and connection faults: after a delay with jitter, or after Retry-After if
 * that is longer. If the remaining time does not suffice for the delay and another such attempt, the error stands.
 * The outcome of an error is that of all attempts: unknown if that of one is.
 *
 * @param call receives whether an earlier attempt may have been carried out although its response was lost
 */
export async function withRetries<T>(call: (mayBeDone: boolean) => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, deadline } = options;
  let mayBeDone = false;
  for (let attempt = 1; ; attempt++) {
    const startedAt = performance.now();
    try {
      return await call(mayBeDone);
    } catch (failure) {
      const error: unknown = mayBeDone ? withOutcome(failure, 'unknown') : failure;
      if (attempt >= attempts || !isWorthAnother(error, options)) throw error;
      const backOffMs = jitter(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)));
      const delayMs = Math.max(backOffMs, error.retryAfterMs ?? 0);
      if (delayMs + (performance.now() - startedAt) >= deadline.remainingMs()) throw error;
      mayBeDone ||= error.outcome === 'unknown';
      await wait(delayMs);
    }
  }
}

function isWorthAnother(error: unknown, { isIdempotent }: RetryOptions): error is ConnectorError {
  if (!(error instanceof ConnectorError) || !error.temporary) return false;
  const { type, outcome, upstreamStatus } = error;
  if (!isIdempotent && outcome !== 'not-sent') return false;
  return upstreamStatus === undefined ? type === 'MDM:CONNECTIVITY' : STATUSES.has(upstreamStatus);
}

const jitter = (ms: number) => ms * (0.5 + Math.random() / 2);

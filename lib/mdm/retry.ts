import { setTimeout as wait } from 'node:timers/promises';
import type { Deadline } from '../core/deadline.ts';
import { ConnectorError } from '../core/errors.ts';

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 2_000;
const AGAIN_ON_STATUS = new Set([429, 502, 503, 504]);

export interface RetryOptions {
  /** How often it is tried in all. */
  readonly attempts: number;
  readonly deadline: Deadline;
}

/**
 * Tries an idempotent call again on 429, 502, 503, 504 and connection faults: after what Retry-After asks for, else
 * after a delay with jitter. Where the time left would not suffice for a wait and another such attempt, the error
 * stands.
 */
export async function withRetries<T>(call: () => Promise<T>, { attempts, deadline }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const startedAt = performance.now();
    try {
      return await call();
    } catch (error) {
      if (attempt >= attempts || !isWorthAnother(error)) throw error;
      const delayMs = error.retryAfterMs ?? jitter(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)));
      if (delayMs + (performance.now() - startedAt) >= deadline.remainingMs()) throw error;
      await wait(delayMs);
    }
  }
}

function isWorthAnother(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  const { type, upstreamStatus, retryable } = error;
  return upstreamStatus === undefined ? type === 'MDM:CONNECTIVITY' && retryable : AGAIN_ON_STATUS.has(upstreamStatus);
}

const jitter = (ms: number) => ms * (0.5 + Math.random() / 2);

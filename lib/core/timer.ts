/**
 * Calls back after this time, and after what had arrived by then, unless the returned function is called first: a
 * process that waited for its share of a core finds timers due and replies there at once.
 *
 * @param options whether the timer alone keeps the process alive. Default true; one beside a socket need not, and costs
 *   less
 * @example
 * const cancel = startTimer(1000, () => reject(new Error('too late')));
 */
export function startTimer(ms: number, callback: () => void, { keepsAlive = true } = {}): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timeout = setTimeout(() => (turn = setImmediate(callback)), ms);
  if (!keepsAlive) timeout.unref();
  return () => {
    clearTimeout(timeout);
    clearImmediate(turn);
  };
}

/** Where the engine takes its time from; tests and the simulation bring one of their own. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Milliseconds since 1970, to compare with the ids of entries. */
  epochMs(): number;
  /** Calls back after so long, unless the returned function is called before. */
  timer(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  timer(ms, callback) {
    const timeout = setTimeout(callback, ms);
    return () => clearTimeout(timeout);
  },
};

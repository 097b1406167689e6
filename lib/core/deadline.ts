/** Time kept free for the response: 20 % of the invocation's time, at most 2 s. */
const marginOf = (ms: number) => Math.min(2000, ms * 0.2);

/**
 * When some work must have ended, on the monotonic clock.
 *
 * @example
 * const deadline = Deadline.ofInvocation(context.getRemainingTimeInMillis());
 * await fetch(url, { signal: AbortSignal.timeout(deadline.within(10_000)) });
 */
export class Deadline {
  readonly #at: number;

  private constructor(at: number) {
    this.#at = at;
  }

  /** This many milliseconds from now. */
  static after(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** The end of an invocation's remaining time, less the time kept for its response. */
  static ofInvocation(remainingMs: number): Deadline {
    return Deadline.after(remainingMs - marginOf(remainingMs));
  }

  /** The earlier of this deadline and this many milliseconds from now, at least one from now. */
  orAfter(ms: number): Deadline {
    const now = performance.now();
    return new Deadline(Math.max(now + 1, Math.min(this.#at, now + ms)));
  }

  /** Remaining milliseconds, never negative. */
  remainingMs(): number {
    return Math.max(0, Math.floor(this.#at - performance.now()));
  }

  /** The smaller of `ms` and the remaining time, at least 1 (a timer treats 0 as 1, and `BLOCK 0` waits for ever). */
  within(ms: number): number {
    return Math.max(1, Math.min(Math.floor(ms), this.remainingMs()));
  }
}

/** Margin kept free at the end of an invocation for the response: 20 % of its time, at most 2 s. */
const marginOf = (ms: number) => Math.min(2000, ms * 0.2);

/**
 * The moment by which a piece of work must have ended, on the monotonic clock.
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

  /** So many milliseconds from now. */
  static after(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** What an invocation may use of the time it has left, less the margin for its response. */
  static ofInvocation(remainingMs: number): Deadline {
    return Deadline.after(remainingMs - marginOf(remainingMs));
  }

  /** The sooner of this and so many milliseconds from now; at least one is left. */
  orAfter(ms: number): Deadline {
    const now = performance.now();
    return new Deadline(Math.max(now + 1, Math.min(this.#at, now + ms)));
  }

  /** When it is, on the monotonic clock, in milliseconds. */
  get at(): number {
    return this.#at;
  }

  /** Milliseconds left, never negative. */
  remainingMs(): number {
    return Math.max(0, Math.floor(this.#at - performance.now()));
  }

  /** The smaller of `ms` and the time left, at least 1 (timers take 0 for 1, and `BLOCK 0` for ever). */
  within(ms: number): number {
    return Math.max(1, Math.min(Math.floor(ms), this.remainingMs()));
  }
}

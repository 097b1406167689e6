import { startTimer } from '../core/timer.ts';

/** The engine's source of time. Tests and the simulation have their own. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds since 1970, comparable with the ids of entries. */
  epochMs(): number;
  /** Calls back after this time, and after what had arrived by then, unless the returned function is called first. */
  timer(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  timer: startTimer,
};

/** Lets a loop wait for a change or a time. */
export class Notifier {
  readonly #clock: Clock;
  #changed = Promise.withResolvers<unknown>();
  #isNotified = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Wakes the loop after everything that is settled by now was handled, so that hundreds of attempts that end together
   * are one change, and one packet to the server.
   */
  notify(): void {
    if (this.#isNotified) return;
    this.#isNotified = true;
    process.nextTick(this.#changed.resolve, undefined);
  }

  /** Resolves at this time, or at a `notify` since the last wait. */
  async wait(until: number): Promise<void> {
    const cancel = this.#clock.timer(Math.max(0, until - this.#clock.now()), () => this.notify());
    await this.#changed.promise;
    cancel();
    this.#isNotified = false;
    this.#changed = Promise.withResolvers();
  }
}

/** Share of a run's time, up to a number of milliseconds, kept for writing results and giving the lease back. */
const CLOSING_SHARE = 0.1;
const MAX_CLOSING_MS = 1000;
/** How much slower than the slowest attempt so far the next one may be, up to twice, in milliseconds. */
const MAX_SLOWER_MS = 500;

export class RunTimes {
  readonly startedAt: number;
  readonly #budgetMs: number;
  readonly #closingMs: number;

  constructor(startedAt: number, budgetMs: number) {
    this.startedAt = startedAt;
    this.#budgetMs = budgetMs;
    this.#closingMs = Math.min(MAX_CLOSING_MS, budgetMs * CLOSING_SHARE);
  }

  /** From here on no attempt starts, because one that is slower than the slowest so far would not end in time. */
  lastStart(longestMs: number): number {
    const slowerMs = longestMs + Math.min(longestMs, MAX_SLOWER_MS);
    return Math.max(this.giveUp - slowerMs, this.startedAt + this.#budgetMs / 2);
  }

  /** Attempts in flight are given up. */
  get giveUp(): number {
    return this.startedAt + this.#budgetMs - this.#closingMs;
  }

  /** The run waits for nothing any more. */
  get end(): number {
    return this.giveUp + this.#closingMs / 2;
  }

  /** An attempt of this length had a fair part of the run. */
  get half(): number {
    return this.#budgetMs / 2;
  }
}

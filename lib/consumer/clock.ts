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

/** What a loop waits for: that something has changed, or that a time has come. */
export class Notifier {
  readonly #clock: Clock;
  #changed = Promise.withResolvers<unknown>();
  #isNotified = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Something has changed that the loop should look at. It does so once everything that is settled by now has had its
   * turn: hundreds of attempts that end together are one change, and one packet to the server.
   */
  notify(): void {
    if (this.#isNotified) return;
    this.#isNotified = true;
    process.nextTick(this.#changed.resolve, undefined);
  }

  /** Settles when `notify` was called since the last wait, or is now, or at this time. */
  async wait(until: number): Promise<void> {
    const cancel = this.#clock.timer(Math.max(0, until - this.#clock.now()), () => this.notify());
    await this.#changed.promise;
    cancel();
    this.#isNotified = false;
    this.#changed = Promise.withResolvers();
  }
}

/** Share of a run's time, and at most so many milliseconds, kept for writing outcomes and giving the lease back. */
const CLOSING_SHARE = 0.1;
const MAX_CLOSING_MS = 1000;

/** When a run begins and ends what. */
export class RunTimes {
  readonly startedAt: number;
  readonly #budgetMs: number;
  readonly #closingMs: number;

  constructor(startedAt: number, budgetMs: number) {
    this.startedAt = startedAt;
    this.#budgetMs = budgetMs;
    this.#closingMs = Math.min(MAX_CLOSING_MS, budgetMs * CLOSING_SHARE);
  }

  /** No attempt starts from here on: it could not end in time, if it took as long as the longest so far. */
  lastStart(longestMs: number): number {
    return Math.max(this.giveUp - longestMs, this.startedAt + this.#budgetMs / 2);
  }

  /** Attempts still under way are given up. */
  get giveUp(): number {
    return this.startedAt + this.#budgetMs - this.#closingMs;
  }

  /** Nothing is waited for any more. */
  get end(): number {
    return this.giveUp + this.#closingMs / 2;
  }

  /** An attempt that took so long had a fair part of the run. */
  get half(): number {
    return this.#budgetMs / 2;
  }
}

/** Share of a run's time, and at most so many milliseconds, kept for writing outcomes and giving the lease back. */
const CLOSING_SHARE = 0.1;
const MAX_CLOSING_MS = 1000;

/** When a run begins and ends what. */
export class Times {
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

/** Part of the run's slot time that a restrained kind of key may take while others are ready. */
const PART = 1 / 5;
/** How long a kind that took too much at once is held back at most, in milliseconds. */
const MAX_DEBT_MS = 12_000;

/**
 * Keeps the attempts of failing keys, or of very long lanes, to a fifth of the run's slot time while others are ready.
 * What they take is a debt, which a fifth of the slots pays off as time passes.
 */
export class Share {
  readonly #slots: number;
  /** How many of them may be in flight together. */
  readonly #places: number;
  #debt = 0;
  #paidAt: number;
  inFlight = 0;

  constructor(slots: number, now: number) {
    this.#slots = slots;
    this.#places = Math.max(1, Math.floor(slots * PART));
    this.#paidAt = now;
  }

  /** Whether one more may start although others are ready. */
  mayStart(now: number): boolean {
    this.#payOff(now);
    return this.#debt <= 0 && this.inFlight < this.#places;
  }

  /** When `mayStart` may become true by the passing of time alone. */
  freeAt(now: number): number {
    this.#payOff(now);
    return now + this.#debt / (this.#slots * PART);
  }

  /** So much slot time was taken, in milliseconds. */
  charge(ms: number, now: number): void {
    this.#payOff(now);
    this.#debt = Math.min(this.#debt + ms, MAX_DEBT_MS * this.#slots);
  }

  #payOff(now: number): void {
    this.#debt = Math.max(0, this.#debt - (now - this.#paidAt) * this.#slots * PART);
    this.#paidAt = now;
  }
}

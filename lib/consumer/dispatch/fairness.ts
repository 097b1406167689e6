import type { Kind } from '../window/key-order.ts';

/** Share of the slot time that a restrained kind of key may take while others are ready. */
export const PART = 1 / 5;
/** Longest time to hold back a kind that took too much at once, in milliseconds. */
const MAX_DEBT_MS = 12_000;

/**
 * Limits failing keys, or very long ones, to a fifth of the slot time while others are ready. Their time is a debt,
 * which a fifth of the slots pays off as time passes.
 */
class Share {
  readonly #slots: number;
  /** How many may be in flight together. */
  readonly #maxInFlight: number;
  #debt = 0;
  #paidAt: number;
  inFlight = 0;

  constructor(slots: number, now: number) {
    this.#slots = slots;
    this.#maxInFlight = Math.max(1, Math.floor(slots * PART));
    this.#paidAt = now;
  }

  /** Whether one more may start although others are ready. */
  mayStart(now: number): boolean {
    this.#payOff(now);
    return this.#debt <= 0 && this.inFlight < this.#maxInFlight;
  }

  /** When `mayStart` becomes true by time alone. */
  freeAt(now: number): number {
    this.#payOff(now);
    return now + this.#debt / (this.#slots * PART);
  }

  /** Adds used slot time, in milliseconds. */
  charge(ms: number, now: number): void {
    this.#payOff(now);
    this.#debt = Math.min(this.#debt + ms, MAX_DEBT_MS * this.#slots);
  }

  #payOff(now: number): void {
    this.#debt = Math.max(0, this.#debt - (now - this.#paidAt) * this.#slots * PART);
    this.#paidAt = now;
  }
}

type Restrained = Exclude<Kind, 'fresh'>;

/** Limits restrained kinds of heads to their share while fresh ones are ready. */
export class Fairness {
  readonly #slots: number;
  readonly #shares: Record<Restrained, Share>;

  constructor(slots: number, now: number) {
    this.#slots = slots;
    this.#shares = { failing: new Share(slots, now), hot: new Share(slots, now) };
  }

  /** Whether one more of a kind may start although fresh ones are ready. */
  mayStart(kind: Kind, now: number): boolean {
    return kind === 'fresh' || this.#shares[kind].mayStart(now);
  }

  /** Whether another one of a kind leaves a slot for a fresh one that may come: a failing key may hang for long. */
  leavesSlot(kind: Kind): boolean {
    return kind !== 'failing' || this.#shares.failing.inFlight < Math.max(1, this.#slots - 1);
  }

  began(kind: Kind): void {
    if (kind !== 'fresh') this.#shares[kind].inFlight++;
  }

  /** One has ended, after this much slot time in milliseconds. */
  ended(kind: Kind, ms: number, now: number): void {
    if (kind === 'fresh') return;
    this.#shares[kind].inFlight--;
    this.#shares[kind].charge(ms, now);
  }

  /** When a restrained kind may go on; Infinity if none is held back. */
  nextEvent(now: number): number {
    const { failing, hot } = this.#shares;
    return Math.min(...[failing.freeAt(now), hot.freeAt(now)].map((freeAt) => (freeAt > now ? freeAt : Infinity)));
  }
}

import type { Reserved } from '../group/rate.ts';

/** A run reserves the calls of this much time, in milliseconds, and at least one. */
const SLICE_MS = 100;
/** A reserved call expires after this many milliseconds, so that delayed calls do not follow in a burst. */
const LATE_MS = 100;

/** Reserved calls of a slice that have not started. */
interface Slice {
  /** When the next of them may start. */
  nextStartAt: number;
  left: number;
}

/** The calls that a run has reserved of its group's rate: decides when the next may start, and when to reserve more. */
export class RateLimiter {
  readonly #stepMs: number;
  /** Maximum calls of a slice. */
  readonly #most: number;
  #slices: Slice[] = [];
  #isReserving = false;

  constructor(perSecond: number) {
    this.#stepMs = 1000 / perSecond;
    this.#most = Math.max(1, Math.floor((perSecond * SLICE_MS) / 1000));
  }

  mayStart(now: number): boolean {
    this.#drop(now);
    return this.#slices.length > 0 && this.#slices[0]!.nextStartAt <= now;
  }

  /** A call starts. */
  use(): void {
    this.#skip(1);
  }

  /** When the next reserved call may start. */
  get nextAt(): number {
    return this.#slices[0]?.nextStartAt ?? Infinity;
  }

  /**
   * Number of calls to reserve now; 0 if enough are reserved, or a reservation is in progress. Otherwise a reservation
   * begins, which ends with `reserved`.
   *
   * @param usable number of calls that could start soon
   */
  toReserve(usable: number, now: number): number {
    this.#drop(now);
    const aim = Math.min(usable, this.#most);
    const left = this.#slices.reduce((sum, slice) => sum + slice.left, 0);
    if (this.#isReserving || left * 2 > aim) return 0;
    this.#isReserving = true;
    return aim - left;
  }

  /** A reservation has ended. */
  reserved(reserved: Reserved | undefined, now: number): void {
    this.#isReserving = false;
    if (reserved) this.#slices.push({ nextStartAt: now + reserved.afterMs, left: reserved.calls });
  }

  #drop(now: number): void {
    for (let first = this.#slices[0]; first && first.nextStartAt + LATE_MS < now; first = this.#slices[0]) {
      this.#skip(Math.ceil((now - LATE_MS - first.nextStartAt) / this.#stepMs));
    }
  }

  #skip(calls: number): void {
    const first = this.#slices[0]!;
    first.left -= calls;
    first.nextStartAt += calls * this.#stepMs;
    if (first.left <= 0) this.#slices.shift();
  }
}

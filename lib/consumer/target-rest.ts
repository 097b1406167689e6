import type { RestReason } from './attempt-events.ts';
import type { Clock } from './clock.ts';

/** No target keeps its consumer away for longer than this, in milliseconds. */
export const MAX_REST_MS = 900_000;

/** How long the target is left alone, and why. */
export class TargetRest {
  readonly #clock: Clock;
  until = 0;
  reason: RestReason = 'upstream-unavailable';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The longest of all rests counts. */
  prolong(ms: number, reason: RestReason): void {
    const until = this.#clock.now() + Math.min(ms, MAX_REST_MS);
    if (until > this.until) [this.until, this.reason] = [until, reason];
  }

  /** What is left of it, in milliseconds. */
  get ms(): number {
    return Math.max(0, this.until - this.#clock.now());
  }
}

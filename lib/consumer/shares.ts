import type { Kind } from './lanes.ts';
import { Share } from './share.ts';

type Restrained = Exclude<Kind, 'fresh'>;

/** The shares of the kinds of heads that are restrained while fresh ones are ready. */
export class Shares {
  readonly #of: Record<Restrained, Share>;

  constructor(slots: number, now: number) {
    this.#of = { failing: new Share(slots, now), hot: new Share(slots, now) };
  }

  /** Whether one more of a kind may start although fresh ones are ready. */
  mayStart(kind: Kind, now: number): boolean {
    return kind === 'fresh' || this.#of[kind].mayStart(now);
  }

  began(kind: Kind): void {
    if (kind !== 'fresh') this.#of[kind].inFlight++;
  }

  /** One that began has ended, and took so much slot time, in milliseconds. */
  ended(kind: Kind, ms: number, now: number): void {
    if (kind === 'fresh') return;
    this.#of[kind].inFlight--;
    this.#of[kind].charge(ms, now);
  }

  /** When a kind that is held back may go on; Infinity where none is. */
  nextEvent(now: number): number {
    const { failing, hot } = this.#of;
    return Math.min(...[failing.freeAt(now), hot.freeAt(now)].map((at) => (at > now ? at : Infinity)));
  }
}

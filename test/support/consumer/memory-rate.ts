import type { Clock } from '#lib/consumer/clock.ts';
import type { Rate, Reserved } from '#lib/consumer/group/rate.ts';

/** A rate in memory, for runs in virtual time. Counts what it is asked. */
export class MemoryRate implements Rate {
  reservations = 0;
  readonly #clock: Clock;
  readonly #stepMs: number;
  readonly #call: <T>(reply: () => T) => Promise<T>;
  #due = 0;

  constructor(clock: Clock, perSecond: number, call: <T>(reply: () => T) => Promise<T>) {
    this.#clock = clock;
    this.#stepMs = 1000 / perSecond;
    this.#call = call;
  }

  reserve(asked: number, withinMs: number): Promise<Reserved | undefined> {
    this.reservations++;
    return this.#call(() => {
      const now = this.#clock.now();
      const due = Math.max(this.#due, now);
      const calls = Math.min(asked, Math.floor((now + withinMs - due) / this.#stepMs) + 1);
      if (calls < 1) return undefined;
      this.#due = due + calls * this.#stepMs;
      return { calls, afterMs: due - now };
    });
  }
}

import type { Clock } from './clock.ts';

/** What a loop waits for: that something has changed, or that a time has come. */
export class Bell {
  readonly #clock: Clock;
  #rung = Promise.withResolvers<unknown>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung.resolve(undefined);
  }

  /** Settles when the bell was rung since the last wait, or is now, or at this time. */
  async wait(until: number): Promise<void> {
    const cancel = this.#clock.timer(Math.max(0, until - this.#clock.now()), () => this.ring());
    await this.#rung.promise;
    cancel();
    this.#rung = Promise.withResolvers();
  }
}

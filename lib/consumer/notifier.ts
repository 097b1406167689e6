import type { Clock } from './clock.ts';

/** What a loop waits for: that something has changed, or that a time has come. */
export class Notifier {
  readonly #clock: Clock;
  #changed = Promise.withResolvers<unknown>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something has changed that the loop should look at. */
  notify(): void {
    this.#changed.resolve(undefined);
  }

  /** Settles when `notify` was called since the last wait, or is now, or at this time. */
  async wait(until: number): Promise<void> {
    const cancel = this.#clock.timer(Math.max(0, until - this.#clock.now()), () => this.notify());
    await this.#changed.promise;
    cancel();
    this.#changed = Promise.withResolvers();
  }
}

import type { Clock } from './clock.ts';

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

/** Work that is asked for any number of times, and done once when its moment comes. */
export class Coalesced {
  readonly #schedule: (work: () => void) => unknown;
  readonly #work: () => void;
  #isDue = false;

  /** @param schedule calls back at that moment: `setImmediate`, `queueMicrotask` */
  constructor(schedule: (work: () => void) => unknown, work: () => void) {
    this.#schedule = schedule;
    this.#work = work;
  }

  /** Asks for it. */
  ask(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#schedule(() => {
      this.#isDue = false;
      this.#work();
    });
  }
}

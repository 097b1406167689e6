/** Chooses the moment at which free places are filled. */
export class Filling {
  readonly #fill: () => void;
  readonly #refill: () => void;
  #isFillDue = false;
  #isRefillDue = false;

  constructor(fill: () => void, refill: () => void) {
    this.#fill = fill;
    this.#refill = refill;
  }

  /** Once what is to be sent to the server has left: it works on that while attempts begin and end. */
  onceSent(): void {
    if (this.#isFillDue) return;
    this.#isFillDue = true;
    setImmediate(() => {
      this.#isFillDue = false;
      this.#fill();
    });
  }

  /** Once all attempts that end together have ended. */
  onceEnded(): void {
    if (this.#isRefillDue) return;
    this.#isRefillDue = true;
    queueMicrotask(() => {
      this.#isRefillDue = false;
      this.#refill();
    });
  }
}

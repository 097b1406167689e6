/**
 * The time since a moment, by the clock that shows more: the monotonic clock may stand still while a container is
 * frozen, and the wall clock may be set back.
 *
 * @example
 * const age = new Stopwatch();
 * age.elapsedMs(); // 0 or little more
 */
export class Stopwatch {
  readonly #monotonic = performance.now();
  readonly #wall = Date.now();

  elapsedMs(): number {
    return Math.max(performance.now() - this.#monotonic, Date.now() - this.#wall);
  }
}

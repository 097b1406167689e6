/** Something that must have ended by its time. */
interface Timeout {
  /** On the monotonic clock, in milliseconds. */
  readonly at: number;
  readonly onTimeout: () => void;
}

/**
 * Timeouts of the commands of a connection, under one timer: almost all commands end long before, and setting and
 * clearing a timer for each would cost more than writing it. The timer keeps no process alive.
 *
 * @example
 * const timeout = timeouts.add(performance.now() + 5000, () => socket.destroy());
 * timeouts.clear(timeout);
 */
export class Timeouts {
  readonly #pending = new Set<Timeout>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires: with the first timeout that was pending then, or before. */
  #firesAt = Infinity;

  /** Calls back at this moment, on the monotonic clock in milliseconds, unless it is cleared before. */
  add(at: number, onTimeout: () => void): Timeout {
    const timeout = { at, onTimeout };
    this.#pending.add(timeout);
    if (at < this.#firesAt) this.#setTimer(at);
    return timeout;
  }

  clear(timeout: Timeout): void {
    this.#pending.delete(timeout);
  }

  #setTimer(at: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = at;
    const ms = Math.max(1, Math.ceil(at - performance.now())); // Node warns of less, as after the process was stopped
    this.#timer = setTimeout(() => this.#fire(), ms).unref();
  }

  #fire(): void {
    const now = performance.now();
    this.#firesAt = Infinity;
    for (const timeout of this.#pending) {
      if (timeout.at > now) continue;
      this.#pending.delete(timeout);
      timeout.onTimeout();
    }
    let next = Infinity;
    for (const { at } of this.#pending) next = Math.min(next, at);
    if (next < this.#firesAt) this.#setTimer(next);
  }
}

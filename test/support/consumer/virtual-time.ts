import { setImmediate as settle } from 'node:timers/promises';
import type { Clock } from '#lib/consumer/clock.ts';

interface Timer {
  dueAt: number;
  callback: () => void;
}

/**
 * Turns of the event loop that are one moment: in one, the run sends what it has to say; in the others, it begins
 * attempts, four in each, which is enough for a concurrency of 60.
 */
const TURNS = 16;

/** Time that passes as fast as the program can take it. */
export class VirtualTime {
  now = 0;
  /** The earliest first; of one time, in the order in which they were set. */
  readonly #timers: Timer[] = [];

  /** A clock on this time. Once `stop` was called it never calls back again: its process is dead. */
  clock(): Clock & { stop(): void } {
    let isStopped = false;
    return {
      now: () => this.now,
      epochMs: () => this.now,
      timer: (ms, callback) => {
        let isCancelled = false;
        this.#push({ dueAt: this.now + ms, callback: () => void (isCancelled || isStopped || callback()) });
        return () => (isCancelled = true);
      },
      stop: () => (isStopped = true),
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#push({ dueAt: this.now + ms, callback: resolve }));
  }

  /** Lets time pass until this promise settles. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = promise.finally(() => (isSettled = true));
    settled.catch(() => {});
    for (;;) {
      for (let turn = 0; turn < TURNS; turn++) await settle();
      if (isSettled) return settled;
      const timer = this.#timers.shift();
      if (!timer) throw new Error('Nothing will ever happen again');
      this.now = timer.dueAt;
      timer.callback();
      while (this.#timers[0]?.dueAt === this.now) this.#timers.shift()!.callback();
    }
  }

  #push(timer: Timer): void {
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#timers[middle]!.dueAt <= timer.dueAt) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
  }
}

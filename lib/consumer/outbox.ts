import type { Clock } from './clock.ts';
import type { Group } from './group.ts';
import { idsOf, type Item, type Lanes } from './lanes.ts';

/** Outcomes are told to the server together, at the latest after so many milliseconds. */
const FLUSH_AFTER_MS = 3;

/** What the server has not been told yet. */
export class Outbox {
  readonly #group: Group;
  readonly #lanes: Lanes;
  readonly #clock: Clock;
  /** Taken by the target, not yet acknowledged. Their keys wait for that. */
  #taken: Item[] = [];
  /** Delivered, but not to be attempted soon. */
  #held: Item[] = [];
  /** When it must be flushed; Infinity while it is empty. */
  dueAt = Infinity;

  constructor({ group, lanes, clock }: { group: Group; lanes: Lanes; clock: Clock }) {
    this.#group = group;
    this.#lanes = lanes;
    this.#clock = clock;
  }

  get size(): number {
    return this.#taken.length + this.#held.length;
  }

  taken(item: Item): void {
    this.#taken.push(item);
  }

  hold(items: readonly Item[]): void {
    for (const item of items) this.#held.push(item);
  }

  /** Whether to flush now: in time, or because something is sent anyway. */
  isDue(now: number, isSending: boolean): boolean {
    if (this.size === 0) this.dueAt = Infinity;
    else if (this.dueAt === Infinity) this.dueAt = now + FLUSH_AFTER_MS;
    return this.size > 0 && (isSending || now >= this.dueAt);
  }

  /** Acknowledges what was taken; then, and not before, the next entries of those keys may go. */
  async flush(): Promise<void> {
    const [taken, held] = [this.#taken, this.#held];
    [this.#taken, this.#held] = [[], []];
    try {
      await Promise.all([
        taken.length > 0 ? this.#group.ack(idsOf(taken)) : undefined,
        held.length > 0 ? this.#group.giveBack(idsOf(held), 0, 0) : undefined,
      ]);
    } catch (error) {
      this.#taken = [...taken, ...this.#taken]; // acknowledging twice is harmless
      throw error;
    }
    const now = this.#clock.now();
    for (const item of taken) this.#lanes.done(item, now);
  }
}

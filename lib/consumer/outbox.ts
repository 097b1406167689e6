import type { Clock } from './clock.ts';
import type { Group } from './group/group.ts';
import { idsOf, type Item } from './item.ts';
import type { Lanes } from './lanes.ts';

/** Maximum delay before a flush, in milliseconds. */
const FLUSH_AFTER_MS = 3;

/** What the server must still hear: outcomes of attempts, and entries that were delivered but not attempted. */
export class Outbox {
  readonly #group: Group;
  readonly #lanes: Lanes;
  readonly #clock: Clock;
  /** Taken by the target, not yet acknowledged. Their keys wait for that. */
  #taken: Item[] = [];
  /** Failed, and still pending. */
  #failed = new Set<Item>();
  /** Delivered, but not to be attempted soon. */
  #held: Item[] = [];
  isFlushing = false;
  /** When it must be flushed; Infinity while it is empty. */
  dueAt = Infinity;

  constructor({ group, lanes, clock }: { group: Group; lanes: Lanes; clock: Clock }) {
    this.#group = group;
    this.#lanes = lanes;
    this.#clock = clock;
  }

  get size(): number {
    return this.#taken.length + this.#failed.size + this.#held.length;
  }

  /** Whether everything is written. */
  get isEmpty(): boolean {
    return this.size === 0 && !this.isFlushing;
  }

  taken(item: Item): void {
    this.#taken.push(item);
  }

  failed(item: Item): void {
    this.#failed.add(item);
  }

  hold(items: readonly Item[]): void {
    for (const item of items) this.#held.push(item);
  }

  /** Whether to flush now: in time, or because something is sent anyway. */
  isDue(now: number, isSending: boolean): boolean {
    if (this.size === 0) this.dueAt = Infinity;
    else if (this.dueAt === Infinity) this.dueAt = now + FLUSH_AFTER_MS;
    return this.size > 0 && !this.isFlushing && (isSending || now >= this.dueAt);
  }

  /** Acknowledges what was taken; then, and not before, the next entries of those keys may go. */
  async flush(): Promise<void> {
    const [taken, failed, held] = [this.#taken, [...this.#failed], this.#held];
    this.#taken = [];
    this.#failed.clear();
    this.#held = [];
    this.isFlushing = true;
    this.dueAt = Infinity;
    try {
      await Promise.all([
        taken.length > 0 ? this.#group.ack(taken) : undefined,
        failed.length > 0 ? this.#group.fail(failed.map((item) => this.#endOf(item))) : undefined,
        ...this.giveBack(held),
      ]);
    } catch (error) {
      this.#taken = [...taken, ...this.#taken]; // acknowledging twice is harmless
      throw error;
    } finally {
      this.isFlushing = false;
    }
    const now = this.#clock.now();
    for (const item of taken) this.#lanes.done(item, now);
  }

  /** Gives entries back as they were before they were delivered. */
  giveBack(items: readonly Item[]): Promise<void>[] {
    const byCount = Map.groupBy(items, ({ unended }) => unended);
    return Array.from(byCount, ([unended, alike]) => this.#group.giveBack(idsOf(alike), unended));
  }

  #endOf({ id, own, outages, dueAt }: Item) {
    const epochMs = dueAt - this.#clock.now() + this.#clock.epochMs();
    return { id, own, outages, dueAt: epochMs };
  }
}

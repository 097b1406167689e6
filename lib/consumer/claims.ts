import { sizeOf } from './entry.ts';
import type { IntakeParts } from './intake-parts.ts';
import { idsOf, type Item } from './item.ts';

/** Brings the bodies of pending entries to the run. */
export class Claims {
  readonly #parts: IntakeParts;
  isUnderWay = false;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Claims heads that failed before, up to a number, and others, up to a size. */
  async claimNext({
    takesFresh,
    failing,
    bytes,
  }: {
    takesFresh: boolean;
    failing: number;
    bytes: number;
  }): Promise<void> {
    this.isUnderWay = true;
    try {
      const { unclaimed } = this.#parts.lanes;
      const heads: Item[] = [];
      while (heads.length < failing && unclaimed.failing.size > 0) heads.push(unclaimed.failing.shift()!);
      const items: Item[] = [...heads];
      if (takesFresh) items.push(...this.#chooseFresh(bytes));
      await this.claim(items);
    } finally {
      this.isUnderWay = false;
    }
  }

  /** Heads that wait for their body, and for each some of those behind it, as far as memory allows. */
  #chooseFresh(bytes: number): Item[] {
    const { lanes, settings } = this.#parts;
    const queue = lanes.unclaimed.fresh;
    const each = Math.max(1, Math.floor(settings.batchSize / queue.size));
    const items: Item[] = [];
    let bytesLeft = bytes;
    while (queue.size > 0 && items.length < settings.batchSize && (bytesLeft > 0 || items.length === 0)) {
      let item = queue.shift();
      for (let n = 0; item && n < each && (n === 0 || bytesLeft > 0); n++, item = item.next) {
        if (n > 0 && (item.entry || item.dueAt > 0)) break;
        items.push(item);
        bytesLeft -= item.bytes;
      }
    }
    return items;
  }

  /** Delivers pending entries to this run. Returns those that still have a body. */
  async claim(items: readonly Item[], options?: { isAlone: boolean }): Promise<Item[]> {
    const { group, lanes, counts, clock } = this.#parts;
    const entries = await group.claim(idsOf(items), options);
    const now = clock.now();
    let at = 0;
    return items.filter((item) => {
      const entry = entries[at];
      if (entry?.id !== item.id) {
        counts.deleted++;
        lanes.done(item, now);
        return false;
      }
      at++;
      item.bytes ||= sizeOf(entry);
      if (item.isRecovered) counts.recovered++;
      item.isRecovered = false;
      lanes.arrived(item, entry, options?.isAlone);
      return true;
    });
  }
}

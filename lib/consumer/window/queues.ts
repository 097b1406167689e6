import type { PendingEntry } from './pending-entry.ts';

/** Number of free places at the front to remove at a time. */
const COMPACT_AT = 1024;

/** A first-in, first-out queue with constant cost. An entry may also leave from the middle. */
export class Fifo {
  #entries = listOfObjects<PendingEntry>();
  #at = 0;
  size = 0;

  /** The next entry, which stays. */
  get first(): PendingEntry | undefined {
    while (this.#at < this.#entries.length && this.#entries[this.#at]!.queue !== this) this.#at++; // it has left
    return this.#entries[this.#at];
  }

  push(pending: PendingEntry): void {
    pending.place = 'queued';
    pending.queue = this;
    this.size++;
    this.#entries.push(pending);
  }

  /** Removes the next entry. */
  shift(): PendingEntry | undefined {
    while (this.#at < this.#entries.length) {
      const pending = this.#entries[this.#at]!;
      if (++this.#at === this.#entries.length || this.#at === COMPACT_AT) {
        this.#entries = this.#entries.slice(this.#at);
        this.#at = 0;
      }
      if (pending.queue !== this) continue; // it has left
      pending.place = 'taken';
      this.leave(pending);
      return pending;
    }
    return undefined;
  }

  /** Removes an entry of this queue. */
  leave(pending: PendingEntry): void {
    pending.queue = undefined;
    this.size--;
  }
}

/** A binary heap: the entry that is due first comes first, with logarithmic cost. */
export class DueQueue {
  readonly #entries: PendingEntry[] = [];

  get first(): PendingEntry | undefined {
    return this.#entries[0];
  }

  push(pending: PendingEntry): void {
    const entries = this.#entries;
    let at = entries.push(pending) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && entries[parent]!.dueAt > pending.dueAt; parent = (at - 1) >> 1) {
      entries[at] = entries[parent]!;
      at = parent;
    }
    entries[at] = pending;
  }

  shift(): PendingEntry | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (!first || !last || first === last) return first;
    let at = 0;
    for (let child = 1; child < entries.length; child = 2 * at + 1) {
      if (child + 1 < entries.length && entries[child + 1]!.dueAt < entries[child]!.dueAt) child++;
      if (entries[child]!.dueAt >= last.dueAt) break;
      entries[at] = entries[child]!;
      at = child;
    }
    entries[at] = last;
    return first;
  }
}

/**
 * An empty list for a hot path. V8 treats `[]` as a list of small integers until it has other elements, and would
 * discard compiled code for lists of objects when the next run begins with one.
 */
export function listOfObjects<Element extends object>(): Element[] {
  const list: object[] = [{}];
  list.pop();
  return list as Element[];
}

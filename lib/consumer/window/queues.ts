import type { PendingEntry } from './pending-entry.ts';

/** Number of free places at the front to remove at a time. */
const COMPACT_AT = 1024;

/** A first-in, first-out queue with constant cost. An entry may also leave from the middle. */
export class Fifo<T extends PendingEntry = PendingEntry> {
  #entries = listOfObjects<T>();
  #at = 0;
  size = 0;

  /** The next entry, which stays. */
  get first(): T | undefined {
    while (this.#at < this.#entries.length && this.#entries[this.#at]!.queue !== this) this.#at++; // it has left
    return this.#entries[this.#at];
  }

  push(pending: T): void {
    pending.place = 'queued';
    pending.queue = this;
    this.size++;
    this.#entries.push(pending);
  }

  /** Removes the next entry. */
  shift(): T | undefined {
    const pending = this.first;
    if (!pending) return undefined;
    if (++this.#at === this.#entries.length || this.#at >= COMPACT_AT) {
      this.#entries = this.#entries.slice(this.#at);
      this.#at = 0;
    }
    pending.place = 'taken';
    this.leave(pending);
    return pending;
  }

  /** Removes an entry of this queue. */
  leave(pending: PendingEntry): void {
    pending.queue = undefined;
    this.size--;
  }
}

/** An entry in the heap, and the time for which it was put there: the entry may leave, and come back for a later one. */
interface Due {
  readonly pending: PendingEntry;
  readonly dueAt: number;
}

/** A binary heap: the entry that is due first comes first, with logarithmic cost. */
export class DueQueue {
  readonly #entries: Due[] = [];

  /** The next entry, which stays. */
  get first(): PendingEntry | undefined {
    for (;;) {
      const first = this.#entries[0];
      if (!first || (first.pending.place === 'delayed' && first.pending.dueAt === first.dueAt)) return first?.pending;
      this.#removeFirst(); // it has left
    }
  }

  push(pending: PendingEntry): void {
    pending.place = 'delayed';
    const { dueAt } = pending;
    const entries = this.#entries;
    const due = { pending, dueAt };
    let at = entries.push(due) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && entries[parent]!.dueAt > dueAt; parent = (at - 1) >> 1) {
      entries[at] = entries[parent]!;
      at = parent;
    }
    entries[at] = due;
  }

  /** Removes the next entry. */
  shift(): PendingEntry | undefined {
    const { first } = this;
    if (first) this.#removeFirst();
    return first;
  }

  #removeFirst(): void {
    const entries = this.#entries;
    const last = entries.pop()!;
    if (entries.length === 0) return;
    let at = 0;
    for (let child = 1; child < entries.length; child = 2 * at + 1) {
      if (child + 1 < entries.length && entries[child + 1]!.dueAt < entries[child]!.dueAt) child++;
      if (entries[child]!.dueAt >= last.dueAt) break;
      entries[at] = entries[child]!;
      at = child;
    }
    entries[at] = last;
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

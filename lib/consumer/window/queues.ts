import type { PendingEntry } from './pending-entry.ts';

/** Number of empty positions at the front to remove at a time. */
const COMPACT_AT = 1024;

/** A first-in, first-out queue with constant cost. An entry may also leave from the middle. */
export class Fifo<T extends PendingEntry = PendingEntry> {
  #entries = listOfObjects<T>();
  #firstIndex = 0;
  size = 0;

  /** The next entry, which stays. */
  get first(): T | undefined {
    while (this.#firstIndex < this.#entries.length && this.#entries[this.#firstIndex]!.queue !== this)
      this.#firstIndex++; // it has left
    return this.#entries[this.#firstIndex];
  }

  push(pending: T): void {
    pending.stage = 'queued';
    pending.queue = this;
    this.size++;
    this.#entries.push(pending);
  }

  /** Removes the next entry. */
  shift(): T | undefined {
    const pending = this.first;
    if (!pending) return undefined;
    if (++this.#firstIndex === this.#entries.length || this.#firstIndex >= COMPACT_AT) {
      this.#entries = this.#entries.slice(this.#firstIndex);
      this.#firstIndex = 0;
    }
    pending.stage = 'inProgress';
    this.leave(pending);
    return pending;
  }

  /** Removes an entry of this queue. */
  leave(pending: PendingEntry): void {
    pending.queue = undefined;
    this.size--;
  }
}

/**
 * An entry in the heap, and the time for which it was put there: the entry may leave, and come back for a later one.
 */
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
      if (!first || (first.pending.stage === 'delayed' && first.pending.dueAt === first.dueAt)) return first?.pending;
      this.#removeFirst(); // it has left
    }
  }

  push(pending: PendingEntry): void {
    pending.stage = 'delayed';
    const { dueAt } = pending;
    const entries = this.#entries;
    const due = { pending, dueAt };
    let index = entries.push(due) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && entries[parent]!.dueAt > dueAt; parent = (index - 1) >> 1) {
      entries[index] = entries[parent]!;
      index = parent;
    }
    entries[index] = due;
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
    let index = 0;
    for (let child = 1; child < entries.length; child = 2 * index + 1) {
      if (child + 1 < entries.length && entries[child + 1]!.dueAt < entries[child]!.dueAt) child++;
      if (entries[child]!.dueAt >= last.dueAt) break;
      entries[index] = entries[child]!;
      index = child;
    }
    entries[index] = last;
  }
}

/**
 * An empty list for a hot path. V8 treats `[]` as a list of small integers until it has other elements, and would
 * discard compiled code for lists of objects when the next run begins with one.
 */
function listOfObjects<Element extends object>(): Element[] {
  const list: object[] = [{}];
  list.pop();
  return list as Element[];
}

import type { Entry } from './entry.ts';
import { Queue } from './queue.ts';

/** An entry on its way. */
export interface Item {
  readonly id: string;
  /** Its body, once it was delivered to this run; absent while it only waits. */
  entry: Entry | undefined;
  /** By the server's count, the present one included where `entry` is there. */
  deliveries: number;
  /** Not to be attempted before. */
  dueAt: number;
  /** Whether an earlier run left it pending, and this one has not taken it up yet. */
  isRecovered: boolean;
  /** How often a run ended without a word while it was the only one under way; undefined where that is no matter. */
  diedAlone: number | undefined;
  /** Set when it is added. */
  lane: Lane;
  next: Item | undefined;
}

/** An entry that was just read. */
export function freshItem(entry: Entry): Item {
  return makeItem(entry.id, entry, 1, 0, undefined);
}

/**
 * An entry that an earlier run left pending.
 *
 * @param diedAlone given for an entry that may have ended its runs, and is to be tried alone
 */
export function pendingItem(id: string, deliveries: number, dueAt: number, diedAlone?: number): Item {
  return makeItem(id, undefined, deliveries, dueAt, diedAlone);
}

/** One literal for all, so that they have one shape on the hot path. */
function makeItem(
  id: string,
  entry: Entry | undefined,
  deliveries: number,
  dueAt: number,
  diedAlone: number | undefined,
): Item {
  return { id, entry, deliveries, dueAt, isRecovered: !entry, diedAlone, lane: undefined!, next: undefined };
}

export const idsOf = (items: readonly Item[]): string[] => items.map(({ id }) => id);

/** The entries of one key, in the order of the stream. Only its head moves. */
export interface Lane {
  readonly key: string;
  head: Item;
  tail: Item;
  /** Whether the head waits for a later attempt, so that all behind it wait too. */
  isBlocked: boolean;
}

/**
 * A window over the stream, ordered by key: entries of different keys overtake each other, entries of one key never do.
 * Costs the same for one key and for many.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** Heads with a body: an attempt may start. */
  readonly #ready = new Queue<Item>();
  /** Heads without: they must be claimed first. */
  readonly #unclaimed = new Queue<Item>();
  /** Heads that must be tried alone. */
  readonly #suspects = new Queue<Item>();
  /** Heads that wait, the latest first. */
  readonly #delayed: Item[] = [];
  /** All entries in the window. */
  size = 0;
  /** Those whose bodies are kept while they wait for their attempt. */
  buffered = 0;

  get ready(): number {
    return this.#ready.size;
  }

  get unclaimed(): number {
    return this.#unclaimed.size;
  }

  get suspects(): number {
    return this.#suspects.size;
  }

  /** When the first of the waiting heads is due; Infinity when none waits. */
  get nextDueAt(): number {
    return this.#delayed.at(-1)?.dueAt ?? Infinity;
  }

  /** Appends an entry to those of its key. */
  add(key: string, item: Item, now: number): void {
    this.size++;
    if (item.entry) this.buffered++;
    const lane = this.#lanes.get(key);
    if (lane) {
      item.lane = lane;
      lane.tail = lane.tail.next = item;
      return;
    }
    item.lane = { key, head: item, tail: item, isBlocked: false };
    this.#lanes.set(key, item.lane);
    this.#advance(item.lane, now);
  }

  /** Takes the next entry to attempt. */
  takeReady(): Item | undefined {
    const item = this.#ready.shift();
    if (item) this.buffered--;
    return item;
  }

  /** Takes the next entry to claim; `claimed` brings it back. */
  takeUnclaimed(): Item | undefined {
    return this.#unclaimed.shift();
  }

  /** Takes the next entry to try alone. */
  takeSuspect(): Item | undefined {
    return this.#suspects.shift();
  }

  /** An entry that was claimed may be attempted. */
  claimed(item: Item): void {
    this.buffered++;
    this.#ready.push(item);
  }

  /** The head of its lane has left the group: the next of its key may go. */
  done({ lane, next }: Item, now: number): void {
    this.size--;
    if (!next) {
      this.#lanes.delete(lane.key);
      return;
    }
    lane.head = next;
    this.#advance(lane, now);
  }

  /**
   * The head of its lane stays pending and is due again later. Returns those behind it whose bodies are dropped,
   * because they will wait for long.
   */
  defer(item: Item, dueAt: number): Item[] {
    item.entry = undefined;
    item.dueAt = dueAt;
    this.#delay(item);
    const held: Item[] = [];
    for (let behind = item.next; behind; behind = behind.next) if (this.hold(behind)) held.push(behind);
    return held;
  }

  /** Drops the body of an entry that must wait behind a blocked head. Returns whether it had one. */
  hold(item: Item): boolean {
    if (!item.entry || !item.lane.isBlocked || item.lane.head === item) return false;
    item.entry = undefined;
    item.deliveries--;
    item.dueAt = 0;
    this.buffered--;
    return true;
  }

  /** Moves on the heads whose time has come. */
  wake(now: number): void {
    while (this.nextDueAt <= now) this.#advance(this.#delayed.pop()!.lane, now);
  }

  /** Takes all entries out whose attempt has not begun, and that were delivered to this run. */
  takeUnstarted(): Item[] {
    const items: Item[] = [];
    for (let item = this.#ready.shift(); item; item = this.#ready.shift()) items.push(item);
    for (const { head } of this.#lanes.values()) {
      for (let item = head.next; item; item = item.next) if (item.entry) items.push(item);
    }
    this.buffered = 0;
    return items;
  }

  #advance(lane: Lane, now: number): void {
    const { head } = lane;
    lane.isBlocked = false;
    if (head.entry) this.#ready.push(head);
    else if (head.dueAt <= now) (head.diedAlone === undefined ? this.#unclaimed : this.#suspects).push(head);
    else this.#delay(head);
  }

  #delay(item: Item): void {
    item.lane.isBlocked = true;
    let [low, high] = [0, this.#delayed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#delayed[middle]!.dueAt > item.dueAt) low = middle + 1;
      else high = middle;
    }
    this.#delayed.splice(low, 0, item);
  }
}

import type { Entry } from './entry.ts';
import { Heap } from './heap.ts';
import { isFailing, type Item, type Lane } from './item.ts';
import { ItemQueue } from './item-queue.ts';

/** A key with so many entries in view is kept from taking more than its share. */
const HOT_FROM = 1000;

/**
 * How a ready head is treated: `fresh` ones go first; `failing` ones (from their second attempt on) and `hot` ones (heads
 * of very long lanes) get a share.
 */
export type Kind = 'fresh' | 'failing' | 'hot';

export interface LanesOptions {
  /** Heads with so many deliveries whose end nobody wrote are tried alone. */
  readonly suspectFrom: number;
  /** What bodies take in all, of other shards too. */
  readonly bodies: { bytes: number };
}

/**
 * A window over a stream, ordered by key: entries of different keys overtake each other, entries of one key never do.
 * Within a lane, entries with bodies come before those without, so a body never waits behind an entry that must still
 * be claimed.
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Heads with a body: an attempt may start. */
  readonly ready: Record<Kind, ItemQueue> = {
    fresh: new ItemQueue(),
    failing: new ItemQueue(),
    hot: new ItemQueue(),
  };
  /** Heads without: they must be claimed first. Those that failed before are claimed only as their turn comes. */
  readonly unclaimed = { fresh: new ItemQueue(), failing: new ItemQueue() };
  /** Heads that must be tried alone. */
  readonly suspects = new ItemQueue();
  /** Heads that wait for their time. */
  readonly #delayed = new Heap<Item>();
  /** All entries in the window. */
  size = 0;
  /** Those with a body, and what bodies take. */
  buffered = 0;
  #bytes = 0;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Heads that an attempt may start with, of all kinds. */
  get readySize(): number {
    return this.ready.fresh.size + this.ready.failing.size + this.ready.hot.size;
  }

  /** When the first of the waiting heads is due; Infinity when none waits. */
  get nextDueAt(): number {
    while (this.#delayed.first && this.#delayed.first.place !== 'delayed') this.#delayed.shift();
    return this.#delayed.first?.dueAt ?? Infinity;
  }

  /** Whether an entry of this key would wait without a body: behind one that has none, or that failed. */
  isWaiting(key: string): boolean {
    const lane = this.#lanes.get(key);
    return lane !== undefined && (lane.tail.entry === undefined || lane.head.place === 'delayed');
  }

  /** Whether entries of this key are in view. */
  has(key: string): boolean {
    return this.#lanes.has(key);
  }

  /** Appends an entry to those of its key. */
  add(key: string, item: Item, now: number): void {
    this.size++;
    if (item.entry) this.#keep(item);
    const lane = this.#lanes.get(key);
    if (lane) {
      lane.size++;
      item.lane = lane;
      lane.tail = lane.tail.next = item;
      return;
    }
    item.lane = { key, head: item, tail: item, size: 1 };
    this.#lanes.set(key, item.lane);
    this.#advance(item, now);
  }

  /** An entry was delivered to this run; one that is tried alone stands in no queue. */
  arrived(item: Item, entry: Entry, isAlone = false): void {
    item.queue?.leave(item); // those before it were deleted, and it came to the head
    item.entry = entry;
    this.#keep(item);
    if (item.lane.head === item && !isAlone) this.#makeReady(item);
  }

  /** An entry has left the group, from whatever place: the next of its key may go. */
  done(item: Item, now: number): void {
    this.drop(item);
    item.queue?.leave(item);
    item.place = 'gone';
    this.size--;
    const { lane, next } = item;
    lane.size--;
    if (lane.head !== item) return this.#unlink(item);
    item.next = undefined; // else an old one keeps all later ones from the young generation's garbage collection
    if (!next) return void this.#lanes.delete(lane.key);
    lane.head = next;
    this.#advance(next, now);
  }

  /** An entry that was attempted stays pending and is due again later. Returns those behind it whose bodies are dropped. */
  defer(item: Item, dueAt: number): Item[] {
    this.drop(item);
    item.dueAt = dueAt;
    if (item.lane.head === item) this.#delay(item);
    return this.dropBehind(item);
  }

  /** Drops the bodies behind an entry of its lane. Returns those that had one. */
  dropBehind(item: Item): Item[] {
    const dropped: Item[] = [];
    for (let behind = item.next; behind?.entry; behind = behind.next) {
      this.drop(behind);
      dropped.push(behind);
    }
    return dropped;
  }

  /** Forgets the body of an entry. */
  drop(item: Item): void {
    if (!item.entry) return;
    item.entry = undefined;
    this.buffered--;
    this.#weigh(-item.bytes);
  }

  /** Forgets all bodies: the window is of no use any more. */
  close(): void {
    this.#weigh(-this.#bytes);
  }

  /** Takes a head out from wherever it waits. */
  take(item: Item): void {
    item.queue?.leave(item);
    item.place = 'taken';
  }

  /** Moves on the heads whose time has come. */
  wake(now: number): void {
    while (this.nextDueAt <= now) this.#advance(this.#delayed.shift()!, now);
  }

  /** All entries that were delivered to this run and whose attempt has not begun, without their bodies. */
  takeUnstarted(): Item[] {
    const items: Item[] = [];
    for (const { head } of this.#lanes.values()) {
      for (let item: Item | undefined = head; item; item = item.next) {
        if (!item.entry || item.place === 'taken') continue;
        this.drop(item);
        items.push(item);
      }
    }
    return items;
  }

  #keep(item: Item): void {
    this.buffered++;
    this.#weigh(item.bytes);
  }

  #weigh(bytes: number): void {
    this.#bytes += bytes;
    this.#options.bodies.bytes += bytes;
  }

  #advance(item: Item, now: number): void {
    if (item.dueAt > now) this.#delay(item);
    else if (item.unended >= this.#options.suspectFrom) this.suspects.push(item);
    else if (item.entry) this.#makeReady(item);
    else (isFailing(item) ? this.unclaimed.failing : this.unclaimed.fresh).push(item);
  }

  #makeReady(item: Item): void {
    this.ready[isFailing(item) ? 'failing' : item.lane.size >= HOT_FROM ? 'hot' : 'fresh'].push(item);
  }

  #delay(item: Item): void {
    item.place = 'delayed';
    this.#delayed.push(item);
  }

  #unlink(item: Item): void {
    let before = item.lane.head;
    while (before.next !== item) before = before.next!;
    before.next = item.next;
    if (item.lane.tail === item) item.lane.tail = before;
  }
}

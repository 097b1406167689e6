import { compareIds } from '#lib/core/entry-id.ts';
import type { Entry } from '../entry.ts';
import { isFailing, isLoaded, type KeyQueue, type LoadedEntry, type PendingEntry } from './pending-entry.ts';
import { DueQueue, Fifo } from './queues.ts';

/** A key with this many known entries may take only its share. */
export const HOT_FROM = 1000;

/**
 * The kind of a ready head: `fresh` ones go first; `failing` ones (from their second attempt on) and `hot` ones (heads
 * of very long queues) get a share.
 */
export type Kind = 'fresh' | 'failing' | 'hot';

/** A body that is on its way takes its size twice: as it came, and as text. */
const COPIES_COMING = 2;

/** The bytes of bodies over all windows of a run. Each window adds and removes its own. */
export class BodyBudget {
  readonly limit: number;
  /** Loaded bodies. */
  used = 0;
  /** Bodies that requests in flight ask for, as far as their size is known. */
  coming = 0;

  /** @param limit in bytes */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether no body is loaded, and none is on its way. */
  get isUnused(): boolean {
    return this.used + this.coming <= 0;
  }

  get left(): number {
    return this.limit - this.used - this.coming * COPIES_COMING;
  }
}

/**
 * The pending entries of a shard, ordered by key: entries of different keys may overtake each other, entries of one key
 * never do. Within a key, entries with bodies come before those without, so a body never waits behind an entry that
 * must still be claimed.
 */
export class KeyOrder {
  readonly #budget: BodyBudget;
  readonly #suspectFrom: number;
  readonly #keys = new Map<string, KeyQueue>();
  /** Heads with a body, whose attempt may start. */
  readonly ready: Record<Kind, Fifo<LoadedEntry>> = { fresh: new Fifo(), failing: new Fifo(), hot: new Fifo() };
  /**
   * Heads without a body, which must be claimed first. Those that failed before are claimed only when their turn comes.
   */
  readonly unclaimed = { fresh: new Fifo(), failing: new Fifo() };
  /** Heads that need an isolated attempt. */
  readonly suspects = new Fifo();
  /** Heads that wait for their time. */
  readonly #delayed = new DueQueue();
  /** Entries in progress, by their ids, that the group delivers again: an operator has moved it back. */
  readonly #replaced = new Map<string, PendingEntry>();
  /** Number of known entries. */
  size = 0;
  /** Number of loaded bodies. */
  buffered = 0;
  /** Those of them whose attempt has not begun. */
  waiting = 0;
  #bytes = 0;
  #isClosed = false;

  /** @param suspectFrom from this many unconfirmed deliveries on, a head is a suspect */
  constructor(budget: BodyBudget, suspectFrom: number) {
    this.#budget = budget;
    this.#suspectFrom = suspectFrom;
  }

  /** Number of ready heads, of all kinds. */
  get readySize(): number {
    return this.ready.fresh.size + this.ready.failing.size + this.ready.hot.size;
  }

  /** When the first waiting head is due; Infinity if none waits. */
  get nextDueAt(): number {
    return this.#delayed.first?.dueAt ?? Infinity;
  }

  /** Whether a new entry of this key would wait without a body: behind one without a body, or one that failed. */
  isWaiting(key: string): boolean {
    const queue = this.#keys.get(key);
    return queue !== undefined && (queue.tail.body === undefined || queue.head.stage === 'delayed');
  }

  /** Whether entries of this key are known. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Appends an entry to those of its key. */
  add(key: string, pending: PendingEntry, now: number): void {
    this.size++;
    const replaced = this.#replaced.get(pending.id);
    if (replaced) replaced.isRedelivered = true;
    if (pending.body) this.#keep(pending);
    const queue = this.#keys.get(key);
    if (queue) {
      queue.size++;
      pending.keyQueue = queue;
      queue.tail = queue.tail.next = pending;
      return;
    }
    pending.keyQueue = { key, head: pending, tail: pending, size: 1 };
    this.#keys.set(key, pending.keyQueue);
    this.#advance(pending, now);
  }

  /** The body of an entry has arrived. The entry of an isolated attempt is in no queue. */
  arrived(pending: PendingEntry, body: Entry, isIsolated: boolean): void {
    if (pending.body || pending.stage === 'removed') return;
    const loaded = Object.assign(pending, { body });
    this.#keep(pending);
    if (pending.keyQueue.head !== pending || isIsolated || pending.queue === this.suspects) return;
    pending.queue?.leave(pending); // earlier ones were deleted, so it became the head
    this.#makeReady(loaded);
  }

  /** An entry has left the group; the next one of its key may go. */
  done(pending: PendingEntry, now: number): void {
    if (pending.stage === 'removed') return;
    this.drop(pending);
    pending.queue?.leave(pending);
    pending.stage = 'removed';
    this.size--;
    if (this.#replaced.get(pending.id) === pending) this.#replaced.delete(pending.id);
    const { keyQueue, next } = pending;
    keyQueue.size--;
    if (keyQueue.head !== pending) return unlink(pending);
    // otherwise an old entry keeps later ones out of the young generation's garbage collection
    pending.next = undefined;
    if (!next) return void this.#keys.delete(keyQueue.key);
    keyQueue.head = next;
    if (next.stage !== 'inProgress') this.#advance(next, now); // otherwise its result is on its way
  }

  /** An attempted entry stays pending and is due later. Returns the entries behind it whose bodies are dropped. */
  defer(pending: PendingEntry, dueAt: number): PendingEntry[] {
    this.drop(pending);
    pending.isAttempted = false;
    pending.dueAt = dueAt;
    pending.stage = 'behind';
    if (pending.keyQueue.head === pending) this.#delayed.push(pending);
    return this.#dropBehind(pending);
  }

  drop(pending: PendingEntry): void {
    if (!pending.body) return;
    pending.body = undefined;
    this.buffered--;
    if (!pending.isAttempted) this.waiting--;
    this.#weigh(-pending.bytes);
  }

  /** Drops all bodies; later ones are not counted. */
  close(): void {
    this.#weigh(-this.#bytes);
    this.#isClosed = true;
  }

  /** An entry is given up: its dead letter is on its way. Those behind it in its batch may start again. */
  giveUp(pending: PendingEntry): void {
    this.take(pending);
    for (let behind = pending.next; behind?.isAttempted; behind = behind.next) this.#neverBegan(behind);
  }

  /** Takes a head out of its queue. */
  take(pending: PendingEntry): void {
    pending.queue?.leave(pending);
    pending.stage = 'inProgress';
  }

  /** Moves on the heads whose time has come. */
  wake(now: number): void {
    while (this.nextDueAt <= now) this.#advance(this.#delayed.shift()!, now);
  }

  /** An attempt of a head begins, or of an entry behind it in the same batch. */
  begin(pending: PendingEntry): void {
    pending.stage = 'inProgress';
    pending.isAttempted = true;
    if (pending.body) this.waiting--;
  }

  /** An attempt of this entry began and never reached the target: it may start again. */
  putBack(pending: PendingEntry, now: number): void {
    if (pending.stage === 'removed') return;
    this.#neverBegan(pending);
    if (pending.keyQueue.head === pending) this.#advance(pending, now);
  }

  /** Drops the entries from this one on, but for those in progress: the group delivers all of them anew. */
  forgetFrom(id: string, now: number): void {
    for (const { head } of this.#keys.values()) {
      let next: PendingEntry | undefined;
      for (let pending: PendingEntry | undefined = head; pending; pending = next) {
        ({ next } = pending);
        if (compareIds(pending.id, id) < 0) continue;
        if (pending.stage === 'inProgress') this.#replace(pending);
        else this.done(pending, now);
      }
    }
  }

  /** Unloads all entries that were delivered to this run but not attempted, and returns them. No head stays ready. */
  unloadUnstarted(now: number): PendingEntry[] {
    const unstarted: PendingEntry[] = [];
    for (const { head } of this.#keys.values()) {
      for (let pending: PendingEntry | undefined = head; pending; pending = pending.next) {
        if (!pending.body || pending.stage === 'inProgress') continue;
        this.drop(pending);
        unstarted.push(pending);
        if (pending !== head) continue;
        pending.queue?.leave(pending);
        this.#advance(pending, now);
      }
    }
    return unstarted;
  }

  #neverBegan(pending: PendingEntry): void {
    pending.stage = 'behind';
    pending.isAttempted = false;
    if (pending.body) this.waiting++;
  }

  /** Whether an earlier delivery of it is in progress, whose acknowledgement takes it away for a moment. */
  isHeldUp(pending: PendingEntry): boolean {
    return (this.#replaced.get(pending.id) ?? pending) !== pending;
  }

  #replace(pending: PendingEntry): void {
    pending.isRedelivered = false; // if it was moved back once more, it has not come again yet
    this.#replaced.set(pending.id, pending);
  }

  /** Drops the bodies behind an entry of its key. Returns the entries that had one. */
  #dropBehind(pending: PendingEntry): PendingEntry[] {
    const dropped: PendingEntry[] = [];
    for (let behind = pending.next; behind?.body; behind = behind.next) {
      this.drop(behind);
      if (behind.isAttempted) this.#neverBegan(behind); // it was in the same batch
      dropped.push(behind);
    }
    return dropped;
  }

  #keep(pending: PendingEntry): void {
    this.buffered++;
    if (!pending.isAttempted) this.waiting++;
    this.#weigh(pending.bytes);
  }

  #weigh(bytes: number): void {
    if (this.#isClosed) return;
    this.#bytes += bytes;
    this.#budget.used += bytes;
  }

  #advance(pending: PendingEntry, now: number): void {
    if (pending.dueAt > now) this.#delayed.push(pending);
    else if (pending.unconfirmedDeliveries >= this.#suspectFrom) this.suspects.push(pending);
    else if (isLoaded(pending)) this.#makeReady(pending);
    else (isFailing(pending) ? this.unclaimed.failing : this.unclaimed.fresh).push(pending);
  }

  #makeReady(pending: LoadedEntry): void {
    const kind = isFailing(pending) ? 'failing' : pending.keyQueue.size >= HOT_FROM ? 'hot' : 'fresh';
    this.ready[kind].push(pending);
  }
}

function unlink(pending: PendingEntry): void {
  const { keyQueue } = pending;
  let before = keyQueue.head;
  while (before.next !== pending) before = before.next!;
  before.next = pending.next;
  if (keyQueue.tail === pending) keyQueue.tail = before;
}

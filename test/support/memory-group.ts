import { ConnectorError } from '../../lib/core/errors.ts';
import type { PendingEntry } from '../../lib/stream/commands/xpending.ts';
import type { Clock } from '../../lib/consumer/clock.ts';
import type { DeadLetter } from '../../lib/consumer/dead-letter.ts';
import type { Entry } from '../../lib/consumer/entry.ts';
import { LeaseLost, type Acquired, type Group, type Holder, type Progress } from '../../lib/consumer/group.ts';

interface Pending {
  entry: Entry;
  holder: string;
  deliveries: number;
  deliveredAt: number;
}

/** A stream with one consumer group, in memory: what a server would hold, and nothing of a connection. */
export class MemoryStream {
  /** Entries not yet delivered, from `next` on. */
  readonly entries: Entry[] = [];
  next = 0;
  /** In the order of the stream: what is delivered again keeps its place. */
  readonly pending = new Map<string, Pending>();
  readonly deadLetters: DeadLetter[] = [];
  lease: { token: object; until: number } | undefined;
  pausedUntil = 0;
  hasGroup = true;
  #added = 0;

  /** Appends an entry that was added at this time. */
  add(now: number, ...fields: string[]): string {
    const id = `${Math.floor(now)}-${++this.#added}`;
    this.entries.push({ id, fields });
    return id;
  }
}

/** A connection to such a stream. `call` stands for the way there and back: it may take time, or never return. */
export class MemoryGroup implements Group {
  readonly #stream: MemoryStream;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #call: <T>(deed: () => T) => Promise<T>;

  constructor(stream: MemoryStream, clock: Clock, leaseMs: number, call: <T>(deed: () => T) => Promise<T>) {
    this.#stream = stream;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#call = call;
  }

  acquire(): Promise<Acquired> {
    return this.#call(() => {
      const now = this.#clock.now();
      if (this.#stream.pausedUntil > now) return 'paused';
      if (this.#stream.lease && this.#stream.lease.until > now) return 'held';
      this.#stream.lease = { token: this, until: now + this.#leaseMs };
      return 'acquired';
    });
  }

  renew(): Promise<boolean> {
    return this.#call(() => {
      if (this.#holdsLease) this.#stream.lease!.until = this.#clock.now() + this.#leaseMs;
      return this.#holdsLease;
    });
  }

  release(pauseMs: number): Promise<void> {
    return this.#call(() => {
      if (!this.#holdsLease) return;
      this.#stream.lease = undefined;
      this.#stream.pausedUntil = this.#clock.now() + pauseMs;
    });
  }

  create(): Promise<boolean> {
    return this.#call(() => {
      const isNew = !this.#stream.hasGroup;
      if (isNew) [this.#stream.hasGroup, this.#stream.next] = [true, 0];
      return isNew;
    });
  }

  read(count: number): Promise<Entry[]> {
    return this.#call(() => {
      if (!this.#holdsLease || !this.#stream.hasGroup) throw noGroup();
      const entries = this.#stream.entries.slice(this.#stream.next, this.#stream.next + count);
      this.#stream.next += entries.length;
      for (const entry of entries) this.#deliver(entry, 'stream-consumer', 1);
      return entries;
    });
  }

  ack(ids: readonly string[]): Promise<void> {
    return this.#call(() => ids.forEach((id) => this.#stream.pending.delete(id)));
  }

  pendingAfter(id: string, count: number): Promise<PendingEntry[]> {
    return this.#call(() => {
      if (!this.#stream.hasGroup) throw noGroup();
      const now = this.#clock.now();
      const all = [...this.#stream.pending];
      const from = all.findIndex(([known]) => known === id) + 1;
      return all.slice(from, from + count).map(([id, { holder: consumer, deliveries, deliveredAt }]) => {
        return { id, consumer, idleMs: now - deliveredAt, deliveries };
      });
    });
  }

  peek(ids: readonly string[]): Promise<Entry[]> {
    return this.#call(() => ids.flatMap((id) => this.#stream.pending.get(id)?.entry ?? []));
  }

  claim(ids: readonly string[], holder: Holder): Promise<Entry[]> {
    return this.#call(() => {
      this.#checkLease();
      return ids.flatMap((id) => {
        const known = this.#stream.pending.get(id);
        if (!known) return [];
        this.#deliver(known.entry, holder, known.deliveries + 1);
        return known.entry;
      });
    });
  }

  giveBack(ids: readonly string[], deliveries: number, idleMs: number): Promise<void> {
    return this.#call(() => {
      this.#checkLease();
      for (const id of ids) {
        const known = this.#stream.pending.get(id);
        if (known) this.#deliver(known.entry, 'stream-consumer', deliveries, idleMs);
      }
    });
  }

  bury(letter: DeadLetter): Promise<boolean> {
    return this.#call(() => {
      this.#checkLease();
      const wasPending = this.#stream.pending.delete(letter.sourceId);
      if (wasPending) this.#stream.deadLetters.push(letter);
      return wasPending;
    });
  }

  progress(): Promise<Progress> {
    return this.#call(() => {
      const { pending, entries, next } = this.#stream;
      const [oldestId = null] = pending.keys();
      return { pending: pending.size, lag: entries.length - next, oldestId };
    });
  }

  trim(): Promise<number> {
    return this.#call(() => 0);
  }

  get #holdsLease(): boolean {
    const { lease } = this.#stream;
    return lease?.token === this && lease.until > this.#clock.now();
  }

  #checkLease(): void {
    if (!this.#holdsLease) throw new LeaseLost();
  }

  #deliver(entry: Entry, holder: string, deliveries: number, idleMs = 0): void {
    this.#stream.pending.set(entry.id, { entry, holder, deliveries, deliveredAt: this.#clock.now() - idleMs });
  }
}

function noGroup(): ConnectorError {
  return new ConnectorError('STREAM:COMMAND', 'No such group', { status: 404, upstreamCode: 'NOGROUP' });
}

import { ConnectorError } from '#lib/core/errors.ts';
import type { Clock } from '#lib/consumer/clock.ts';
import type { DeadLetter } from '#lib/consumer/dead-letters/letter.ts';
import { type Entry, orderingKeyOf, sizeOf } from '#lib/consumer/entry.ts';
import { LeaseLost, type Acquired, type Burial, type Buried, type Failed, type Group, type Leaving, type Look, type PendingPage, type Released } from '#lib/consumer/group/group.ts'; // prettier-ignore

interface Pending {
  entry: Entry;
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
  readonly failures = new Map<string, Omit<Failed, 'id'>>();
  readonly crashes = new Map<string, number>();
  alone: string | undefined;
  level = 0;
  lease: { token: object; until: number } | undefined;
  restUntil = 0;
  pausedUntil = 0;
  wakeUntil = 0;
  hasGroup = true;
  #added = 0;

  /** Appends an entry that was added at this time. */
  add(now: number, ...fields: string[]): string {
    const id = `${Math.floor(now)}-${++this.#added}`;
    this.entries.push({ id, fields, hasBytes: false });
    return id;
  }

  /** Days of entries would not fit the memory; delivered ones are pending or done. */
  forgetDelivered(): void {
    this.entries.splice(0, this.next);
    this.next = 0;
  }
}

/** What a run does to a stream, on its way there and back: it may take time, or never return. */
export type Call = <T>(work: () => T) => Promise<T>;

/** A connection to such a stream. */
export class MemoryGroup implements Group {
  readonly #stream: MemoryStream;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #call: Call;
  readonly #keyFields: readonly string[];

  constructor(stream: MemoryStream, clock: Clock, leaseMs: number, call: Call, keyFields: readonly string[] = ['key']) {
    this.#stream = stream;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#call = call;
    this.#keyFields = keyFields;
  }

  look(): Promise<Look> {
    return this.#call(() => {
      const { pending, entries, next, hasGroup, lease } = this.#stream;
      const now = this.#clock.now();
      const hasWork = pending.size > 0 || next < entries.length;
      const state =
        this.#stream.pausedUntil > now ? 'paused'
        : lease && lease.until > now ? 'held'
        : this.#stream.restUntil > now ? 'resting'
        : !hasGroup ? 'missing'
        : hasWork ? 'work' : 'idle'; // prettier-ignore
      const sizes = { length: entries.length, deadLetters: this.#stream.deadLetters.length };
      if (!hasGroup) return { state, pending: 0, lag: 0, oldestId: null, unreadId: null, ...sizes };
      const [oldestId = null] = pending.keys();
      const unreadId = entries[next]?.id ?? null;
      return { state, pending: pending.size, lag: entries.length - next, oldestId, unreadId, ...sizes };
    });
  }

  acquire(): Promise<Acquired> {
    return this.#call(() => {
      const now = this.#clock.now();
      const stream = this.#stream;
      if (stream.pausedUntil > now) return notAcquired('paused');
      if (stream.restUntil > now) return notAcquired('resting');
      if (stream.lease && stream.lease.until > now) return notAcquired('held');
      stream.lease = { token: this, until: now + this.#leaseMs };
      stream.wakeUntil = 0;
      if (stream.alone) stream.crashes.set(stream.alone, (stream.crashes.get(stream.alone) ?? 0) + 1);
      stream.alone = undefined;
      return {
        outcome: 'acquired',
        level: stream.level,
        hasGroup: stream.hasGroup,
        firstRead: Math.max(1, Math.min(20, stream.entries.length - stream.next)),
      };
    });
  }

  renew(): Promise<'renewed' | 'paused' | 'lost'> {
    return this.#call(() => {
      if (!this.#holdsLease) return 'lost';
      const now = this.#clock.now();
      this.#stream.lease!.until = now + this.#leaseMs;
      return this.#stream.pausedUntil > now ? 'paused' : 'renewed';
    });
  }

  release({ isDrained, restMs }: { isDrained: boolean; restMs: number }): Promise<Released> {
    return this.#call(() => {
      if (!this.#holdsLease) return 'lost';
      const isUnread = this.#stream.hasGroup && this.#stream.next < this.#stream.entries.length;
      if (isUnread && isDrained) return 'unread';
      this.#stream.lease = undefined;
      if (restMs > 0) this.#stream.restUntil = this.#clock.now() + restMs;
      return isUnread ? 'released-unread' : 'released';
    });
  }

  rest(ms: number): Promise<void> {
    return this.#call(() => {
      const now = this.#clock.now();
      if (!this.#stream.lease || this.#stream.lease.until <= now) this.#stream.restUntil = now + ms;
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
      for (const entry of entries) this.#deliver(entry, 1);
      return entries;
    });
  }

  ack(items: readonly Leaving[]): Promise<void> {
    return this.#call(() => {
      for (const { id, hasState } of items) {
        this.#stream.pending.delete(id);
        if (hasState) this.#forget(id);
        if (hasState) this.#stream.alone = undefined;
      }
      this.#checkLease();
    });
  }

  forgetDeleted(): Promise<number> {
    return this.#call(() => {
      this.#checkLease();
      return 0; // it keeps the bodies of all pending entries
    });
  }

  survived(id: string): Promise<void> {
    return this.#call(() => {
      if (this.#stream.alone === id) this.#stream.alone = undefined;
      else this.#stream.crashes.set(id, Math.max(0, (this.#stream.crashes.get(id) ?? 0) - 1));
    });
  }

  lookUp(after: string, count: number): Promise<PendingPage> {
    return this.#call(() => {
      if (!this.#stream.hasGroup) throw noGroup();
      const now = this.#clock.now();
      const all = [...this.#stream.pending];
      const from = all.findIndex(([known]) => known === after) + 1;
      const rows = all.slice(from, from + count).map(([id, { entry, deliveries, deliveredAt }]) => {
        const { own = 0, outages = 0, dueAt = 0 } = this.#stream.failures.get(id) ?? {};
        const crashes = this.#stream.crashes.get(id) ?? 0;
        const key = orderingKeyOf(entry, this.#keyFields);
        const bytes = sizeOf(entry);
        return { id, key, bytes, idleMs: now - deliveredAt, unended: deliveries, own, outages, crashes, dueAt };
      });
      return { rows, isLast: from + count >= all.length };
    });
  }

  claim(ids: readonly string[], { isAlone } = { isAlone: false }): Promise<Entry[]> {
    return this.#call(() => {
      this.#checkLease();
      if (isAlone) this.#stream.alone = ids[0];
      return ids.flatMap((id) => {
        const known = this.#stream.pending.get(id);
        if (!known) return [];
        this.#deliver(known.entry, known.deliveries + 1);
        return known.entry;
      });
    });
  }

  giveBack(ids: readonly string[], unended: number): Promise<void> {
    return this.#call(() => {
      this.#checkLease();
      for (const id of ids) {
        const known = this.#stream.pending.get(id);
        if (known) this.#deliver(known.entry, unended);
      }
    });
  }

  fail(failed: readonly Failed[]): Promise<void> {
    return this.#call(() => {
      this.#checkLease();
      this.#stream.alone = undefined;
      for (const { id, ...end } of failed) {
        const known = this.#stream.pending.get(id);
        if (!known) continue;
        this.#deliver(known.entry, 0);
        this.#stream.failures.set(id, end);
      }
    });
  }

  bury(burials: readonly Burial[]): Promise<Buried[]> {
    return this.#call(() => {
      this.#checkLease();
      return burials.map(({ letter }) => {
        const wasPending = this.#stream.pending.delete(letter.sourceId);
        if (wasPending) this.#stream.deadLetters.push(letter);
        this.#forget(letter.sourceId);
        if (this.#stream.alone === letter.sourceId) this.#stream.alone = undefined;
        return wasPending ? 'buried' : 'not-pending';
      });
    });
  }

  setLevel(level: number): Promise<void> {
    return this.#call(() => {
      this.#checkLease();
      this.#stream.level = level;
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

  #forget(id: string): void {
    this.#stream.failures.delete(id);
    this.#stream.crashes.delete(id);
  }

  #deliver(entry: Entry, deliveries: number): void {
    this.#stream.pending.set(entry.id, { entry, deliveries, deliveredAt: this.#clock.now() });
  }
}

const notAcquired = (outcome: 'paused' | 'resting' | 'held'): Acquired => {
  return { outcome, level: 0, hasGroup: false, firstRead: 0 };
};

function noGroup(): ConnectorError {
  return new ConnectorError('STREAM:COMMAND', 'No such group', { status: 404, upstreamCode: 'NOGROUP' });
}

import { ConnectorError } from '#lib/core/errors.ts';
import type { Clock } from '#lib/consumer/clock.ts';
import type { DeadLetter } from '#lib/consumer/dead-letters/letter.ts';
import { type Entry, orderingKeyOf, sizeOf } from '#lib/consumer/entry.ts';
import {
  LeaseLost,
  type Acquired,
  type Asker,
  type Burial,
  type Buried,
  type FailureState,
  type Group,
  type LeavingEntry,
  type ShardStatus,
  type PendingPage,
  type Released,
  type Renewed,
} from '#lib/consumer/group/group.ts';

const ASKED_MS = 2000;

interface Pending {
  entry: Entry;
  deliveries: number;
  deliveredAt: number;
}

/** A stream with one consumer group, in memory: the server's state, without a connection. */
export class MemoryStream {
  /** Entries not yet delivered, from `next` on. */
  readonly entries: Entry[] = [];
  next = 0;
  /** In the order of the stream: an entry that is delivered again keeps its position. */
  readonly pending = new Map<string, Pending>();
  readonly deadLetters: DeadLetter[] = [];
  readonly failures = new Map<string, Omit<FailureState, 'id'>>();
  readonly crashes = new Map<string, number>();
  isolatedId: string | undefined;
  level = 0;
  lease: { token: MemoryGroup; until: number } | undefined;
  asked: { run: string; share: number; until: number } | undefined;
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

  /** Frees delivered entries, which are pending or done: days of them would not fit into memory. */
  forgetDelivered(): void {
    this.entries.splice(0, this.next);
    this.next = 0;
  }
}

/** Carries a run's call to the stream and back: it may take time, or never return. */
export type Call = <T>(work: () => T) => Promise<T>;

/** A connection to such a stream. */
export class MemoryGroup implements Group {
  readonly isOnCluster: boolean;
  readonly #stream: MemoryStream;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #call: Call;
  readonly #keyFields: readonly string[];
  readonly run: string;

  constructor(
    stream: MemoryStream,
    clock: Clock,
    leaseMs: number,
    call: Call,
    {
      keyFields = ['key'],
      run = 'run',
      isOnCluster = false,
    }: { keyFields?: readonly string[]; run?: string; isOnCluster?: boolean } = {},
  ) {
    this.isOnCluster = isOnCluster;
    this.run = run;
    this.#stream = stream;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#call = call;
    this.#keyFields = keyFields;
  }

  readStatus(): Promise<ShardStatus> {
    return this.#call(() => {
      const { pending, entries, next, hasGroup, lease } = this.#stream;
      const now = this.#clock.now();
      const hasWork = pending.size > 0 || next < entries.length;
      const state = this.#stateAt(now) ?? (!hasGroup ? 'missing' : hasWork ? 'work' : 'idle');
      const holder = lease && lease.until > now ? lease.token.run : undefined;
      const sizes = {
        holder,
        asker: this.#asker,
        length: entries.length,
        deadLetters: this.#stream.deadLetters.length,
        notes: 0,
      };
      if (!hasGroup) return { state, pending: 0, lag: 0, oldestId: null, unreadId: null, ...sizes };
      const [oldestId = null] = pending.keys();
      const unreadId = entries[next]?.id ?? null;
      return { state, pending: pending.size, lag: entries.length - next, oldestId, unreadId, ...sizes };
    });
  }

  /** Why no run may take the shard now. */
  #stateAt(now: number): 'paused' | 'held' | 'resting' | undefined {
    const { pausedUntil, restUntil, lease } = this.#stream;
    if (pausedUntil > now) return 'paused';
    if (lease && lease.until > now) return 'held';
    return restUntil > now ? 'resting' : undefined;
  }

  acquire(): Promise<Acquired> {
    return this.#call(() => {
      const now = this.#clock.now();
      const stream = this.#stream;
      if (stream.pausedUntil > now) return notAcquired('paused');
      if (stream.restUntil > now) return notAcquired('resting');
      if (stream.lease && stream.lease.until > now) return notAcquired('held');
      if (this.#asker) return notAcquired('asked');
      stream.asked = undefined;
      stream.lease = { token: this, until: now + this.#leaseMs };
      stream.wakeUntil = 0;
      if (stream.isolatedId) stream.crashes.set(stream.isolatedId, (stream.crashes.get(stream.isolatedId) ?? 0) + 1);
      stream.isolatedId = undefined;
      return {
        result: 'acquired',
        level: stream.level,
        hasGroup: stream.hasGroup,
        firstRead: firstReadOf(stream.entries.slice(stream.next, stream.next + 20)),
      };
    });
  }

  renew(): Promise<Renewed> {
    return this.#call(() => {
      if (!this.#holdsLease) return { result: 'lost' };
      const now = this.#clock.now();
      this.#stream.lease!.until = now + this.#leaseMs;
      return { result: this.#stream.pausedUntil > now ? 'paused' : 'renewed', asker: this.#asker };
    });
  }

  ask(share: number): Promise<void> {
    return this.#call(() => {
      const { lease } = this.#stream;
      const now = this.#clock.now();
      if (lease && lease.until > now && !this.#asker)
        this.#stream.asked = { run: this.run, share, until: now + ASKED_MS };
    });
  }

  withdraw(): Promise<void> {
    return this.#call(() => {
      if (this.#stream.asked?.run === this.run) this.#stream.asked = undefined;
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

  startRest(ms: number): Promise<void> {
    return this.#call(() => {
      const now = this.#clock.now();
      if (!this.#stream.lease || this.#stream.lease.until <= now) this.#stream.restUntil = now + ms;
    });
  }

  create(): Promise<boolean> {
    return this.#call(() => {
      const isNew = !this.#stream.hasGroup;
      if (isNew) {
        this.#stream.hasGroup = true;
        this.#stream.next = 0;
      }
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

  ack(items: readonly LeavingEntry[]): Promise<void> {
    return this.#call(() => {
      for (const { id, hasState } of items) {
        this.#stream.pending.delete(id);
        if (hasState) this.#forget(id);
        if (hasState) this.#stream.isolatedId = undefined;
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
      if (this.#stream.isolatedId === id) this.#stream.isolatedId = undefined;
      else this.#stream.crashes.set(id, Math.max(0, (this.#stream.crashes.get(id) ?? 0) - 1));
    });
  }

  listPending(after: string, count: number): Promise<PendingPage> {
    return this.#call(() => {
      if (!this.#stream.hasGroup) throw noGroup();
      const now = this.#clock.now();
      const all = [...this.#stream.pending];
      const from = all.findIndex(([known]) => known === after) + 1;
      const rows = all.slice(from, from + count).map(([id, { entry, deliveries, deliveredAt }]) => {
        const { entryFailures = 0, targetFailures = 0, dueAt = 0 } = this.#stream.failures.get(id) ?? {};
        const crashes = this.#stream.crashes.get(id) ?? 0;
        const key = orderingKeyOf(entry, this.#keyFields);
        const bytes = sizeOf(entry);
        return {
          id,
          key,
          bytes,
          idleMs: now - deliveredAt,
          unconfirmedDeliveries: deliveries,
          entryFailures,
          targetFailures,
          crashes,
          dueAt,
        };
      });
      return { rows, isLast: from + count >= all.length };
    });
  }

  claim(ids: readonly string[], { isIsolated } = { isIsolated: false }): Promise<Entry[]> {
    return this.#call(() => {
      this.#checkLease();
      if (isIsolated) this.#stream.isolatedId = ids[0];
      return ids.flatMap((id) => {
        const known = this.#stream.pending.get(id);
        if (!known) return [];
        this.#deliver(known.entry, known.deliveries + 1);
        return known.entry;
      });
    });
  }

  restore(ids: readonly string[]): Promise<void> {
    return this.#call(() => {
      this.#checkLease();
      const { entries, next, pending } = this.#stream;
      const delivered = entries.slice(0, next).filter(({ id }) => ids.includes(id) && !pending.has(id));
      for (const entry of delivered) this.#deliver(entry, 1);
    });
  }

  giveBack(ids: readonly string[], unconfirmedDeliveries: number): Promise<string[]> {
    return this.#call(() => {
      this.#checkLease();
      for (const id of ids) {
        const known = this.#stream.pending.get(id);
        if (known) this.#deliver(known.entry, unconfirmedDeliveries);
      }
      return ids.filter((id) => !this.#stream.pending.has(id));
    });
  }

  fail(failed: readonly FailureState[]): Promise<string[]> {
    return this.#call(() => {
      this.#checkLease();
      this.#stream.isolatedId = undefined;
      for (const { id, ...end } of failed) {
        const known = this.#stream.pending.get(id);
        if (!known) continue;
        this.#deliver(known.entry, 0);
        this.#stream.failures.set(id, end);
      }
      return failed.flatMap(({ id }) => (this.#stream.pending.has(id) ? [] : id));
    });
  }

  bury(burials: readonly Burial[]): Promise<Buried[]> {
    return this.#call(() => {
      this.#checkLease();
      return burials.map(({ letter }) => {
        const wasPending = this.#stream.pending.delete(letter.sourceId);
        if (wasPending) this.#stream.deadLetters.push(letter);
        this.#forget(letter.sourceId);
        if (this.#stream.isolatedId === letter.sourceId) this.#stream.isolatedId = undefined;
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

  /** Another run that asks for the shard. */
  get #asker(): Asker | undefined {
    const { asked } = this.#stream;
    if (!asked || asked.until <= this.#clock.now() || asked.run === this.run) return undefined;
    return { run: asked.run, share: asked.share };
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

const notAcquired = (result: 'paused' | 'resting' | 'held' | 'asked'): Acquired => {
  return { result, level: 0, hasGroup: false, firstRead: { count: 0, bytes: 0 } };
};

const firstReadOf = (entries: readonly Entry[]) => {
  return { count: Math.max(1, entries.length), bytes: entries.reduce((sum, entry) => sum + sizeOf(entry), 0) };
};

function noGroup(): ConnectorError {
  return new ConnectorError('STREAM:COMMAND', 'No such group', { status: 404, upstreamCode: 'NOGROUP' });
}

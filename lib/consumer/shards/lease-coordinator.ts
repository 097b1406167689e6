import type { Log } from '../../core/log.ts';
import type { Group, Look } from '../group/group.ts';
import type { ShardEnd, StopReason } from '../report.ts';
import { Lease } from './lease.ts';
import { isOfShard, ShardConsumer, type RunParts } from './shard-consumer.ts';

/** How soon a stream that was empty is asked again: while there is other work, and while a run lingers, in ms. */
export const POLL_MS = 100;
export const LINGER_POLL_MS = 20;
/** How long a run keeps a shard while others wait, in milliseconds. */
const TURN_MS = 10_000;
/** A shard from which nothing was started for so long, because all places were taken, is given back. */
const UNSERVED_MS = 250;
/** How soon a shard is looked at again that another run holds, in milliseconds: of many runs, each looks at all. */
const HELD_LOOK_MS = 250;
/** How soon shards of others are looked at again while all places are taken, in milliseconds. */
const BUSY_LOOK_MS = 1000;

/** One of the shards that the run may work on. */
interface Shard {
  readonly stream: string;
  readonly group: Group;
  /** What the last look at it found, and when that was. */
  look: Look;
  lookedAt: number;
  /** While the run holds its lease. */
  consumer: ShardConsumer | undefined;
  /** Whether the run has held its lease at any time, and when it gave it back. */
  isServed: boolean;
  releasedAt: number;
  /** Whether nothing was left to do then. */
  isLeftEmpty: boolean;
  /** Since when nothing of it is in flight although all places are taken. */
  unservedSince: number | undefined;
  /** Whether the run has made its group. */
  hasMadeGroup: boolean;
  /** Why the run has ended its work on it for good. */
  reason: StopReason | undefined;
  error: Error | undefined;
}

/** What the run could do with another shard. */
export interface Capacity {
  /** Attempts that could start beyond what is ready; negative where more is ready than may start. */
  readonly free: number;
  /** Whether the run has nothing to do, and goes on looking. */
  readonly isLingering: boolean;
}

/**
 * Decides which shards the run works on: another one while places are free, fewer while all are taken. It acquires their
 * leases, makes a shard consumer for each, and remembers how that ended.
 */
export class LeaseCoordinator {
  readonly #shards: readonly Shard[];
  readonly #parts: RunParts;
  /** Hears of the level of the breaker that earlier runs left. */
  readonly #remember: (level: number) => void;
  #consumers: ShardConsumer[] = [];
  #active: ShardConsumer[] = [];
  #ended: ShardConsumer[] = [];
  #isTaking = false;
  #lookedAt = -Infinity;
  #lookAt = 0;

  constructor(shards: readonly { stream: string; group: Group }[], parts: RunParts, remember: (level: number) => void) {
    this.#parts = parts;
    this.#remember = remember;
    this.#shards = shards.map(({ stream, group }) => ({
      ...{ stream, group, lookedAt: -Infinity, consumer: undefined, isServed: false, releasedAt: -Infinity },
      look: { state: 'missing', pending: 0, lag: 0, oldestId: null, unreadId: null },
      ...{ isLeftEmpty: false, unservedSince: undefined, hasMadeGroup: false, reason: undefined, error: undefined },
    }));
  }

  /** Those of the shards whose lease the run holds, the one it holds longest in front. */
  get consumers(): readonly ShardConsumer[] {
    return this.#consumers;
  }

  /** Those of them that attempts may start from. */
  get active(): readonly ShardConsumer[] {
    return this.#active;
  }

  /** How many shards there are, whoever holds them. */
  get size(): number {
    return this.#shards.length;
  }

  /** Heads that an attempt may start with, over all shards. */
  get readySize(): number {
    return this.#active.reduce((sum, { window }) => sum + window.keys.readySize, 0);
  }

  /** Whether shards are being looked at or taken. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  /** Whether a shard that the run could have has work to do. */
  get isAnyWaiting(): boolean {
    return this.#free.some(hasWork);
  }

  /** Whether the run has ended its work on every shard for good. */
  get isFinished(): boolean {
    return this.#shards.every(({ reason, error }) => reason !== undefined || error !== undefined);
  }

  /** What Redis refused, of one shard alone. */
  get error(): Error | undefined {
    return this.#shards.find(({ error }) => error)?.error;
  }

  /** When the other shards should be looked at again. */
  nextEvent(now: number): number {
    const isDue = this.#free.length > 0 && !this.#isTaking && this.#lookAt > now;
    return isDue ? this.#lookAt : Infinity;
  }

  /** Hands out the shard consumers that have ended since the last time. */
  takeEnded(): readonly ShardConsumer[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  /** Looks which shards are held and active now. */
  refresh(now: number): void {
    for (const shard of this.#shards) {
      const { consumer } = shard;
      if (!consumer?.end) continue;
      const { reason, error, isEmpty = false, isGroupMissing } = consumer.end;
      [shard.consumer, shard.releasedAt, shard.isLeftEmpty, shard.unservedSince] = [undefined, now, isEmpty, undefined];
      shard.reason ??= reason;
      shard.error ??= error;
      if (isGroupMissing) shard.look = { ...shard.look, state: 'missing' };
      this.#ended.push(consumer);
    }
    this.#consumers = this.#shards
      .flatMap(({ consumer }) => consumer ?? [])
      .sort((a, b) => a.acquiredAt - b.acquiredAt);
    this.#active = this.#consumers.filter((consumer) => consumer.isActive(now));
  }

  /** Gives back what others could serve better, and looks for more to do. */
  tend(now: number, { free, isLingering }: Capacity): void {
    this.#letGo(now, free);
    for (const consumer of this.#consumers) if (consumer.isReadyToRelease) this.#giveBack(consumer);
    if (this.#isTaking || this.#free.length === 0) return;
    const isShort = free > 0 || this.#active.length === 0;
    this.#lookAt = this.#lookedAt + (!isShort ? BUSY_LOOK_MS : isLingering ? LINGER_POLL_MS : POLL_MS);
    const isDue = now >= this.#lookAt;
    // with all it has worked off, it does not wait for the next look to take one that it has seen work in
    const isIdle =
      free > 0 && this.isAnyWaiting && this.#consumers.every(({ window }) => window.isQuiet && window.isDry(now));
    if (isShort && (isDue || isIdle)) void this.#take(free, { isLingering, isDue });
    else if (isDue) void this.#lookAround();
  }

  /** Gives all leases back where nothing is unread. Returns whether all are. */
  async releaseDrained(restMs: number): Promise<boolean> {
    const held = this.#shards.filter(({ consumer }) => consumer && !consumer.isOver);
    const results = held.map(async (shard) => {
      const consumer = shard.consumer!;
      const { isFull } = consumer.window;
      const released = await consumer.release({ isDrained: !isFull, restMs });
      if (isFull) shard.reason ??= 'backpressure';
      return released !== 'unread';
    });
    return (await Promise.all(results)).every(Boolean);
  }

  /**
   * Gives back what is left, whatever state it is in, and keeps other runs away while the target is left alone. Returns
   * whether anything is unread.
   */
  async releaseAll(restMs: number, log: Log): Promise<boolean> {
    let isUnread = false;
    const results = this.#shards.map(async ({ consumer, group, reason, error }) => {
      if (!consumer || consumer.isOver) return restMs > 0 && !reason && !error ? group.rest(restMs) : undefined;
      if ((await consumer.release({ isDrained: false, restMs })) === 'released-unread') isUnread = true;
    });
    await Promise.all(results).catch((error: unknown) => log.warn('lease not given back', { error }));
    return isUnread;
  }

  /** Where the run leaves its shards; `stop`: why it ended, where that was not for want of work. */
  ends(stop: StopReason | undefined): Promise<ShardEnd[]> {
    this.refresh(this.#parts.clock.now());
    const ends = this.#shards.map(async (shard) => {
      const { isServed, error, look, group } = shard;
      const progress = isServed && !error ? await group.look() : look;
      return { progress, isServed, reason: shard.reason ?? reasonOf(shard, stop) };
    });
    return Promise.all(ends);
  }

  get #free(): Shard[] {
    return this.#shards.filter(({ consumer, reason, error }) => !consumer && reason === undefined && !error);
  }

  #letGo(now: number, free: number): void {
    const { length } = this.#active;
    if (length < 2 && !this.isAnyWaiting) return;
    for (const shard of this.#shards) {
      const { consumer } = shard;
      if (!consumer?.isActive(now)) continue;
      const isUnserved = free < 0 && consumer.window.inFlight === 0 && length > 1;
      shard.unservedSince = isUnserved ? (shard.unservedSince ?? now) : undefined;
      if (now - (shard.unservedSince ?? now) >= UNSERVED_MS) consumer.leave();
      else if (free <= 0 && now - consumer.acquiredAt >= TURN_MS && this.isAnyWaiting) consumer.leave();
    }
  }

  /** Gives a shard back, and looks where that leaves it. */
  #giveBack(consumer: ShardConsumer): void {
    const shard = this.#shards.find((each) => each.consumer === consumer)!;
    void this.#guard([shard], async () => {
      await consumer.release({ isDrained: false, restMs: 0 });
      this.refresh(this.#parts.clock.now());
      shard.look = await shard.group.look();
    });
  }

  /** Takes free shards with work until there is enough for the free places; while lingering, all that are free. */
  async #take(free: number, { isLingering, isDue }: { isLingering: boolean; isDue: boolean }): Promise<void> {
    if (isDue) await this.#lookAround();
    const waiting = this.#free.filter(hasWork).sort((a, b) => a.releasedAt - b.releasedAt);
    const idle = isLingering ? this.#free.filter(({ look }) => look.state === 'idle') : [];
    const chosen: Shard[] = [];
    let expected = 0;
    for (const shard of waiting) {
      if (expected >= Math.max(free, 1)) break;
      chosen.push(shard);
      expected += Math.max(1, shard.look.pending + (shard.look.lag ?? 0));
    }
    this.#isTaking = true;
    await this.#guard([...chosen, ...idle], (shard) => this.#acquire(shard));
    this.#isTaking = false;
  }

  /** Acquires the lease of a shard, and makes its group where it has none; a second time, that ends the work on it. */
  async #acquire(shard: Shard): Promise<void> {
    const { stream, group } = shard;
    const { clock, settings, counts } = this.#parts;
    const lease = new Lease(group, clock, settings.leaseMs);
    const { outcome, level, firstRead, hasGroup } = await lease.acquire();
    if (outcome !== 'acquired') {
      shard.look = { ...shard.look, state: outcome };
      return;
    }
    const consumer = new ShardConsumer({ ...this.#parts, stream, group, lease, level, firstRead });
    shard.isServed = true;
    this.#remember(level);
    try {
      if (!hasGroup && shard.hasMadeGroup) consumer.leave('group-destroyed');
      else if (!hasGroup) {
        shard.hasMadeGroup = await group.create();
        if (shard.hasMadeGroup) counts.groupsCreated++;
      }
    } finally {
      shard.consumer = consumer; // not before there is a group to work on
    }
  }

  /** Looks at the shards that the run does not have, all in one packet. */
  async #lookAround(): Promise<void> {
    this.#isTaking = true;
    const now = this.#parts.clock.now();
    const isDue = ({ look, lookedAt }: Shard) => look.state !== 'held' || now >= lookedAt + HELD_LOOK_MS;
    await this.#guard(this.#free.filter(isDue), async (shard) => {
      shard.lookedAt = now;
      shard.look = await shard.group.look();
    });
    this.#lookedAt = this.#parts.clock.now();
    this.#isTaking = false;
  }

  #failed(shard: Shard, error: unknown): void {
    if (shard.consumer) shard.consumer.failed(error);
    else if (isOfShard(error)) {
      this.#parts.log.error('shard given up', { stream: shard.stream, error });
      shard.error = error as Error;
    } else this.#parts.broke(error);
  }

  async #guard(shards: readonly Shard[], work: (shard: Shard) => Promise<void>): Promise<void> {
    await Promise.all(shards.map((shard) => work(shard).catch((error: unknown) => this.#failed(shard, error))));
    this.refresh(this.#parts.clock.now());
    this.#parts.changed();
  }
}

const hasWork = ({ look }: Shard): boolean => look.state === 'work' || look.state === 'missing';

function reasonOf({ look: { state }, isLeftEmpty, isServed }: Shard, stop: StopReason | undefined): StopReason {
  if (stop === 'deadline' && isLeftEmpty) return 'drained';
  if (stop && (isServed || state === 'work')) return stop;
  if (state === 'paused') return 'paused';
  if (state === 'resting') return 'upstream-unavailable';
  return state === 'held' ? 'lease-held' : 'drained';
}

import type { Log } from '../../core/log.ts';
import { addedAt } from '../entry.ts';
import type { Group, Look, Progress } from '../group/group.ts';
import type { ShardEnd, StopReason } from '../report.ts';
import { Lease } from './lease.ts';
import { isOfShard, ShardConsumer, type RunParts } from './shard-consumer.ts';

/** How often an empty stream is polled, with other work and while lingering, in milliseconds. */
export const POLL_MS = 100;
export const LINGER_POLL_MS = 20;
/** Shards of which each is polled that often. Of more, each is polled less often, so that the server has no more to do. */
const POLLED_SHARDS = 32;

/** The time between two polls of each of so many shards. */
export const perShards = (ms: number, shards: number): number => ms * Math.max(1, shards / POLLED_SHARDS);

/** How long a run keeps a shard while others wait, in milliseconds. */
export const TURN_MS = 10_000;
/** How long one of several shards is served first, in milliseconds. */
const SERVED_FIRST_MS = 1000;
/** How often a shard of another run is checked, in milliseconds: each of many runs checks all. */
const HELD_LOOK_MS = 250;
/** How often shards of other runs are checked while all places are taken, in milliseconds. */
const BUSY_LOOK_MS = 1000;

/** One of the shards that the run may work on. */
interface Shard {
  readonly stream: string;
  readonly group: Group;
  /** The result and the time of the last check. */
  look: Look;
  lookedAt: number;
  /** Set while the run holds its lease. */
  consumer: ShardConsumer | undefined;
  /** Whether the run has ever held its lease, and when it gave it back. */
  isServed: boolean;
  releasedAt: number;
  /** Whether it was drained then. */
  isLeftEmpty: boolean;
  /** Whether the run has created its group. */
  hasMadeGroup: boolean;
  /** Why the run will not work on it again. */
  reason: StopReason | undefined;
  error: Error | undefined;
}

/** The room for another shard. */
export interface Capacity {
  /** Attempts that could start beyond the ready ones; negative if more are ready than may start. */
  readonly free: number;
  /** Whether the run is lingering. */
  readonly isLingering: boolean;
}

/** The progress of a group that does not exist. */
const NOTHING: Progress = { pending: 0, lag: 0, oldestId: null, unreadId: null, length: 0, deadLetters: 0 };

/**
 * Chooses the shards of the run: another one while places are free, fewer while all are taken. It acquires their
 * leases, makes a shard consumer for each, and remembers how each ended.
 */
export class LeaseCoordinator {
  readonly #shards: readonly Shard[];
  readonly #parts: RunParts;
  /** Receives the breaker's level of earlier runs. */
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
      look: { state: 'missing', ...NOTHING },
      ...{ isLeftEmpty: false, hasMadeGroup: false, reason: undefined, error: undefined },
    }));
  }

  /** The shards whose lease the run holds, the longest held first. */
  get consumers(): readonly ShardConsumer[] {
    return this.#consumers;
  }

  /** The held shards that attempts may start from. */
  get active(): readonly ShardConsumer[] {
    return this.#active;
  }

  /** Number of shards, whoever holds them. */
  get size(): number {
    return this.#shards.length;
  }

  /** Heads that an attempt may start with, over all shards. */
  get readySize(): number {
    return this.#active.reduce((sum, { window }) => sum + window.keys.readySize, 0);
  }

  /** Whether shards are being checked or taken. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  /** Whether a shard that the run could take has work. */
  get isAnyWaiting(): boolean {
    return this.#free.some(hasWork);
  }

  /** Whether the run will not work on any shard again. */
  get isFinished(): boolean {
    return this.#shards.every(({ reason, error }) => reason !== undefined || error !== undefined);
  }

  /** Redis' error for a single shard. */
  get error(): Error | undefined {
    return this.#shards.find(({ error }) => error)?.error;
  }

  /** When to check the other shards again. */
  nextEvent(now: number): number {
    const isDue = this.#free.length > 0 && !this.#isTaking && this.#lookAt > now;
    return isDue ? this.#lookAt : Infinity;
  }

  /** Returns the shard consumers that have ended since the last call. */
  takeEnded(): readonly ShardConsumer[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  /** Updates the held and active shards. */
  refresh(now: number): void {
    for (const shard of this.#shards) {
      const { consumer } = shard;
      if (!consumer?.end) continue;
      const { reason, error, isEmpty = false, isGroupMissing } = consumer.end;
      shard.consumer = undefined;
      shard.releasedAt = now;
      shard.isLeftEmpty = isEmpty;
      shard.reason ??= reason;
      shard.error ??= error;
      if (isGroupMissing) shard.look = { ...shard.look, state: 'missing' };
      this.#ended.push(consumer);
    }
    this.#consumers = this.#shards
      .flatMap(({ consumer }) => consumer ?? [])
      .sort((a, b) => a.acquiredAt - b.acquiredAt);
    const active = this.#consumers.filter((consumer) => consumer.isActive(now));
    const first = Math.floor(now / SERVED_FIRST_MS) % Math.max(1, active.length);
    this.#active = [...active.slice(first), ...active.slice(0, first)];
  }

  /** Gives back shards that other runs could serve better, and looks for more work. */
  tend(now: number, { free, isLingering }: Capacity): void {
    this.#letGo(now, free);
    for (const consumer of this.#consumers) if (consumer.isReadyToRelease) this.#giveBack(consumer);
    if (this.#isTaking || this.#free.length === 0) return;
    const isShort = free > 0 || this.#active.length === 0;
    const lookMs = !isShort ? BUSY_LOOK_MS : isLingering ? LINGER_POLL_MS : POLL_MS;
    this.#lookAt = this.#lookedAt + perShards(lookMs, this.#free.length);
    const isDue = now >= this.#lookAt;
    // with nothing left to do, it takes a shard with known work without waiting for the next check
    const isIdle =
      free > 0 &&
      this.isAnyWaiting &&
      this.#consumers.every(({ window }) => window.isEmpty || (window.isQuiet && window.isDry(now)));
    if (isShort && (isDue || isIdle)) void this.#take(free, { isLingering, isDue });
    else if (isDue) void this.#lookAround();
  }

  /** Gives leases back if nothing is unread. Returns whether it gave all back. */
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
   * Gives all shards back, and keeps runs away while the target rests. Returns whether anything is left that could be
   * attempted now: unread entries, or those that were read and not begun.
   */
  async releaseAll(restMs: number, log: Log): Promise<boolean> {
    let isLeft = false;
    const results = this.#shards.map(async ({ consumer, group, reason, error }) => {
      if (!consumer || consumer.isOver) return restMs > 0 && !reason && !error ? group.rest(restMs) : undefined;
      isLeft ||= consumer.window.hasFresh;
      if ((await consumer.release({ isDrained: false, restMs })) === 'released-unread') isLeft = true;
    });
    await Promise.all(results).catch((error: unknown) => log.warn('lease not given back', { error }));
    return isLeft;
  }

  /** The final state of the shards; `stop`: why the run ended, unless it ran out of work. */
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

  /**
   * Gives back the shard whose turn has been over for longest, if other shards wait, or the run serves the others as fully
   * without it; one at a time, so that the places stay taken meanwhile.
   */
  #letGo(now: number, free: number): void {
    const [longest] = this.#consumers;
    if (free > 0 || !longest?.isActive(now) || now - longest.acquiredAt < TURN_MS) return;
    const isDispensable = free + longest.window.keys.readySize + longest.window.inFlight <= 0;
    if (this.isAnyWaiting || (this.#active.length > 1 && isDispensable)) longest.leave();
  }

  /** Gives a shard back, and checks its state. */
  #giveBack(consumer: ShardConsumer): void {
    const shard = this.#shards.find((each) => each.consumer === consumer)!;
    void this.#guard([shard], async () => {
      await consumer.release({ isDrained: false, restMs: 0 });
      this.refresh(this.#parts.clock.now());
      shard.look = await shard.group.look();
    });
  }

  /** Takes free shards with work until the free places suffice; while lingering, all free ones. */
  async #take(free: number, { isLingering, isDue }: { isLingering: boolean; isDue: boolean }): Promise<void> {
    if (isDue) await this.#lookAround();
    const waiting = this.#free
      .filter(hasWork)
      .sort((a, b) => a.releasedAt - b.releasedAt || waitsSince(a) - waitsSince(b));
    const idle = isLingering ? this.#free.filter(({ look }) => look.state === 'idle') : [];
    const chosen: Shard[] = [];
    let expected = 0;
    for (const shard of waiting) {
      if (expected >= Math.max(free, 1)) break;
      chosen.push(shard);
      expected += this.#headsOf(shard);
    }
    this.#isTaking = true;
    await this.#guard([...chosen, ...idle], (shard) => this.#acquire(shard));
    this.#isTaking = false;
  }

  /** Number of entries of a shard that may start at the same time, at most. */
  #headsOf({ look: { pending, lag } }: Shard): number {
    return this.#parts.target.keyFields.length === 0 ? 1 : Math.max(1, pending + (lag ?? 0));
  }

  /** Acquires the lease of a shard, and creates a missing group once. A second time, ends the work on the shard. */
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
      shard.consumer = consumer; // only once there is a group
    }
  }

  /** Checks the shards that the run does not hold, in one packet. */
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

/** When the oldest entry was added that no run has read; without one, the oldest pending entry. */
function waitsSince({ look: { unreadId, oldestId } }: Shard): number {
  const id = unreadId ?? oldestId;
  return id === null ? 0 : addedAt(id);
}

const hasWork = ({ look }: Shard): boolean => look.state === 'work' || look.state === 'missing';

function reasonOf({ look: { state }, isLeftEmpty, isServed }: Shard, stop: StopReason | undefined): StopReason {
  if (stop === 'deadline' && isLeftEmpty) return 'drained';
  if (stop && (isServed || state === 'work')) return stop;
  if (state === 'paused') return 'paused';
  if (state === 'resting') return 'upstream-unavailable';
  return state === 'held' ? 'lease-held' : 'drained';
}

import type { Log } from '../../core/log.ts';
import { addedAt } from '../entry.ts';
import type { Asker, Group, Progress, ShardStatus } from '../group/group.ts';
import type { ShardEnd, StopReason } from '../report.ts';
import { Lease } from './lease.ts';
import { isAway, isOfShard, ShardConsumer, type ShardContext } from './shard-consumer.ts';

/** How often an empty stream is polled, with other work and while lingering, in milliseconds. */
export const POLL_MS = 100;
export const LINGER_POLL_MS = 20;
/**
 * Shards of which each is polled that often. Of more, each is polled less often, so that the server has no more to do.
 */
const POLLED_SHARDS = 32;

/** The time between two polls of each shard, by the number of shards. */
export const perShards = (ms: number, shards: number): number => ms * Math.max(1, shards / POLLED_SHARDS);

/** How long a run keeps a shard while others wait, in milliseconds. */
const TURN_MS = 10_000;
/** How long a shard without entries is kept while all slots are in use, in milliseconds. */
const EMPTY_MS = 1000;
/**
 * How long a run without work waits for a shard of another, in milliseconds, and how many times longer if one is owed
 * to it.
 */
const WAIT_MS = 2000;
const OWED_TIMES = 5;
/** How long one of several shards is served first, in milliseconds. */
const SERVED_FIRST_MS = 1000;
/** How often a shard of another run is checked, in milliseconds: each of many runs checks all. */
const HELD_CHECK_MS = 250;
/** How often shards of other runs are checked while all slots are in use, in milliseconds. */
const BUSY_CHECK_MS = 1000;

/** One of the shards that the run may work on. */
interface Shard {
  readonly stream: string;
  readonly group: Group;
  /** The result and the time of the last check. */
  status: ShardStatus;
  checkedAt: number;
  /** Set while the run holds its lease. */
  consumer: ShardConsumer | undefined;
  /** Whether the run has ever held its lease, and when it gave it back. */
  isServed: boolean;
  releasedAt: number;
  /** Whether it was drained then. */
  isLeftEmpty: boolean;
  /** Whether the run may have asked another one for it. */
  hasAsked: boolean;
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
  /** Whether an attempt is in flight. */
  readonly isBusy: boolean;
  /** Whether the run is lingering. */
  readonly isLingering: boolean;
}

interface Search extends Pick<Capacity, 'free' | 'isLingering'> {
  /** Whether the other shards are to be checked. */
  readonly isDue: boolean;
  /** Whether to take some. */
  readonly isTaking: boolean;
}

/** Stands for the run that asked for a shard before this one. */
const EARLIER_ASKER: Asker = { run: '', share: 0 };
/** The progress of a group that does not exist. */
const NO_PROGRESS: Progress = {
  pending: 0,
  lag: 0,
  oldestId: null,
  unreadId: null,
  length: 0,
  deadLetters: 0,
  notes: 0,
};

/**
 * Chooses the shards of the run. Each run takes its fair share of the shards that have work, as far as it has slots,
 * and one more while slots are free. Without enough, it asks a run that holds more than that. It gives a shard back to
 * a run that asks, as long as it has more than its share; or when its turn is over and others wait; or when it is
 * empty, and all slots are in use. It acquires the leases, makes a shard consumer for each, and remembers how each
 * ended.
 */
export class LeaseCoordinator {
  readonly #shards: readonly Shard[];
  readonly #context: ShardContext;
  /** Receives the breaker's level of earlier runs. */
  readonly #remember: (level: number) => void;
  #consumers: ShardConsumer[] = [];
  #active: ShardConsumer[] = [];
  #ended: ShardConsumer[] = [];
  #isTaking = false;
  #checkedAt = -Infinity;
  #checkAt = 0;
  /** When the run last had work. */
  #busyAt: number;

  constructor(
    shards: readonly { stream: string; group: Group }[],
    context: ShardContext,
    remember: (level: number) => void,
  ) {
    this.#context = context;
    this.#remember = remember;
    this.#busyAt = context.clock.now();
    this.#shards = shards.map(({ stream, group }) => ({
      stream,
      group,
      status: { state: 'missing', ...NO_PROGRESS },
      checkedAt: -Infinity,
      consumer: undefined,
      isServed: false,
      releasedAt: -Infinity,
      isLeftEmpty: false,
      hasAsked: false,
      hasMadeGroup: false,
      reason: undefined,
      error: undefined,
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
    return this.#free.some(isWaiting);
  }

  /** Whether a shard that no run holds has work. If another run asked for it and does not take it, this one does. */
  get hasUnleasedWork(): boolean {
    return this.#free.some(({ status }) => status.state === 'work' || status.state === 'missing');
  }

  /** Whether a run without work may soon get a shard from another: runs that end are too many invocations. */
  mayGet(now: number): boolean {
    const { waitMs = WAIT_MS } = this.#context.settings;
    if (this.size === 1 || now >= this.#busyAt + waitMs * OWED_TIMES) return false;
    const { others, share } = this.#countWork();
    const isOwed = [...others.values()].some(({ length }) => length > share);
    return others.size > 0 && (isOwed || now < this.#busyAt + waitMs);
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
    const isDue = this.#free.length > 0 && !this.#isTaking && this.#checkAt > now;
    return isDue ? this.#checkAt : Infinity;
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
      if (isGroupMissing) shard.status = { ...shard.status, state: 'missing' };
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
  tend(now: number, { free, isBusy, isLingering }: Capacity): void {
    if (isBusy || this.#working > 0) this.#busyAt = now;
    this.#markReturns(now, free, isLingering);
    for (const consumer of this.#consumers) if (consumer.isReadyToRelease) this.#giveBack(consumer);
    if (this.#isTaking || this.#free.length === 0) return;
    const lacks = this.isAnyWaiting ? this.#lackOf(this.#countWork().share) : 0;
    const isShort = free > 0 || lacks > 0 || this.#active.length === 0;
    const checkMs = isShort ? this.#checkMs(isLingering) : BUSY_CHECK_MS;
    this.#checkAt = this.#checkedAt + perShards(checkMs, this.#free.length);
    const isDue = now >= this.#checkAt;
    // with nothing left to do, it takes a shard with known work without waiting for the next check
    const isIdle =
      free > 0 &&
      this.isAnyWaiting &&
      this.#consumers.every(({ window }) => window.isEmpty || (window.isQuiet && window.isDry(now)));
    const isTaking = isShort && (isDue || isIdle);
    if (isDue || isTaking) void this.#search({ isDue, isTaking, free, isLingering });
  }

  /** Gives leases back if nothing is unread. Returns whether it gave all back. */
  async releaseDrained(restMs: number): Promise<boolean> {
    const leased = this.#shards.filter(({ consumer }) => consumer && !consumer.isOver);
    const results = leased.map(async (shard) => {
      const consumer = shard.consumer!;
      const { isFull } = consumer.window;
      const released = await consumer.release({ isDrained: !isFull, restMs }).catch((error: unknown) => {
        consumer.failed(error);
        return 'unread';
      });
      if (isFull) shard.reason ??= 'backpressure';
      return released !== 'unread';
    });
    return (await Promise.all(results)).every(Boolean);
  }

  /**
   * Gives all shards back, and keeps runs away while the target rests. Returns whether anything is left that could be
   * attempted now: unread entries, those that were read and not begun, or those of a shard that no run holds.
   */
  async releaseAll(restMs: number, log: Log): Promise<boolean> {
    let isLeft = this.#free.some((shard) => isWaiting(shard) && hasEntries(shard));
    const results = this.#shards.map(async ({ consumer, group, reason, error, hasAsked }) => {
      if (hasAsked) await group.withdraw();
      if (!consumer || consumer.isOver) return restMs > 0 && !reason && !error ? group.startRest(restMs) : undefined;
      isLeft ||= consumer.window.hasFresh;
      if ((await consumer.release({ isDrained: false, restMs })) === 'released-unread') isLeft = true;
    });
    for (const result of await Promise.allSettled(results)) {
      if (result.status === 'rejected') log.warn('lease not given back', { error: result.reason as unknown });
    }
    return isLeft;
  }

  /** The final state of the shards; `stop`: why the run ended, unless it ran out of work. */
  ends(stop: StopReason | undefined): Promise<ShardEnd[]> {
    this.refresh(this.#context.clock.now());
    const ends = this.#shards.map(async (shard) => {
      const { stream, isServed, consumer } = shard;
      shard.error ??= consumer?.awayError;
      const progress = await this.#lastStatus(shard);
      return { stream, progress, isServed, reason: shard.reason ?? reasonOf(shard, stop) };
    });
    return Promise.all(ends);
  }

  /** The status of a shard at the end; without its lag if its node is out of reach. */
  async #lastStatus(shard: Shard): Promise<ShardStatus> {
    const { group, isServed, status } = shard;
    try {
      if (isServed && !shard.error) return await group.readStatus();
    } catch (error) {
      if (!isAway(error, group)) throw error;
      shard.error = error as Error;
    }
    return isAway(shard.error, group) ? { ...status, lag: null } : status;
  }

  get #free(): Shard[] {
    return this.#shards.filter(({ consumer, reason, error }) => !consumer && reason === undefined && !error);
  }

  /** How often the other shards are checked by a run that could serve more. */
  #checkMs(isLingering: boolean): number {
    if (isLingering) return LINGER_POLL_MS;
    return this.#areAllLeased ? HELD_CHECK_MS : POLL_MS;
  }

  /** Whether other runs hold all the others. */
  get #areAllLeased(): boolean {
    return this.#free.every(({ status }) => status.state === 'held');
  }

  /** Number of held shards that have work, but for those that are being given back. */
  get #working(): number {
    return this.#active.reduce((sum, { window }) => sum + (window.isEmpty ? 0 : 1), 0);
  }

  /** The shards with work of each other run, and the fair share of each run. A run of version 1.0 has no name. */
  #countWork(): { others: Map<string, Shard[]>; share: number } {
    const held = this.#free.filter(({ status }) => status.state === 'held' && isAnyLeft(status));
    const others = Map.groupBy(held, ({ status }) => status.holder ?? '');
    const work = this.#working + held.length + this.#free.filter(isWaiting).length;
    return { others, share: Math.ceil(work / (others.size + 1)) };
  }

  /** How many shards with work the run lacks of those that it can serve at a time. */
  #lackOf(share: number): number {
    return Math.min(share, this.#context.settings.concurrency) - this.#working;
  }

  /**
   * Marks the shards to give back: one at a time, so that the slots stay in use meanwhile, but all that are asked for.
   */
  #markReturns(now: number, free: number, isLingering: boolean): void {
    let working = this.#working;
    for (const consumer of this.#active) {
      if (!consumer.asker || consumer.isLeaving || working <= consumer.asker.share) continue;
      consumer.leave();
      if (!consumer.window.isEmpty) working--;
    }
    if (free > 0) return;
    const [longest] = this.#consumers;
    if (longest?.isActive(now) && now - longest.acquiredAt >= TURN_MS && this.isAnyWaiting) return longest.leave();
    const isIdle = ({ window }: ShardConsumer) => window.isEmpty && now - window.lastEntryAt > EMPTY_MS;
    if (!isLingering) this.#active.find(isIdle)?.leave();
  }

  /** Gives a shard back, and checks its state. */
  #giveBack(consumer: ShardConsumer): void {
    const shard = this.#shards.find((each) => each.consumer === consumer)!;
    void this.#guard([shard], async () => {
      await consumer.release({ isDrained: false, restMs: 0 });
      this.refresh(this.#context.clock.now());
      shard.status = await shard.group.readStatus();
    });
  }

  /** Checks the other shards where that is due, and takes some. */
  async #search({ isDue, isTaking, free, isLingering }: Search): Promise<void> {
    this.#isTaking = true;
    if (isDue) await this.#checkOthers();
    if (isTaking) await this.#take(free, isLingering);
    this.#isTaking = false;
    this.#context.changed();
  }

  /** Takes shards with work: its share, and more until the free slots are filled; while lingering, all idle ones. */
  async #take(free: number, isLingering: boolean): Promise<void> {
    const chosen = this.#choose(free);
    if (chosen.length === 0 && free > 0) await this.#ask();
    const idle = isLingering ? this.#free.filter(({ status }) => status.state === 'idle') : [];
    await this.#guard([...chosen, ...idle], (shard) => this.#acquire(shard));
  }

  #choose(free: number): Shard[] {
    const waiting = this.#free
      .filter(isWaiting)
      .sort((a, b) => a.releasedAt - b.releasedAt || waitsSince(a) - waitsSince(b));
    const least = this.#lackOf(this.#countWork().share);
    const chosen: Shard[] = [];
    let expected = 0;
    for (const shard of waiting) {
      if (chosen.length >= least && expected >= Math.max(free, 1)) break;
      chosen.push(shard);
      expected += this.#headsOf(shard);
    }
    return chosen;
  }

  /** Asks runs that hold more than their share for the shards that this one lacks. */
  async #ask(): Promise<void> {
    const { others, share } = this.#countWork();
    let lacks = this.#lackOf(share);
    const asked: Shard[] = [];
    for (const [holder, shards] of others) {
      const surplus = Math.min(lacks, shards.length - share);
      if (surplus <= 0 || holder === '') continue;
      asked.push(...shards.filter(({ status }) => !status.asker).slice(0, surplus));
      lacks -= surplus;
    }
    await this.#guard(asked, (shard) => {
      shard.hasAsked = true;
      return shard.group.ask(share);
    });
  }

  /** Number of entries of a shard that may start at the same time, at most. */
  #headsOf({ status: { pending, lag } }: Shard): number {
    return this.#context.target.keyFields.length === 0 ? 1 : Math.max(1, pending + (lag ?? 0));
  }

  /** Acquires the lease of a shard, and creates a missing group once. A second time, ends the work on the shard. */
  async #acquire(shard: Shard): Promise<void> {
    const { stream, group } = shard;
    const { clock, settings, counts } = this.#context;
    const lease = new Lease(group, clock, settings.leaseMs);
    const { result, level, firstRead, hasGroup } = await lease.acquire();
    if (result === 'asked') shard.status = { ...shard.status, asker: EARLIER_ASKER };
    else if (result !== 'acquired') shard.status = { ...shard.status, state: result };
    if (result !== 'acquired') return;
    shard.hasAsked = false; // acquiring it ended that
    const consumer = new ShardConsumer({ ...this.#context, stream, group, lease, level, firstRead });
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
  async #checkOthers(): Promise<void> {
    const now = this.#context.clock.now();
    const isDue = ({ status, checkedAt }: Shard) => status.state !== 'held' || now >= checkedAt + HELD_CHECK_MS;
    await this.#guard(this.#free.filter(isDue), async (shard) => {
      shard.checkedAt = now;
      shard.status = await shard.group.readStatus();
    });
    this.#checkedAt = this.#context.clock.now();
  }

  #failed(shard: Shard, error: unknown): void {
    const { log, fail } = this.#context;
    const { consumer, stream, group } = shard;
    if (consumer) return consumer.failed(error);
    if (isAway(error, group)) log.warn('shard out of reach', { stream, error });
    else if (isOfShard(error)) log.error('shard given up', { stream, error });
    else return fail(error);
    shard.error = error as Error;
  }

  async #guard(shards: readonly Shard[], work: (shard: Shard) => Promise<void>): Promise<void> {
    await Promise.all(shards.map((shard) => work(shard).catch((error: unknown) => this.#failed(shard, error))));
    this.refresh(this.#context.clock.now());
    this.#context.changed();
  }
}

/** When the oldest entry was added that no run has read; without one, the oldest pending entry. */
function waitsSince({ status: { unreadId, oldestId } }: Shard): number {
  const id = unreadId ?? oldestId;
  return id === null ? 0 : addedAt(id);
}

const isAnyLeft = ({ unreadId, oldestId }: ShardStatus): boolean => unreadId !== null || oldestId !== null;

/** Whether a shard that no run holds has work for this one. */
const isWaiting = ({ status }: Shard): boolean =>
  (status.state === 'work' || status.state === 'missing') && !status.asker;

/** Whether a shard that no run holds has entries for this one, as far as known. */
const hasEntries = ({ status }: Shard): boolean =>
  isAnyLeft(status) || (status.state === 'missing' && status.length > 0);

function reasonOf({ status: { state }, isLeftEmpty, isServed }: Shard, stop: StopReason | undefined): StopReason {
  if (stop === 'deadline' && isLeftEmpty) return 'drained';
  if (stop && (isServed || state === 'work')) return stop;
  if (state === 'paused') return 'paused';
  if (state === 'resting') return 'upstream-unavailable';
  return state === 'held' ? 'lease-held' : 'drained';
}

import type { Log } from '../../core/log.ts';
import type { ConnectorError } from '../../core/errors.ts';
import type { Clock } from '../clock.ts';
import type { Source } from '../dispatch/attempt.ts';
import { idsOf, type Entry } from '../entry.ts';
import { isNoGroup, LeaseLost, type Group, type Released } from '../group/group.ts';
import type { Counts, StopReason } from '../report.ts';
import type { Settings } from '../settings.ts';
import type { Target } from '../targets/target.ts';
import type { BodyBudget } from '../window/key-order.ts';
import type { Burial, ToSend } from '../window/outcomes.ts';
import type { PendingEntry } from '../window/pending-entry.ts';
import { Window, type Need, type Plan } from '../window/window.ts';
import type { Lease } from './lease.ts';

/** How long attempts may go on after a pause, in milliseconds. */
const PAUSE_GRACE_MS = 250;
/** Maximum entries, and bytes of them, per script, because a script blocks the server. */
const CLAIM = { most: 500, mostBytes: 256 * 1024 };
/** The same for letters, which a script reads and writes. */
const BURIAL = { most: 100, mostBytes: 96 * 1024 };

/** The parts that the shard consumers of a run share. */
export interface RunParts {
  readonly target: Target;
  readonly settings: Settings;
  readonly counts: Counts;
  readonly clock: Clock;
  readonly log: Log;
  /** The bytes of loaded bodies in all windows. */
  readonly budget: BodyBudget;
  /** Tells the run to look at a change. */
  readonly changed: () => void;
  /** Ends the run with an error, because Redis is out of reach. */
  readonly broke: (error: unknown) => void;
}

export interface ShardConsumerOptions extends RunParts {
  readonly stream: string;
  readonly group: Group;
  /** The lease, just acquired. */
  readonly lease: Lease;
  /** The breaker's level in the group. */
  readonly level: number;
  /** Maximum entries of the first read. */
  readonly firstRead: number;
}

/** How the work on a shard ended. */
export interface End {
  /** Why the run does not come back to it; undefined if it may. */
  readonly reason?: StopReason;
  /** Redis' error for this shard only. */
  readonly error?: Error;
  /** Whether it was drained when its lease was given back. */
  readonly isEmpty?: boolean;
  /** Whether its group was destroyed meanwhile. */
  readonly isGroupMissing?: boolean;
}

/**
 * One shard for one lease period. It is made when its lease is acquired, and discarded when the lease is lost or given
 * back. It owns the lease, the window over the stream, unsent results, and an abort controller. Late results change
 * nothing after its end.
 *
 *     working ──leave──▶ leaving ──nothing in flight──▶ releasing ──▶ over
 *        └───────────────┴─────lease lost, or refused by Redis────────▲
 */
export class ShardConsumer implements Source {
  readonly stream: string;
  readonly group: Group;
  readonly window: Window;
  readonly acquiredAt: number;
  /** Aborts attempts in flight. */
  readonly signal: AbortSignal;
  readonly #options: ShardConsumerOptions;
  readonly #abort = new AbortController();
  #end: End | undefined;
  #reason: StopReason | undefined;
  #isLeaving = false;
  #isReleasing = false;
  #isRenewing = false;
  #isGroupMissing = false;
  #giveUpAt = Infinity;
  /** The breaker's level that the group has. */
  #level: number;
  /** The entry that is marked on the server as tried alone. */
  #alone: string | undefined;

  constructor(options: ShardConsumerOptions) {
    const { stream, group, target, level, clock } = options;
    this.#options = options;
    [this.stream, this.group, this.#level] = [stream, group, level];
    this.signal = this.#abort.signal; // read now; later, V8 would compile the start of an attempt again
    this.acquiredAt = clock.now();
    this.window = new Window({ ...options, keyFields: target.keyFields });
  }

  /** Whether it has ended, and how. */
  get end(): End | undefined {
    return this.#end;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Whether it starts nothing more, and is given back when nothing is in flight. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Whether it is leaving, and nothing is in flight. */
  get isReadyToRelease(): boolean {
    return this.#isLeaving && !this.#isReleasing && !this.isOver && this.window.isQuiet;
  }

  /** When attempts in flight are given up after a pause. */
  get giveUpAt(): number {
    return this.#giveUpAt;
  }

  /** Whether attempts may start from it. */
  isActive(now: number): boolean {
    return !this.isOver && !this.#isLeaving && this.isHeld(now);
  }

  isHeld(now: number): boolean {
    return now < this.#options.lease.validUntil;
  }

  /** Whether nothing is in flight, and the server knows everything, including this level of the breaker. */
  isSettled(level: number): boolean {
    return this.window.isQuiet && this.#level === level;
  }

  /** The next times at which there may be something to do. */
  nextEvents(): number[] {
    const { renewAt, validUntil } = this.#options.lease;
    return [renewAt, validUntil, this.#giveUpAt, ...this.window.nextEvents()];
  }

  /** Gives the shard back when nothing is in flight, for the given reason, or for now. */
  leave(reason?: StopReason): void {
    this.#reason ??= reason;
    this.#isLeaving = true;
  }

  /** Aborts attempts in flight because the time is over. Their results are still written. */
  abort(): void {
    this.leave();
    this.#abort.abort();
  }

  /** The lease is lost: writes nothing any more, and aborts attempts in flight. */
  lose(): void {
    if (this.isOver) return;
    const { log } = this.#options;
    log.warn('lease lost', { stream: this.stream });
    const alone = this.#alone;
    this.#finish({ reason: 'lease-lost' });
    if (alone !== undefined) {
      this.group.survived(alone).catch((error: unknown) => log.warn('suspect not cleared', { id: alone, error }));
    }
  }

  /**
   * Reports results to the server and asks it for entries, in one packet.
   *
   * @param need the run's need of entries; undefined if it takes none
   * @param options.level the breaker's level
   * @param options.isIdle whether there is no other work, so that results need not wait for others
   */
  exchange(now: number, need: Need | undefined, { level, isIdle }: { level: number; isIdle: boolean }): void {
    if (this.isOver || this.#isReleasing) return;
    const { window } = this;
    const { lookUp, claim, read }: Plan = need && this.isActive(now) ? window.plan(now, need) : {};
    const isAsking = lookUp !== undefined || claim !== undefined || read !== undefined;
    if (window.outcomes.isDue(now, isIdle || isAsking)) this.#do(() => this.#send(window.outcomes.take()));
    if (lookUp) this.#do(() => this.#lookUp(lookUp));
    if (claim) this.#do(() => this.#claim(claim));
    if (read) this.#do(() => this.#read(read, need!));
    if (level !== this.#level) this.#do(() => this.#writeLevel(level));
    if (now >= this.#options.lease.renewAt && !this.#isRenewing) this.#do(() => this.#renew());
  }

  /** Claims an entry to try it alone. Returns its body, unless it was deleted or the lease is lost. */
  async claimAlone(pending: PendingEntry): Promise<Entry | undefined> {
    try {
      this.#alone = pending.id;
      const bodies = await this.group.claim([pending.id], { isAlone: true });
      if (bodies.length === 0) this.#alone = undefined;
      if (this.isOver) return undefined;
      this.window.claimed([pending], bodies, { now: this.#options.clock.now(), isAlone: true });
      return pending.body;
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  /** Gives back entries that were delivered but not attempted, without counting the delivery, and then the lease. */
  async release(options: { isDrained: boolean; restMs: number }): Promise<Released> {
    const { log, settings } = this.#options;
    const { stream, group, window } = this;
    this.#isReleasing = true;
    try {
      const isEmpty = window.keys.size === 0;
      await this.#giveBack(window.keys.unloadUnstarted(this.#options.clock.now())).catch((error: unknown) => {
        log.warn('entries not handed back', { stream, error });
      });
      if (settings.trim) {
        await group.trim().catch((error: unknown) => log.warn('not trimmed', { stream, error }));
      }
      const released = await group.release(options);
      if (this.isOver) return 'lost';
      if (released === 'unread') window.pollNow();
      else if (released === 'lost') this.lose();
      else this.#finish({ reason: this.#reason, isEmpty: isEmpty && released === 'released', isGroupMissing: this.#isGroupMissing }); // prettier-ignore
      return released;
    } finally {
      this.#isReleasing = false;
    }
  }

  /** Commands in flight may have run or not; the next run sees that in the pending list. */
  failed(error: unknown): void {
    if (this.isOver) return;
    if (error instanceof LeaseLost) this.lose();
    else if (isNoGroup(error)) this.#missGroup();
    else if (isOfShard(error)) this.#breakOff(error as Error);
    else this.#options.broke(error);
  }

  /** Runs an exchange with the server, and handles its errors. */
  #do(work: () => Promise<void>): void {
    work()
      .catch((error: unknown) => this.failed(error))
      .finally(() => this.#options.changed());
  }

  /** NOGROUP may also mean that the lease has expired, so the lease is checked first. */
  #missGroup(): void {
    if (this.#isGroupMissing) return;
    this.#isGroupMissing = true;
    this.#options.log.warn('group missing', { stream: this.stream });
    this.leave();
    this.#do(() => this.#renew());
  }

  /** Redis permanently refuses to work on this shard. The others go on. */
  #breakOff(error: Error): void {
    const { log } = this.#options;
    log.error('shard given up', { stream: this.stream, error });
    this.#finish({ error });
    this.group.release({ isDrained: false, restMs: 0 }).catch((failure: unknown) => {
      log.warn('lease not given back', { stream: this.stream, error: failure });
    });
  }

  #finish(end: End): void {
    this.#end = end;
    this.#abort.abort();
    this.window.close();
    this.#options.changed();
  }

  async #lookUp({ after, count, bytes }: NonNullable<Plan['lookUp']>): Promise<void> {
    try {
      const page = await this.group.lookUp(after, count, bytes);
      if (!this.isOver) this.window.lookedUp(page, this.#options.clock.now());
    } finally {
      this.window.lookUpEnded();
    }
  }

  async #claim(claim: NonNullable<Plan['claim']>): Promise<void> {
    const claimPortion = async (portion: PendingEntry[]) => {
      const bodies = await this.group.claim(idsOf(portion));
      if (!this.isOver) this.window.claimed(portion, bodies, { now: this.#options.clock.now() });
    };
    try {
      await Promise.all(portionsOf(claim, ({ bytes }) => bytes, CLAIM).map(claimPortion));
    } finally {
      this.window.claimEnded();
    }
  }

  async #read({ count, blockMs }: NonNullable<Plan['read']>, need: Need): Promise<void> {
    try {
      const entries = await this.group.read(count, blockMs);
      this.window.read(entries, count, need, this.#options.clock.now());
    } finally {
      this.window.readEnded();
    }
  }

  async #writeLevel(level: number): Promise<void> {
    this.#level = level;
    await this.group.setLevel(level);
  }

  async #renew(): Promise<void> {
    this.#isRenewing = true;
    try {
      const renewed = await this.#options.lease.renew();
      if (this.isOver || renewed === 'renewed' || this.#reason === 'paused') return;
      this.#giveUpAt = this.#options.clock.now() + PAUSE_GRACE_MS;
      this.leave('paused');
    } finally {
      this.#isRenewing = false;
    }
  }

  /** Reports results to the server; each part may fail separately. */
  async #send(toSend: ToSend): Promise<void> {
    const { window } = this;
    const { taken, failed, held, burials, missing } = toSend;
    const parts: Promise<void>[] = [];
    if (taken.length > 0) parts.push(this.#acknowledge(taken));
    if (missing.length > 0) parts.push(this.#forget(missing));
    if (failed.length > 0) parts.push(this.#writeFailures(failed));
    if (held.length > 0) parts.push(this.#giveBack(held));
    const portions = portionsOf(burials, ({ pending }) => pending.bytes, BURIAL);
    for (const portion of portions) parts.push(this.#bury(portion));
    const settled = await Promise.allSettled(parts);
    window.outcomes.isSending = false;
    for (const part of settled) if (part.status === 'rejected') throw part.reason;
    if (this.#alone === undefined) return;
    const heard = idsOf([...taken, ...failed, ...burials.map(({ pending }) => pending)]);
    if (heard.includes(this.#alone)) this.#alone = undefined;
  }

  async #acknowledge(taken: readonly PendingEntry[]): Promise<void> {
    const { clock } = this.#options;
    try {
      await this.group.ack(taken);
      this.window.acknowledged(taken, clock.now());
    } catch (error) {
      if (!(error instanceof LeaseLost)) this.#notSent(error, { taken });
      this.window.acknowledged(taken, clock.now()); // acknowledged, whoever holds the lease
      throw error;
    }
  }

  async #forget(missing: readonly string[]): Promise<void> {
    const deleted = await this.group
      .forgetDeleted(missing)
      .catch((error: unknown) => this.#notSent(error, { missing }));
    this.window.forgotten(deleted);
  }

  async #writeFailures(failed: readonly PendingEntry[]): Promise<void> {
    const { clock } = this.#options;
    const toEpochMs = clock.epochMs() - clock.now();
    const at = clock.epochMs();
    const ends = failed.map(({ id, own, outages, dueAt, cause }) => {
      return { id, own, outages, dueAt: dueAt + toEpochMs, at, cause };
    });
    await this.group.fail(ends).catch((error: unknown) => this.#notSent(error, { failed }));
  }

  /** Gives entries back in their state before delivery. */
  async #giveBack(held: readonly PendingEntry[]): Promise<void> {
    const byCount = Map.groupBy(held, ({ unended }) => unended);
    await Promise.all(Array.from(byCount, ([unended, alike]) => this.group.giveBack(idsOf(alike), unended)));
  }

  /** Writes dead letters, each separately. If one is refused, its entry stays pending. */
  async #bury(burials: readonly Burial[]): Promise<void> {
    const { clock, log } = this.#options;
    const outcomes = await this.group.bury(burials).catch((error: unknown) => {
      if (error instanceof LeaseLost) throw error;
      return burials.map(() => error as ConnectorError);
    });
    const now = clock.now();
    burials.forEach((burial, at) => {
      const { sourceId: id, deliveries, reason: detail, errorType: type } = burial.letter;
      const outcome = outcomes[at];
      if (typeof outcome !== 'string') {
        log.error('dead letter refused', { id, error: outcome });
        this.window.burialRefused(burial, now);
        return;
      }
      if (outcome === 'buried') log.warn('entry given up', { id, type, deliveries, detail });
      this.window.buried(burial, outcome, now);
    });
  }

  /** A report did not arrive: sends it again, if that may help. */
  #notSent(error: unknown, toSend: Partial<ToSend>): never {
    if (!isNoGroup(error) && !isOfShard(error)) this.window.outcomes.restore(toSend);
    throw error;
  }
}

/**
 * Whether Redis' error concerns one key and is permanent: no fault of the connection, the login or the server's state.
 */
export function isOfShard(error: unknown): boolean {
  return (error as Partial<ConnectorError> | undefined)?.type === 'STREAM:WRONG_TYPE';
}

/** Splits items into portions for scripts; a larger item is a portion of its own. */
function portionsOf<T>(items: readonly T[], bytesOf: (item: T) => number, { most, mostBytes }: typeof CLAIM): T[][] {
  const portions: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const portion = portions.at(-1);
    bytes += bytesOf(item);
    if (portion && portion.length < most && bytes <= mostBytes) {
      portion.push(item);
      continue;
    }
    portions.push([item]);
    bytes = bytesOf(item);
  }
  return portions;
}

import type { ConnectorError } from '../../core/errors.ts';
import { wholeTurn } from '../../core/turn.ts';
import type { NewLetter } from '../dead-letters/notice.ts';
import type { AttemptSource } from '../dispatch/attempt.ts';
import { idsOf, type Entry } from '../entry.ts';
import { isNoGroup, LeaseLost, type Acquired, type Asker, type Group, type Released } from '../group/group.ts';
import type { StopReason } from '../report.ts';
import type { RunContext } from '../run-context.ts';
import type { Target } from '../targets/target.ts';
import type { BodyBudget } from '../window/key-order.ts';
import type { PendingBurial, ToSend } from '../window/unsent-results.ts';
import type { PendingEntry } from '../window/pending-entry.ts';
import { Window, type Need, type Plan } from '../window/window.ts';
import type { Lease } from './lease.ts';

/** How long attempts may go on after a pause, in milliseconds. */
const PAUSE_GRACE_MS = 250;
/** How soon to ask again the node of a cluster that could not serve the shard, in milliseconds. */
const AWAY_MS = 500;
/** Maximum entries, and bytes of them, per script, because a script blocks the server. */
const CLAIM_LIMITS = { most: 500, mostBytes: 256 * 1024 };
/** The same for letters, which a script reads and writes. */
const BURIAL_LIMITS = { most: 100, mostBytes: 96 * 1024 };

/** What the shard consumers of a run share. */
export interface ShardContext extends RunContext {
  readonly target: Target;
  /** The bytes of loaded bodies in all windows. */
  readonly budget: BodyBudget;
  /** Receives each new dead letter. */
  readonly notices?: { add(letter: NewLetter): void } | undefined;
}

export interface ShardConsumerOptions extends ShardContext {
  readonly stream: string;
  readonly group: Group;
  /** The lease, just acquired. */
  readonly lease: Lease;
  /** The breaker's level in the group. */
  readonly level: number;
  /** Maximum entries of the first read, and their bytes. */
  readonly firstRead: Acquired['firstRead'];
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
export class ShardConsumer implements AttemptSource {
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
  /** The look at what has arrived, before the lease counts as lost, or attempts as late. */
  #lastLook: 'due' | 'done' | undefined;
  #isGroupMissing = false;
  #giveUpAt = Infinity;
  /** Set once the node of the shard could not serve it. */
  #awayError: Error | undefined;
  #retryAt = -Infinity;
  #asker: Asker | undefined;
  /** The breaker's level that the group has. */
  #level: number;
  /** The entry of the isolated attempt that is marked on the server. */
  #isolatedId: string | undefined;

  constructor(options: ShardConsumerOptions) {
    const { stream, group, target, level, clock } = options;
    this.#options = options;
    this.stream = stream;
    this.group = group;
    this.#level = level;
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

  /** Why the node of a cluster could not serve the shard, if it ever could not. */
  get awayError(): Error | undefined {
    return this.#awayError;
  }

  /** Whether it starts nothing more, and is given back when nothing is in flight. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Whether it is leaving, and nothing is in flight. */
  get isReadyToRelease(): boolean {
    if (this.#options.clock.now() < this.#retryAt) return false;
    return this.#isLeaving && !this.#isReleasing && !this.isOver && this.window.isQuiet;
  }

  /** The other run that asks for the shard. */
  get asker(): Asker | undefined {
    return this.#asker;
  }

  /** When attempts in flight are given up after a pause. */
  get giveUpAt(): number {
    return this.#giveUpAt;
  }

  /** Whether attempts may start from it. */
  isActive(now: number): boolean {
    return !this.isOver && !this.#isLeaving && this.holdsLease(now);
  }

  holdsLease(now: number): boolean {
    return now < this.#options.lease.validUntil;
  }

  /**
   * Whether its lease has run out. A process that waited for its share of a core first looks whether its renewal is
   * answered; a release hears it from the server.
   */
  hasLostLease(now: number): boolean {
    if (this.holdsLease(now) || this.#isReleasing) return false;
    return !this.#isRenewing || this.hasLookedOnceMore();
  }

  /** Whether what had arrived by now is handled. If not, it looks once more. */
  hasLookedOnceMore(): boolean {
    if (!this.#lastLook) void this.#lookOnceMore();
    return this.#lastLook === 'done';
  }

  /** Whether nothing is in flight, and the server knows everything, including this level of the breaker. */
  isSettled(level: number): boolean {
    return this.window.isQuiet && this.#level === level;
  }

  /** The next times at which there may be something to do. */
  nextEvents(): number[] {
    const { renewAt, validUntil } = this.#options.lease;
    return [renewAt, validUntil, this.#giveUpAt, this.#retryAt, ...this.window.nextEvents()];
  }

  /** Gives the shard back when nothing is in flight, for the given reason, or for now. */
  leave(reason?: StopReason): void {
    this.#reason ??= reason;
    this.#isLeaving = true;
  }

  /** Aborts attempts in flight because the time is over. Their results are still written. */
  abort(): void {
    this.leave();
    this.#lastLook = undefined;
    this.#abort.abort();
  }

  /** The lease is lost: writes nothing any more, and aborts attempts in flight. */
  lose(): void {
    if (this.isOver) return;
    const { log } = this.#options;
    log.warn('lease lost', { stream: this.stream });
    const isolatedId = this.#isolatedId;
    this.#finish({ reason: 'lease-lost' });
    if (isolatedId !== undefined) {
      this.group
        .survived(isolatedId)
        .catch((error: unknown) => log.warn('suspect not cleared', { id: isolatedId, error }));
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
    if (this.isOver || now < this.#retryAt) return;
    if (now >= this.#options.lease.renewAt && !this.#isRenewing) this.#do(() => this.#renew());
    if (this.#isReleasing) return;
    const { window } = this;
    const { listPending, claim, read }: Plan = need && this.isActive(now) ? window.plan(now, need) : {};
    const isAsking = listPending !== undefined || claim !== undefined || read !== undefined;
    if (window.results.isDue(now, isIdle || isAsking)) this.#do(() => this.#send(window.results.take()));
    if (listPending) this.#do(() => this.#listPending(listPending));
    if (claim) this.#do(() => this.#claim(claim));
    if (read) this.#do(() => this.#read(read, need!));
    if (level !== this.#level) this.#do(() => this.#writeLevel(level));
  }

  /** Claims the entry of an isolated attempt. Returns its body, unless it was deleted or the lease is lost. */
  async claimIsolated(pending: PendingEntry): Promise<Entry | undefined> {
    try {
      this.#isolatedId = pending.id;
      const bodies = await this.group.claim([pending.id], { isIsolated: true });
      if (bodies.length === 0) this.#isolatedId = undefined;
      if (this.isOver) return undefined;
      this.window.claimed([pending], bodies, { now: this.#options.clock.now(), isIsolated: true });
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
      const unstarted = window.keys.unloadUnstarted(this.#options.clock.now());
      await this.#handBack(unstarted).catch((error: unknown) => {
        if (isAway(error, group)) this.#notSent(error, { unstarted });
        log.warn('entries not handed back', { stream, error });
      });
      if (settings.trim) {
        await group.trim().catch((error: unknown) => log.warn('not trimmed', { stream, error }));
      }
      const released = await group.release(options);
      if (this.isOver) return 'lost';
      if (released === 'unread') window.pollNow();
      else if (released === 'lost') this.lose();
      else
        this.#finish({
          reason: this.#reason,
          isEmpty: isEmpty && released === 'released',
          isGroupMissing: this.#isGroupMissing,
        });
      return released;
    } finally {
      this.#isReleasing = false;
    }
  }

  /** Commands in flight may have run or not; the next run sees that in the pending list. */
  failed(error: unknown): void {
    if (this.isOver) return;
    if (error instanceof LeaseLost) {
      if (!this.#isReleasing) this.lose(); // a release ends the lease itself
    } else if (isNoGroup(error)) this.#missGroup();
    else if (isAway(error, this.group)) this.#leaveAway(error as Error);
    else if (isOfShard(error)) this.#breakOff(error as Error);
    else this.#options.fail(error);
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

  /** The run goes on without this shard, and gives it back as soon as Redis takes what is left to report. */
  #leaveAway(error: Error): void {
    if (!this.#awayError) this.#options.log.warn('shard out of reach', { stream: this.stream, error });
    this.#awayError ??= error;
    this.#retryAt = this.#options.clock.now() + AWAY_MS;
    this.leave();
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
    this.#end = { ...(this.#awayError && { error: this.#awayError }), ...end };
    this.#abort.abort();
    this.window.close();
    this.#options.changed();
  }

  async #listPending({ after, count, bytes }: NonNullable<Plan['listPending']>): Promise<void> {
    try {
      const page = await this.group.listPending(after, count, bytes);
      if (!this.isOver) this.window.listed(page, this.#options.clock.now());
    } finally {
      this.window.listingEnded();
    }
  }

  async #claim(claim: NonNullable<Plan['claim']>): Promise<void> {
    const claimPortion = async (portion: PendingEntry[]) => {
      const bodies = await this.group.claim(idsOf(portion));
      if (!this.isOver) this.window.claimed(portion, bodies, { now: this.#options.clock.now() });
    };
    try {
      await Promise.all(portionsOf(claim, ({ bytes }) => bytes, CLAIM_LIMITS).map(claimPortion));
    } finally {
      this.window.claimEnded();
    }
  }

  async #read({ count, blockMs }: NonNullable<Plan['read']>, need: Need): Promise<void> {
    try {
      const entries = await this.group.read(count, blockMs);
      const isAgain = this.window.read(entries, count, need, this.#options.clock.now());
      // the acknowledgement of an earlier delivery may have overtaken them
      if (isAgain) await this.group.restore(idsOf(entries));
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
      const { result, asker } = await this.#options.lease.renew();
      this.#asker = asker;
      this.#lastLook = undefined;
      if (this.isOver || result === 'renewed' || this.#reason === 'paused') return;
      this.#giveUpAt = this.#options.clock.now() + PAUSE_GRACE_MS;
      this.leave('paused');
    } finally {
      this.#isRenewing = false;
    }
  }

  async #lookOnceMore(): Promise<void> {
    this.#lastLook = 'due';
    await wholeTurn();
    this.#lastLook = 'done';
    this.#options.changed();
  }

  /** Reports results to the server; each part may fail separately. */
  async #send(toSend: ToSend): Promise<void> {
    const { window } = this;
    const { processed, failed, unstarted, burials, missing } = toSend;
    const exchanges: Promise<void>[] = [];
    if (processed.length > 0) exchanges.push(this.#acknowledge(processed));
    if (missing.length > 0) exchanges.push(this.#forget(missing));
    if (failed.length > 0) exchanges.push(this.#writeFailures(failed));
    if (unstarted.length > 0) exchanges.push(this.#returnUnstarted(unstarted));
    const bytesOf = ({ pending, letter }: PendingBurial) => pending.bytes + (letter.upstreamErrors?.length ?? 0);
    const portions = portionsOf(burials, bytesOf, BURIAL_LIMITS);
    for (const portion of portions) exchanges.push(this.#bury(portion));
    const settled = await Promise.allSettled(exchanges);
    window.results.isSending = false;
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
    if (this.#isolatedId === undefined) return;
    const reported = idsOf([...processed, ...failed, ...burials.map(({ pending }) => pending)]);
    if (reported.includes(this.#isolatedId)) this.#isolatedId = undefined;
  }

  async #acknowledge(processed: readonly PendingEntry[]): Promise<void> {
    const { clock } = this.#options;
    try {
      await this.group.ack(processed);
      const redelivered = processed.filter(({ isRedelivered }) => isRedelivered);
      // before they start: a run that ends then leaves them pending
      if (redelivered.length > 0) await this.group.restore(idsOf(redelivered));
      this.window.acknowledged(processed, clock.now());
    } catch (error) {
      if (!(error instanceof LeaseLost)) this.#notSent(error, { processed });
      this.window.acknowledged(processed, clock.now()); // acknowledged, whoever holds the lease
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
    const failedAt = clock.epochMs();
    const ends = failed.map(({ id, entryFailures, targetFailures, dueAt, cause }) => {
      return { id, entryFailures, targetFailures, dueAt: dueAt + toEpochMs, failedAt, cause };
    });
    const missing = await this.group.fail(ends).catch((error: unknown) => this.#notSent(error, { failed }));
    this.window.missed(failed, missing, clock.now());
  }

  /** Gives entries back in their state before delivery. Returns those that were deleted meanwhile. */
  async #giveBack(unstarted: readonly PendingEntry[]): Promise<string[]> {
    const byCount = Map.groupBy(unstarted, ({ unconfirmedDeliveries }) => unconfirmedDeliveries);
    const replies = Array.from(byCount, ([unconfirmedDeliveries, alike]) =>
      this.group.giveBack(idsOf(alike), unconfirmedDeliveries),
    );
    return (await Promise.all(replies)).flat();
  }

  /** The last step before the lease is given back. It also counts entries deleted meanwhile: no other run would. */
  async #handBack(unstarted: readonly PendingEntry[]): Promise<void> {
    const missing = await this.#giveBack(unstarted);
    if (missing.length > 0) await this.#forget(missing);
  }

  async #returnUnstarted(unstarted: readonly PendingEntry[]): Promise<void> {
    const missing = await this.#giveBack(unstarted).catch((error: unknown) => this.#notSent(error, { unstarted }));
    this.window.missed(unstarted, missing, this.#options.clock.now());
  }

  /** Writes dead letters, each separately. If one is refused, its entry stays pending. */
  async #bury(burials: readonly PendingBurial[]): Promise<void> {
    const { clock, log, notices } = this.#options;
    const results = await this.group.bury(burials).catch((error: unknown) => {
      if (error instanceof LeaseLost) throw error;
      return burials.map(() => error as ConnectorError);
    });
    const now = clock.now();
    burials.forEach((burial, index) => {
      const { sourceId: id, deliveries, reason: detail, errorType: type } = burial.letter;
      const result = results[index];
      if (typeof result !== 'string') {
        log.error('dead letter refused', { id, error: result });
        this.window.burialRefused(burial, now);
        return;
      }
      if (result === 'buried') {
        log.warn('entry given up', { id, type, deliveries, detail });
        notices?.add({ stream: this.stream, id, type, reason: detail, attempts: deliveries });
      }
      this.window.buried(burial, result, now);
    });
  }

  /** A report did not arrive: sends it again, if that may help. */
  #notSent(error: unknown, toSend: Partial<ToSend>): never {
    if (!isNoGroup(error) && !isOfShard(error)) this.window.results.restore(toSend);
    throw error;
  }
}

/**
 * Whether Redis' error concerns one key and is permanent: no fault of the connection, the login or the server's state.
 */
export function isOfShard(error: unknown): boolean {
  return (error as Partial<ConnectorError> | undefined)?.type === 'STREAM:WRONG_TYPE';
}

/**
 * Whether the node of a shard on a cluster is out of reach, or in no state to serve it, or the shard's slot is on its
 * way to another node. Shards on other nodes may do well.
 */
export function isAway(error: unknown, { isOnCluster }: Group): boolean {
  const { type, status } = (error ?? {}) as Partial<ConnectorError>;
  return isOnCluster && type === 'STREAM:COMMAND' && (status === 503 || status === 504);
}

/** Splits items into portions for scripts; a larger item is a portion by itself. */
function portionsOf<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  { most, mostBytes }: typeof CLAIM_LIMITS,
): T[][] {
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

import { isNoGroup, LeaseLost, type Group, type Look, type Released } from './group/group.ts';
import { Intake } from './intake.ts';
import type { Item } from './item.ts';
import { Lanes } from './lanes.ts';
import { Lease } from './lease.ts';
import { Outbox } from './outbox.ts';
import type { StopReason } from './report.ts';
import type { RunParts } from './run-parts.ts';

/** How long attempts may go on once an operator has paused the group, in milliseconds. */
const PAUSE_GRACE_MS = 250;

export interface ShardEvents {
  changed(): void;
  /** Redis failed: the run ends with its error. */
  broke(error: unknown): void;
  /** Attempts in flight in this shard end now. `isLost`: what becomes of them is no longer ours to write. */
  giveUp(shard: Shard, options: { isLost: boolean }): void;
}

/** One shard: its group, and, while the run holds its lease, the window over it. */
export class Shard {
  readonly stream: string;
  readonly group: Group;
  readonly lease: Lease;
  readonly #parts: RunParts;
  readonly #events: ShardEvents;
  /** What the last look at it found. */
  look: Look = { state: 'missing', pending: 0, lag: 0, oldestId: null, unreadId: null };
  lookedAt = -Infinity;
  /** Whether the run holds its lease. */
  isOwned = false;
  /** Why the run has ended its work on it for good. */
  reason: StopReason | undefined;
  /** Nothing starts any more; its lease is given back once nothing is in flight. */
  isLeaving = false;
  isReleasing = false;
  /** When attempts that are still in flight are given up, because it leaves in a hurry. */
  giveUpAt = Infinity;
  ownedSince = 0;
  /** Whether the run has held its lease at any time. */
  wasOwned = false;
  releasedAt = -Infinity;
  /** Since when nothing of it is in flight although all places are taken. */
  unservedSince: number | undefined;
  isGroupMissing = false;
  /** Counts how often it was opened: what belongs to an earlier time is out of date. */
  epoch = 0;
  lanes!: Lanes;
  intake!: Intake;
  outbox!: Outbox;
  giveUp!: AbortController;
  signal!: AbortSignal; // kept: made when it is first asked for, it would have V8 compile the start of an attempt anew
  inFlight = 0;
  burying = 0;
  #isRenewing = false;
  #hasMadeGroup = false;
  /** Whether nothing was left to do when its lease was given back. */
  isLeftEmpty = false;

  constructor(stream: string, group: Group, parts: RunParts, events: ShardEvents) {
    this.stream = stream;
    this.group = group;
    this.#parts = parts;
    this.#events = events;
    this.lease = new Lease(group, parts.clock, parts.settings.leaseMs);
    this.open();
  }

  /** Begins with an empty window. */
  open(): void {
    const { group } = this;
    const { target, settings, counts, clock, bodies } = this.#parts;
    this.epoch++;
    (this.lanes as Lanes | undefined)?.close();
    const lanes = new Lanes({ suspectFrom: settings.maxDeliveries, bodies });
    const outbox = new Outbox({ group, lanes, clock });
    [this.lanes, this.outbox, this.isGroupMissing] = [lanes, outbox, false];
    this.intake = new Intake({ group, lanes, outbox, target, settings, counts, clock, bodies });
    this.giveUp = new AbortController();
    this.signal = this.giveUp.signal;
  }

  /** Whether attempts may start from it. */
  isActive(now: number): boolean {
    return this.isOwned && !this.isLeaving && !this.isGroupMissing && now < this.lease.validUntil;
  }

  /** Whether nothing is under way, of attempts and of talk with the server. */
  get isQuiet(): boolean {
    return this.inFlight + this.burying === 0 && this.outbox.isEmpty && this.intake.isIdle;
  }

  /** Takes the lease. Returns the level of the breaker, or undefined where it is not to be had. */
  async acquire(): Promise<number | undefined> {
    const { outcome, level } = await this.lease.acquire();
    if (outcome !== 'acquired') {
      this.look = { ...this.look, state: outcome };
      return undefined;
    }
    this.open();
    [this.isOwned, this.isLeaving, this.giveUpAt, this.unservedSince] = [true, false, Infinity, undefined];
    this.ownedSince = this.#parts.clock.now();
    this.wasOwned = true;
    return level;
  }

  /** Ends the work on it, for the reason that is given or for now. */
  leave(reason?: StopReason): void {
    this.reason ??= reason;
    this.isLeaving = true;
  }

  /** Talks to the server where there is something to say, all in one packet. */
  exchange(asked: readonly (() => Promise<void>)[], isSending: boolean): void {
    const now = this.#parts.clock.now();
    if (this.outbox.isDue(now, isSending || asked.length > 0)) this.do(() => this.outbox.flush());
    for (const ask of asked) this.do(ask);
    if (now >= this.lease.renewAt && !this.#isRenewing) this.do(() => this.#renew());
  }

  /** Does something that the server answers, and looks at what came of it. */
  do(work: () => Promise<void>): void {
    const { epoch } = this;
    work()
      .catch((error: unknown) => epoch === this.epoch && this.failed(error))
      .finally(() => this.#events.changed());
  }

  /** What was under way may have happened or not; the next run finds out from the pending list. */
  failed(error: unknown): void {
    if (isNoGroup(error)) this.isGroupMissing = true;
    else if (error instanceof LeaseLost) this.lose();
    else this.#events.broke(error);
  }

  /** Another run may hold it by now: nothing is written any more, and what is in flight is aborted. */
  lose(): void {
    if (!this.isOwned) return;
    this.lease.lose();
    this.#events.giveUp(this, { isLost: true });
    this.forget('lease-lost');
    this.#parts.log.warn('lease lost', { stream: this.stream });
  }

  /** Delivers an entry to be tried alone. Returns whether its body is still there. */
  async claimAlone(item: Item): Promise<boolean> {
    try {
      return await this.intake.claimAlone(item);
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  /** Gives back what was delivered but not attempted, which does not count, and then the lease. */
  async release(options: { isDrained: boolean; restMs: number }): Promise<Released> {
    const { log, settings } = this.#parts;
    const isEmpty = this.lanes.size === 0;
    await Promise.all(this.outbox.giveBack(this.lanes.takeUnstarted())).catch((error: unknown) => {
      log.warn('entries not handed back', { stream: this.stream, error });
    });
    if (settings.trim) {
      await this.group.trim().catch((error: unknown) => log.warn('not trimmed', { stream: this.stream, error }));
    }
    const released = await this.group.release(options);
    this.isLeftEmpty = isEmpty && released === 'released';
    if (released !== 'unread') this.forget();
    return released;
  }

  forget(reason?: StopReason): void {
    this.reason ??= reason;
    this.isOwned = false;
    this.releasedAt = this.#parts.clock.now();
    this.open();
  }

  /** NOGROUP is also what a read gets once the lease has expired; so the lease is looked at before the group is made. */
  async makeGroup(): Promise<void> {
    const { counts, log } = this.#parts;
    await this.lease.renew();
    if (this.#hasMadeGroup) return this.leave('group-destroyed');
    this.#hasMadeGroup = await this.group.create();
    if (this.#hasMadeGroup) counts.groupsCreated++;
    log.warn('group missing', { stream: this.stream });
    this.open();
  }

  async #renew(): Promise<void> {
    this.#isRenewing = true;
    try {
      if ((await this.lease.renew()) === 'renewed' || this.reason === 'paused') return;
      this.giveUpAt = this.#parts.clock.now() + PAUSE_GRACE_MS;
      this.leave('paused');
    } finally {
      this.#isRenewing = false;
    }
  }
}

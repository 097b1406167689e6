import { Attempts } from './attempts.ts';
import type { AttemptEvents, RestReason } from './attempt-events.ts';
import type { Group } from './group/group.ts';
import { Exchanges } from './exchanges.ts';
import { Notifier } from './notifier.ts';
import type { ShardEnd, StopReason } from './report.ts';
import { releaseAll, releaseDrained } from './release.ts';
import type { RunParts } from './run-parts.ts';
import { Shard } from './shard.ts';
import { endOf } from './shard-end.ts';
import { Shards } from './shards.ts';
import { TargetRest } from './target-rest.ts';
import { Times } from './times.ts';

/** A run stays for an entry, or for a rest of the target, that ends so soon; later ones are left to the next run, in ms. */
const WORTH_WAITING_MS = 5000;
/** How soon to try again what the server did not respond to, in milliseconds. */
const RETRY_MS = 200;

type RunOptions = Omit<RunParts, 'changed' | 'bodies'> & {
  shards: readonly { stream: string; group: Group }[];
  startedAt: number;
};

/**
 * The work of a run, over all its shards. One loop looks at what there is to do whenever something has changed: it
 * starts attempts, and sends what there is to say to the server in one packet.
 */
export class Run implements AttemptEvents {
  readonly #parts: RunParts;
  readonly #times: Times;
  readonly #notifier: Notifier;
  readonly #shards: Shards;
  readonly #attempts: Attempts;
  readonly #exchanges: Exchanges;
  readonly #rest: TargetRest;
  #stop: StopReason | undefined;
  #failure: Error | undefined;
  #retryAt = 0;
  #hasDecided = false;
  #isUnread = false;

  constructor({ shards, startedAt, ...options }: RunOptions) {
    const { clock, settings } = options;
    this.#notifier = new Notifier(clock);
    this.#parts = { ...options, bodies: { bytes: 0 }, changed: () => this.#notifier.notify() };
    this.#times = new Times(startedAt, settings.budgetMs);
    this.#rest = new TargetRest(clock);
    const events = {
      changed: this.#parts.changed,
      broke: (error: unknown) => this.#broke(error),
      giveUp: (shard: Shard, { isLost }: { isLost: boolean }) => this.#giveUp(shard, isLost),
    };
    const all = shards.map(({ stream, group }) => new Shard(stream, group, this.#parts, events));
    this.#shards = new Shards(all, this.#parts, () => this.#attempts, (shard) => this.#exchanges.release(shard)); // prettier-ignore
    this.#attempts = new Attempts(this.#parts, this);
    this.#exchanges = new Exchanges(this.#parts, this.#shards, this.#attempts);
  }

  /** Whether it ended by its deadline with entries unread. */
  get needsSuccessor(): boolean {
    return this.#stop === 'deadline' && this.#isUnread;
  }

  /** Works until there is a reason to stop. */
  async carry(): Promise<void> {
    do await this.#loop();
    while (!this.#isEnding && !(await releaseDrained(this.#shards.owned, this.#rest.ms)));
    const { log } = this.#parts;
    this.#isUnread = await releaseAll(this.#shards.all, this.#rest.ms, log);
    if (this.#failure) throw this.#failure;
  }

  /** How often in a row the breaker opened. */
  get breakerLevel(): number {
    return this.#attempts.breaker.level;
  }

  /** Where it leaves its shards. */
  ends(): Promise<ShardEnd[]> {
    return Promise.all(this.#shards.all.map((shard) => endOf(shard, this.#stop)));
  }

  active(): readonly Shard[] {
    return this.#shards.active;
  }

  mayStart(now: number): boolean {
    return !this.#isEnding && now >= this.#rest.until && now < this.#lastStart;
  }

  rest(ms: number, reason: RestReason): void {
    this.#rest.prolong(ms, reason);
  }

  level(level: number): void {
    for (const shard of this.#shards.owned) shard.do(() => shard.group.setLevel(level));
  }

  async #loop(): Promise<void> {
    for (;;) {
      const now = this.#parts.clock.now();
      this.#shards.refresh(now);
      for (const { lanes } of this.#shards.active) lanes.wake(now);
      if (!this.#isEnding && this.#isDone(now)) return;
      this.#checkTimes(now);
      if (this.#isEnding && this.#isSettled(now)) return;
      if (!this.#isEnding) this.#shards.tend(now, { isLingering: this.#lingerUntil > now });
      this.#exchange(now);
      this.#attempts.filling.ask();
      await this.#notifier.wait(this.#nextEvent(now));
    }
  }

  #exchange(now: number): void {
    if (now < this.#retryAt) return;
    const { owned, readySize } = this.#shards;
    const phase = {
      isTakingIn: !this.#isEnding,
      readySize,
      failingWanted: this.#attempts.failingWanted(now),
      lingerUntil: this.#lingerUntil,
      lastStart: this.#lastStart,
    };
    for (const shard of owned) this.#exchanges.send(shard, now, phase);
  }

  #broke(error: unknown): void {
    this.#failure ??= error as Error;
    this.#retryAt = this.#parts.clock.now() + RETRY_MS;
  }

  get #isEnding(): boolean {
    return this.#stop !== undefined || this.#failure !== undefined;
  }

  get #lastStart(): number {
    return this.#times.lastStart(this.#attempts.longestMs);
  }

  get #lingerUntil(): number {
    const { lingerMs } = this.#parts.settings;
    if (lingerMs === 0) return 0;
    return Math.max(this.#times.startedAt, ...this.#shards.owned.map(({ intake }) => intake.lastEntryAt)) + lingerMs;
  }

  #checkTimes(now: number): void {
    for (const shard of this.#shards.owned) {
      if (now >= shard.lease.validUntil) shard.lose();
      else if (now >= Math.min(shard.giveUpAt, this.#times.giveUp)) this.#giveUp(shard, false);
    }
    if (now >= this.#lastStart) this.#stop ??= 'deadline';
    if (this.#rest.until > Math.min(now + WORTH_WAITING_MS, this.#lastStart)) this.#stop ??= this.#rest.reason;
  }

  #giveUp(shard: Shard, isLost: boolean): void {
    if (shard.inFlight > 0) this.#attempts.giveUp(shard, { isLost, fairMs: this.#times.half });
  }

  /** Whether nothing is under way, and nothing can be done soon. */
  #isDone(now: number): boolean {
    if (this.#shards.isTaking || this.#attempts.inFlight > 0) return false;
    const { owned, active } = this.#shards;
    if (owned.length > active.length || !owned.every((shard) => shard.isQuiet && isSpent(shard, now))) return false;
    this.#attempts.decideSpent();
    if (!owned.every(({ isQuiet }) => isQuiet)) return false;
    const soon = Math.min(now + WORTH_WAITING_MS, this.#lastStart);
    if (owned.some(({ lanes }) => lanes.nextDueAt <= soon)) return false;
    return !this.#shards.isAnyWaiting && (now >= this.#lingerUntil || now >= this.#lastStart);
  }

  /** Whether a run that ends has nothing more to wait for. */
  #isSettled(now: number): boolean {
    if (now >= this.#times.end) return true;
    if (this.#shards.isTaking || this.#attempts.inFlight > 0) return false;
    if (!this.#hasDecided) this.#attempts.decideAll();
    this.#hasDecided = true;
    return this.#shards.owned.every(({ isQuiet }) => isQuiet);
  }

  #nextEvent(now: number): number {
    const times = [this.#rest.until, this.#retryAt, this.#lastStart, this.#times.giveUp, this.#times.end];
    times.push(this.#lingerUntil, this.#attempts.nextEvent(now), this.#shards.nextEvent(now));
    for (const { lease, outbox, lanes, intake, giveUpAt } of this.#shards.owned) {
      times.push(lease.renewAt, lease.validUntil, outbox.dueAt, lanes.nextDueAt);
      times.push(intake.pollAt, intake.pastAt, giveUpAt);
    }
    return times.reduce((next, time) => (time > now && time < next ? time : next), Infinity);
  }
}

/** Whether nothing of a shard can be attempted, and nothing is left to take in. */
const isSpent = ({ lanes, intake }: Shard, now: number): boolean => {
  const waiting = lanes.readySize + lanes.suspects.size + lanes.unclaimed.fresh.size + lanes.unclaimed.failing.size;
  return waiting === 0 && (intake.isFull || intake.isDry(now));
};

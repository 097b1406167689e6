import type { Log } from '../core/log.ts';
import { Notifier, RunTimes, type Clock } from './clock.ts';
import type { NewLetter } from './dead-letters/notice.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import type { Group } from './group/group.ts';
import type { Rate, Reserved } from './group/rate.ts';
import type { ShardEnd, StopReason } from './report.ts';
import type { RunContext } from './run-context.ts';
import type { Settings } from './settings.ts';
import { AttemptRunner } from './shards/attempt-runner.ts';
import { LeaseCoordinator, LINGER_POLL_MS, perShards, POLL_MS } from './shards/lease-coordinator.ts';
import type { ShardConsumer } from './shards/shard-consumer.ts';
import type { Target } from './targets/target.ts';
import { BodyBudget } from './window/key-order.ts';

/** A run waits for entries and rests that are due within this time, in milliseconds. The next run takes later ones. */
const WORTH_WAITING_MS = 5000;
/** How soon to retry after the server did not respond, in milliseconds. */
const RETRY_MS = 200;
/** With a rate, a run has entries ready for this time, in milliseconds. */
const RATE_AHEAD_MS = 250;
/** An empty stream that had an entry within this time is polled most often, in milliseconds. */
const RECENT_MS = 1000;
/** Longest block for the next entry of a single shard, in milliseconds. */
const BLOCK_MS = 400;

export interface RunOptions extends Omit<RunContext, 'changed' | 'fail'> {
  readonly shards: readonly { stream: string; group: Group }[];
  readonly target: Target;
  /** The shared rate for `ratePerSecond`; undefined without a limit. */
  readonly rate?: Rate | undefined;
  readonly startedAt: number;
  /** Counts the failure of each attempt, for alarms. */
  readonly failures?: { addAttempt(error: unknown): unknown } | undefined;
  /** Receives each new dead letter. */
  readonly notices?: { add(letter: NewLetter): void } | undefined;
}

/**
 * The work of a run over all its shards. Its loop wakes at every change and every due time: it lets shards be taken and
 * given back, asks the server for entries, and lets attempts start. It decides when the run ends, and why.
 */
export class Run {
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #rate: Rate | undefined;
  /** Maximum entries of an attempt. */
  readonly #batchSize: number;
  readonly #times: RunTimes;
  readonly #notifier: Notifier;
  readonly #coordinator: LeaseCoordinator;
  readonly #dispatcher: Dispatcher<ShardConsumer>;
  readonly #attemptRunner: AttemptRunner;
  #stop: StopReason | undefined;
  #failure: Error | undefined;
  #retryAt = 0;
  #hasDecided = false;
  #isAnyLeft = false;

  constructor({ shards, target, rate, startedAt, failures, notices, ...shared }: RunOptions) {
    const { settings, clock, log } = shared;
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    this.#rate = rate;
    this.#batchSize = target.batch?.size ?? 1;
    this.#times = new RunTimes(startedAt, settings.budgetMs);
    const notifier = new Notifier(clock);
    const dispatcher = new Dispatcher<ShardConsumer>({ settings, target, clock, log });
    const changed = () => notifier.notify();
    const context: RunContext = { ...shared, changed, fail: (error) => this.#fail(error) };
    const shardContext = { ...context, target, notices, budget: new BodyBudget(settings.bodyBytes) };
    const coordinator = new LeaseCoordinator(shards, shardContext, (level) => dispatcher.remember(level));
    const mayStart = (now: number) => !this.#isEnding && now < this.#lastStart;
    this.#notifier = notifier;
    this.#dispatcher = dispatcher;
    this.#coordinator = coordinator;
    const attempts = { target, failures, mayStart, giveUpAt: this.#times.giveUp };
    this.#attemptRunner = new AttemptRunner({ ...context, ...attempts, dispatcher, coordinator });
  }

  /** Whether it reached its deadline with entries that it never attempted. */
  get needsSuccessor(): boolean {
    return this.#stop === 'deadline' && this.#isAnyLeft;
  }

  get breakerLevel(): number {
    return this.#dispatcher.level;
  }

  /** Redis' error for a single shard; the run processed the others. */
  get shardError(): Error | undefined {
    return this.#coordinator.error;
  }

  /**
   * Works until there is a reason to stop.
   *
   * @throws the error that ended all work: Redis is out of reach, or refuses the whole run
   */
  async carry(): Promise<void> {
    const failed = (error: unknown) => this.#fail(error);
    do await this.#loop().catch(failed);
    while (!this.#isEnding && !(await this.#coordinator.releaseDrained(this.#restMs).catch(failed)));
    this.#isAnyLeft = await this.#coordinator.releaseAll(this.#restMs, this.#log);
    if (this.#failure) throw this.#failure;
  }

  /** The final state of its shards. */
  ends(): Promise<ShardEnd[]> {
    return this.#coordinator.ends(this.#stop);
  }

  async #loop(): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      this.#settleLeases(now);
      if (!this.#isEnding && this.#isDone(now)) return;
      this.#checkTimes(now);
      if (this.#isEnding && this.#isSettled(now)) return;
      if (!this.#isEnding) this.#tend(now);
      this.#exchange(now);
      this.#reserve(now);
      this.#attemptRunner.fill();
      await this.#notifier.wait(this.#nextEvent(now));
    }
  }

  /** Handles ended leases, and heads that are due. */
  #settleLeases(now: number): void {
    this.#coordinator.refresh(now);
    for (const ended of this.#coordinator.takeEnded()) this.#dispatcher.giveUp(ended);
    for (const { window } of this.#coordinator.active) window.keys.wake(now);
  }

  #tend(now: number): void {
    const isBusy = this.#dispatcher.inFlight > 0;
    this.#coordinator.tend(now, { free: this.#freeAttempts, isBusy, isLingering: this.#lingerUntil > now });
  }

  #exchange(now: number): void {
    if (now < this.#retryAt) return;
    const { active, consumers, readySize } = this.#coordinator;
    const level = this.#dispatcher.level;
    const isIdle = this.#dispatcher.inFlight + readySize === 0;
    const { isCalm, freeSlots } = this.#dispatcher;
    const need = {
      // while the target is in doubt, a fresh key goes first; ready failing ones cannot replace it
      wanted: isCalm
        ? this.#freeAttempts
        : freeSlots - active.reduce((sum, { window }) => sum + window.keys.ready.fresh.size, 0),
      failingWanted: this.#dispatcher.failingWanted(active, now),
      isCalm,
      ahead: this.#aheadPerShard,
    };
    const isAsking = !this.#isEnding && !this.#isDrainedRound(now);
    const pollMs = this.#settings.lingerMs > 0 ? LINGER_POLL_MS : POLL_MS;
    const quietPollMs = perShards(pollMs, consumers.length);
    for (const consumer of consumers) {
      const isRecent = now - consumer.window.lastEntryAt < RECENT_MS;
      const polling = { pollMs: isRecent ? pollMs : quietPollMs, blockMs: this.#blockMs(consumer, now) };
      consumer.exchange(now, isAsking ? { ...need, ...polling } : undefined, { level, isIdle });
    }
  }

  /** Whether all shards were found empty, and the run lingers no longer: then it asks for nothing more. */
  #isDrainedRound(now: number): boolean {
    const { consumers } = this.#coordinator;
    return now >= this.#lingerUntil && consumers.every(({ window }) => window.isEmpty);
  }

  /** Reserves calls of the group's rate for ready entries. */
  #reserve(now: number): void {
    if (!this.#rate || this.#isEnding || now < this.#retryAt) return;
    const calls = this.#dispatcher.toReserve(this.#coordinator.active, now);
    if (calls === 0) return;
    const ended = (reserved?: Reserved) => {
      this.#dispatcher.reserved(reserved);
      this.#notifier.notify();
    };
    this.#rate.reserve(calls, this.#lastStart - now).then(
      (reserved) => {
        if (!reserved) this.#stop ??= 'backpressure';
        ended(reserved);
      },
      (error: unknown) => {
        this.#fail(error);
        ended();
      },
    );
  }

  /** A single shard blocks for its next entry if there is nothing else to do. */
  #blockMs({ window }: ShardConsumer, now: number): number | undefined {
    if (this.#coordinator.size > 1 || this.#lingerUntil <= now) return undefined;
    if (!window.isQuiet || window.keys.readySize > 0 || window.keys.nextDueAt < Infinity) return undefined;
    return Math.max(1, Math.min(BLOCK_MS, this.#lingerUntil - now, this.#lastStart - now));
  }

  #fail(error: unknown): void {
    this.#failure ??= error as Error;
    this.#retryAt = this.#clock.now() + RETRY_MS;
    this.#notifier.notify();
  }

  get #isEnding(): boolean {
    return this.#stop !== undefined || this.#failure !== undefined;
  }

  /** Number of attempts that could start soon beyond the ready ones. */
  get #freeAttempts(): number {
    const { ratePerSecond = Infinity } = this.#settings;
    const calls = Math.max(1, Math.ceil((ratePerSecond * RATE_AHEAD_MS) / 1000));
    return Math.min(this.#dispatcher.freeSlots, calls) - this.#coordinator.readySize;
  }

  /** Number of entries that each shard has loaded ahead: all together, what the run can start soon. */
  get #aheadPerShard(): number {
    const { concurrency, ratePerSecond = Infinity } = this.#settings;
    const soon = Math.min(2 * concurrency, (ratePerSecond * RATE_AHEAD_MS) / 1000);
    const calls = Math.min(concurrency + Math.max(0, this.#freeAttempts), soon);
    const shards = this.#coordinator.active.reduce((sum, { window }) => sum + (window.isEmpty ? 0 : 1), 0);
    return Math.max(1, (calls * this.#batchSize) / Math.max(1, shards));
  }

  /** Remaining rest of the target, in milliseconds. */
  get #restMs(): number {
    return Math.max(0, this.#dispatcher.rest.until - this.#clock.now());
  }

  get #lastStart(): number {
    return this.#times.lastStart(this.#dispatcher.longestMs(this.#clock.now()));
  }

  /** Until when a drained run lingers. */
  get #lingerUntil(): number {
    const { lingerMs } = this.#settings;
    if (lingerMs === 0) return 0;
    const { consumers } = this.#coordinator;
    return Math.max(this.#times.startedAt, ...consumers.map(({ window }) => window.lastEntryAt)) + lingerMs;
  }

  #checkTimes(now: number): void {
    for (const consumer of this.#coordinator.consumers) {
      if (consumer.hasLostLease(now)) {
        consumer.lose();
        this.#dispatcher.giveUp(consumer);
      } else if (now >= this.#times.giveUp) this.#giveUp(consumer, this.#times.half);
      else if (now >= consumer.giveUpAt) this.#giveUp(consumer);
    }
    if (now >= this.#lastStart) {
      this.#stop ??= this.#dispatcher.isRateLimited(this.#coordinator.active, now) ? 'backpressure' : 'deadline';
    }
    const { until, reason } = this.#dispatcher.rest;
    if (until > Math.min(now + WORTH_WAITING_MS, this.#lastStart)) this.#stop ??= reason;
  }

  /** @param fairMs duration from which an attempt counts as the target's own timeout */
  #giveUp(consumer: ShardConsumer, fairMs?: number): void {
    // a process that was starved hears of its deadline before the responses that came in time
    if (consumer.window.inFlight === 0 || !consumer.hasLookedOnceMore()) return;
    consumer.abort();
    this.#dispatcher.giveUp(consumer, fairMs);
  }

  /** Whether nothing is in flight, and nothing can be done soon. */
  #isDone(now: number): boolean {
    if (this.#coordinator.isTaking || this.#dispatcher.inFlight > 0) return false;
    const { consumers, active } = this.#coordinator;
    if (consumers.length > active.length) return false;
    if (!consumers.every(({ window }) => window.isQuiet && (window.isEmpty || window.isSpent(now)))) return false;
    this.#dispatcher.decideSpent();
    if (!consumers.every(({ window }) => window.isQuiet)) return false;
    const soon = Math.min(now + WORTH_WAITING_MS, this.#lastStart);
    if (consumers.some(({ window }) => window.keys.nextDueAt <= soon)) return false;
    if (this.#coordinator.isFinished) return true;
    if (this.#coordinator.mayGet(now) && now < this.#lastStart) return false;
    return !this.#coordinator.hasUnleasedWork && (now >= this.#lingerUntil || now >= this.#lastStart);
  }

  /** Whether an ending run has nothing more to wait for. */
  #isSettled(now: number): boolean {
    if (this.#dispatcher.inFlight > 0) return false;
    if (now >= this.#times.end) return true;
    if (this.#coordinator.isTaking) return false;
    if (!this.#hasDecided) this.#dispatcher.decideAll();
    this.#hasDecided = true;
    const { level } = this.#dispatcher;
    return this.#coordinator.consumers.every((consumer) => consumer.isSettled(level));
  }

  #nextEvent(now: number): number {
    const { rest } = this.#dispatcher;
    const times = [rest.until, this.#retryAt, this.#lastStart, this.#times.giveUp, this.#times.end];
    times.push(this.#lingerUntil, this.#dispatcher.nextEvent(now), this.#coordinator.nextEvent(now));
    for (const consumer of this.#coordinator.consumers) times.push(...consumer.nextEvents());
    return times.reduce((next, time) => (time > now && time < next ? time : next), Infinity);
  }
}

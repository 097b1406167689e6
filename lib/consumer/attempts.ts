import type { AttemptEvents } from './attempt-events.ts';
import { headsOf, REPORTED, splitBatch } from './batch.ts';
import { Breaker } from './breaker.ts';
import { deliver } from './delivery.ts';
import { Coalesced } from './coalesce.ts';
import { Failures, MAX_CRASHES, type FailedItem } from './failures.ts';
import { classify, type Failure } from './targets/failure.ts';
import { Chooser, type Choice } from './choice.ts';
import type { RunParts } from './run-parts.ts';
import { Running, type Attempt } from './running.ts';
import type { Shard } from './shard.ts';
import { Shares } from './shares.ts';

/** How many attempts begin in a turn of the event loop, where none has just ended: their calls leave at its end. */
const STARTS_A_TURN = 4;

/** Gives entries to the target, some at a time, over all shards. */
export class Attempts {
  readonly #parts: RunParts;
  readonly #events: AttemptEvents;
  readonly #running = new Running();
  readonly #failures: Failures;
  readonly #shares: Shares;
  readonly breaker: Breaker<FailedItem>;
  /** Since when nothing starts, because an entry is to be tried alone; and whether it is being tried. */
  #aloneSince: number | undefined;
  #isAlone = false;
  /** Whether an outbox had been empty, so that the run must look at it. */
  #isNews = false;
  /** Starts attempts once what is to be sent to the server has left: it works on that while they begin and end. */
  readonly filling = new Coalesced(setImmediate, () => this.#fill(STARTS_A_TURN));
  /** Starts others in place of those that ended, once all that end together have. */
  readonly #refilling = new Coalesced(queueMicrotask, () => this.#refill());
  /** The longest attempt so far, in milliseconds. */
  longestMs = 0;

  constructor(parts: RunParts, events: AttemptEvents) {
    this.#parts = parts;
    this.#events = events;
    this.#shares = new Shares(parts.settings.concurrency, parts.clock.now());
    this.breaker = new Breaker(parts.settings.refusalLimit, {
      decided: (failures, verdict) => this.#failures.decide(failures, verdict),
      opened: (restMs, isRefused) => {
        events.rest(restMs, isRefused ? 'target-refuses' : 'upstream-unavailable');
        events.level(this.breaker.level);
      },
      closed: () => events.level(0),
    });
    this.#failures = new Failures(parts, this.breaker);
  }

  /** How many are under way. */
  get inFlight(): number {
    return this.#running.size;
  }

  /** How many may start now, whatever is ready. */
  get places(): number {
    return this.breaker.places(this.#parts.settings.concurrency, this.inFlight);
  }

  /** How many failing heads are worth their bodies now. */
  failingWanted(now: number): number {
    const active = this.#events.active();
    const ready = active.reduce((sum, { lanes }) => sum + lanes.ready.failing.size, 0);
    const isAnyFresh = active.some(({ lanes }) => lanes.ready.fresh.size > 0);
    return (isAnyFresh ? (this.#shares.mayStart('failing', now) ? 1 : 0) : this.places) - ready;
  }

  /** When a kind of heads that is held back may go on. */
  nextEvent(now: number): number {
    return this.#shares.nextEvent(now);
  }

  /** Starts as many attempts as may run at a time: at most so many now, and the others in the next turns of the event loop. */
  #fill(most = Infinity): void {
    const { clock, target } = this.#parts;
    const active = this.#events.active();
    const chooser = new Chooser(active, this.#shares, target);
    for (let started = 0; ; started++) {
      const now = clock.now(); // anew for each: the process may have been stopped since the last
      const { mode } = this.breaker;
      if (this.#isAlone || this.places <= 0 || !this.#events.mayStart(now)) return;
      if (started === most) return this.filling.ask();
      if (this.#aloneSince !== undefined || chooser.isTimeForSuspect(mode, now)) return this.#tryAlone(now);
      const choice = chooser.choose(mode, now);
      if (!choice) return;
      this.#start(choice, now);
    }
  }

  /** With nothing else to do, nothing more will be known of the entries that have used up their tries. */
  decideSpent(): void {
    this.breaker.decide(this.#failures.isSpent);
  }

  /** At the end, what is undecided stays as it was counted. */
  decideAll(): void {
    this.breaker.decide(() => true);
  }

  /** Ends the attempts under way in a shard. Their entries are not at fault, unless the target should have been done. */
  giveUp(shard: Shard, { fairMs, isLost }: { fairMs: number; isLost: boolean }): void {
    const { clock, target } = this.#parts;
    const given = this.#running.of(shard);
    shard.giveUp.abort();
    for (const attempt of given) {
      this.#end(attempt);
      const isFair = attempt.items.length === 1 && clock.now() - attempt.startedAt >= fairMs;
      const kind = isFair ? (target.timeoutKind ?? 'outage') : 'outage';
      if (!isLost) this.#failures.giveUp(shard, headsOf(attempt.items), kind);
    }
    this.breaker.ended(this.inFlight); // those of other shards wait for the last probe
  }

  /**
   * Tries a suspect, which was delivered often and nobody wrote how that ended, while nothing else is under way: so an
   * entry that ends its process is distinguished from those that only happened to be there.
   */
  #tryAlone(now: number): void {
    this.#aloneSince ??= now;
    if (this.inFlight > 0) return;
    const shard = this.#events.active().find(({ lanes, lease }) => lanes.suspects.size > 0 && now < lease.validUntil);
    if (shard && !shard.outbox.isEmpty) return; // what it holds would take the mark of the suspect away
    const since = this.#aloneSince;
    const item = shard?.lanes.suspects.shift();
    this.#aloneSince = undefined;
    if (!shard || !item) return;
    if (item.crashes >= MAX_CRASHES) return this.#failures.buryCrashed(shard, item);
    item.hasState = true;
    this.#isAlone = true;
    this.#start({ shard, items: [item], kind: 'failing' }, since, true);
  }

  #start({ shard, items, kind }: Choice, startedAt: number, isAlone = false): void {
    const begunAs = this.breaker.begin();
    const attempt = this.#running.add({ shard, items, kind, startedAt, begunAs, isAlone });
    shard.inFlight++;
    this.#shares.began(kind);
    const delivered = isAlone ? this.#deliverAlone(attempt) : deliver(this.#parts.target, shard, items);
    delivered.then(
      (failedIds) => attempt.place >= 0 && this.#succeed(attempt, failedIds),
      (error: unknown) => attempt.place >= 0 && this.#fail(attempt, error),
    );
  }

  async #deliverAlone(attempt: Attempt): Promise<undefined> {
    const { shard, items } = attempt;
    const hasBody = await shard.claimAlone(items[0]!);
    if (attempt.place < 0) return; // given up during the claim: the lease may be another run's by now
    if (hasBody) await deliver(this.#parts.target, shard, items);
    else this.#finish(attempt);
  }

  #succeed(attempt: Attempt, failedIds: ReadonlySet<string> | undefined): void {
    const { shard, items, begunAs } = attempt;
    this.#end(attempt);
    const { taken, failed } = items.length > 1 ? splitBatch(items, failedIds!) : { taken: items, failed: [] };
    this.#parts.counts.processed += taken.length;
    for (const item of taken) shard.outbox.taken(item);
    if (taken.length > 0) this.breaker.succeeded(begunAs);
    for (const item of failed) this.#failures.fail(shard, item, REPORTED, item === failed[0]);
    this.#finish(attempt);
  }

  #fail(attempt: Attempt, error: unknown): void {
    this.#parts.countFailure?.(error);
    const failure = classify(error);
    const { shard, items } = attempt;
    const { kind, isThrottle, retryAfterMs } = failure;
    this.#end(attempt);
    if (isThrottle && retryAfterMs !== undefined) this.#events.rest(retryAfterMs, 'upstream-unavailable');
    // a batch that fails as a whole says nothing of its entries: they are tried one by one
    const each: Failure = items.length > 1 && kind !== 'outage' ? { ...failure, kind: 'outage' } : failure;
    headsOf(items).forEach((item, at) => this.#failures.fail(shard, item, each, at === 0));
    this.#finish(attempt);
  }

  #end(attempt: Attempt): void {
    if (!this.#running.end(attempt)) return;
    const { shard, kind, startedAt, isAlone } = attempt;
    const now = this.#parts.clock.now();
    const tookMs = now - startedAt;
    shard.inFlight--;
    this.longestMs = Math.max(this.longestMs, tookMs);
    if (isAlone) this.#isAlone = false;
    this.#shares.ended(kind, isAlone ? tookMs * this.#parts.settings.concurrency : tookMs, now);
  }

  #finish(attempt: Attempt): void {
    this.#end(attempt);
    this.breaker.ended(this.inFlight);
    this.#isNews ||= attempt.shard.outbox.size === 1;
    this.#refilling.ask();
  }

  #refill(): void {
    this.#fill();
    if (this.places > 0 || this.#isNews) this.#parts.changed();
    this.#isNews = false;
  }
}

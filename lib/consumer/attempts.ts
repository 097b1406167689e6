import type { AttemptEvents } from './attempt-events.ts';
import { headsOf, splitBatch } from './batch.ts';
import { Breaker } from './breaker.ts';
import { isDoubtful } from './entry.ts';
import { Failures, MAX_CRASHES, type FailedItem } from './failures.ts';
import { attemptsOf, type Item } from './item.ts';
import type { Kind } from './lanes.ts';
import { classify, TargetFailure, type Failure } from './outcome.ts';
import { choose, type Choice } from './choice.ts';
import type { RunParts } from './run-parts.ts';
import type { Shard } from './shard.ts';
import { Share } from './share.ts';

interface Attempt extends Choice {
  readonly startedAt: number;
  readonly begunAs: number;
  readonly isAlone: boolean;
}

/** What a function says of an entry that it names in `batchItemFailures`. */
const REPORTED: Failure = { kind: 'own', type: 'LAMBDA:BATCH_ITEM', message: 'The function reported it as failed' };
const NONE: ReadonlySet<string> = new Set();

/** Gives entries to the target, some at a time, over all shards. */
export class Attempts {
  readonly #parts: RunParts;
  readonly #events: AttemptEvents;
  readonly #running = new Set<Attempt>();
  readonly #failures: Failures;
  readonly #shares: Record<Exclude<Kind, 'fresh'>, Share>;
  readonly breaker: Breaker<FailedItem>;
  /** Since when nothing starts, because an entry is to be tried alone; and whether it is being tried. */
  #aloneSince: number | undefined;
  #isAlone = false;
  /** The longest attempt so far, in milliseconds. */
  longestMs = 0;

  constructor(parts: RunParts, events: AttemptEvents) {
    const { concurrency, refusalLimit } = parts.settings;
    this.#parts = parts;
    this.#events = events;
    const now = parts.clock.now();
    this.#shares = { failing: new Share(concurrency, now), hot: new Share(concurrency, now) };
    this.breaker = new Breaker(refusalLimit, {
      decided: (failures, verdict) => this.#failures.decide(failures, verdict),
      opened: (restMs, isRefused) => {
        events.rest(restMs, isRefused ? 'target-refuses' : 'upstream-unavailable');
        events.level(this.breaker.level);
      },
      closed: () => events.level(0),
    });
    this.#failures = new Failures(parts, this.breaker, () => events.changed());
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
    const { failing } = this.#shares;
    const active = this.#events.active();
    const ready = active.reduce((sum, { lanes }) => sum + lanes.ready.failing.size, 0);
    const isAnyFresh = active.some(({ lanes }) => lanes.ready.fresh.size > 0);
    return (isAnyFresh ? (failing.mayStart(now) ? 1 : 0) : this.places) - ready;
  }

  /** When a kind of heads that is held back may go on. */
  nextEvent(now: number): number {
    const { failing, hot } = this.#shares;
    return Math.min(...[failing.freeAt(now), hot.freeAt(now)].map((at) => (at > now ? at : Infinity)));
  }

  /** Starts as many attempts as may run at a time. */
  fill(): void {
    const { clock, target } = this.#parts;
    const active = this.#events.active();
    for (;;) {
      const now = clock.now(); // anew for each: the process may have been stopped since the last
      if (this.#isAlone || this.places <= 0 || !this.#events.mayStart(now)) return;
      if (this.#aloneSince !== undefined || this.#isTimeForSuspect(now)) return this.#tryAlone(now);
      const choice = choose(active, this.breaker.mode, this.#shares, target, now);
      if (!choice) return;
      void this.#attempt(choice, now);
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
    const given = [...this.#running].filter((attempt) => attempt.shard === shard);
    shard.giveUp.abort();
    for (const attempt of given) {
      this.#end(attempt);
      const isFair = attempt.items.length === 1 && clock.now() - attempt.startedAt >= fairMs;
      const kind = isFair ? (target.timeoutKind ?? 'outage') : 'outage';
      const failure: Failure = { kind, type: 'CONNECTOR:TIMEOUT', message: 'The run ended before the target was done' };
      if (!isLost) for (const item of headsOf(attempt.items)) this.#failures.fail(shard, item, failure, false);
      if (!isLost && kind === 'own') this.#burySpent(attempt);
    }
  }

  #burySpent({ shard, items: [item] }: Attempt): void {
    if (item!.own < this.#parts.settings.maxDeliveries) return;
    this.#failures.bury(
      shard,
      item!,
      `Failed after ${attemptsOf(item!)} deliveries: it took too long`,
      'CONNECTOR:TIMEOUT',
    );
  }

  #isTimeForSuspect(now: number): boolean {
    const active = this.#events.active();
    if (!active.some(({ lanes }) => lanes.suspects.size > 0) || this.breaker.mode === 'doubt') return false;
    const isAnyReady = active.some(({ lanes }) => lanes.readySize > 0);
    return !isAnyReady || (this.breaker.mode === 'closed' && this.#shares.failing.mayStart(now));
  }

  /**
   * Tries a suspect, which was delivered often and nobody wrote how that ended, while nothing else is under way: so an
   * entry that ends its process is distinguished from those that only happened to be there.
   */
  #tryAlone(now: number): void {
    this.#aloneSince ??= now;
    if (this.inFlight > 0) return;
    const shard = this.#events.active().find(({ lanes }) => lanes.suspects.size > 0);
    if (shard && !shard.outbox.isEmpty) return; // what it holds would take the mark of the suspect away
    const since = this.#aloneSince;
    const item = shard?.lanes.suspects.shift();
    this.#aloneSince = undefined;
    if (!shard || !item) return;
    if (item.crashes >= MAX_CRASHES) return this.#failures.buryCrashed(shard, item);
    item.hasState = true;
    this.#isAlone = true;
    void this.#attempt({ shard, items: [item], kind: 'failing' }, since, true);
  }

  async #attempt(choice: Choice, startedAt: number, isAlone = false): Promise<void> {
    const { target } = this.#parts;
    const { shard, items, kind } = choice;
    const attempt: Attempt = { ...choice, startedAt, begunAs: this.breaker.begin(), isAlone };
    this.#running.add(attempt);
    shard.inFlight++;
    if (kind !== 'fresh') this.#shares[kind].inFlight++;
    try {
      if (isAlone && !(await shard.claimAlone(items[0]!))) return this.#finish(attempt);
      const failedIds = items.length === 1 ? await this.#give(shard, items[0]!) : await target.batch!.process(items.map((item) => deliveryOf(shard, item))); // prettier-ignore
      if (this.#running.has(attempt)) this.#succeed(attempt, failedIds ?? NONE);
    } catch (error) {
      if (this.#running.has(attempt)) this.#fail(attempt, classify(error));
    }
  }

  async #give(shard: Shard, item: Item): Promise<void> {
    if (isDoubtful(item.entry!) && !(await shard.group.isUtf8(item.entry!))) {
      throw new TargetFailure('invalid', 'CONNECTOR:ENCODING', 'A field is not UTF-8');
    }
    await this.#parts.target.process(item.entry!, deliveryOf(shard, item));
  }

  #succeed(attempt: Attempt, failedIds: ReadonlySet<string>): void {
    const { shard, items, begunAs } = attempt;
    const { taken, failed } = splitBatch(items, failedIds);
    this.#end(attempt);
    this.#parts.counts.processed += taken.length;
    for (const item of taken) shard.outbox.taken(item);
    if (taken.length > 0) this.breaker.succeeded(begunAs);
    failed.forEach((item, at) => this.#failures.fail(shard, item, REPORTED, at === 0));
    this.#finish(attempt);
  }

  #fail(attempt: Attempt, failure: Failure): void {
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
    if (!this.#running.delete(attempt)) return;
    const { shard, kind, startedAt, isAlone } = attempt;
    const now = this.#parts.clock.now();
    const tookMs = now - startedAt;
    shard.inFlight--;
    this.longestMs = Math.max(this.longestMs, tookMs);
    if (isAlone) this.#isAlone = false;
    if (kind === 'fresh') return;
    const share = this.#shares[kind];
    share.inFlight--;
    share.charge(isAlone ? tookMs * this.#parts.settings.concurrency : tookMs, now);
  }

  #finish(attempt: Attempt): void {
    this.#end(attempt);
    this.breaker.ended(this.inFlight);
    this.fill();
    if (this.places > 0 || attempt.shard.outbox.size === 1) this.#events.changed();
  }
}

const deliveryOf = (shard: Shard, item: Item) => {
  return { entry: item.entry!, deliveries: attemptsOf(item) + 1, signal: shard.giveUp.signal };
};

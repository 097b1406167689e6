import type { Log } from '../../core/log.ts';
import type { Clock } from '../clock.ts';
import type { StopReason } from '../report.ts';
import type { Reserved } from '../group/rate.ts';
import type { Settings } from '../settings.ts';
import type { Failure } from '../targets/failure.ts';
import type { Target } from '../targets/target.ts';
import type { Kind } from '../window/key-order.ts';
import { isFailing, type PendingEntry } from '../window/pending-entry.ts';
import type { Attempt, LoadedAttempt, IsolatedAttempt, AttemptSource } from './attempt.ts';
import { batchFrom, headsOf, REPORTED, splitBatch } from './batch.ts';
import { Breaker } from './breaker.ts';
import { FailureHandler, MAX_CRASHES, type FailedEntry } from './failure-handler.ts';
import { Fairness } from './fairness.ts';
import { RateLimiter } from './rate-limiter.ts';

export type RestReason = Extract<StopReason, 'upstream-unavailable' | 'target-refuses'>;

/** Longest rest that a target may ask for, in milliseconds. */
const MAX_REST_MS = 900_000;
/** How long an attempt may take, in milliseconds, as long as none of the run has ended. */
const UNKNOWN_ATTEMPT_MS = 500;
/** Maximum failing keys to remember. */
const MAX_FAILED_KEYS = 100_000;

const FAILING_FIRST: readonly Kind[] = ['failing', 'hot', 'fresh'];
const FRESH_FIRST: readonly Kind[] = ['fresh', 'hot', 'failing'];

/**
 * Chooses the next entry for the target, over all shards, and decides what follows: keeps the attempts in flight, the
 * shares of failing and very long keys, and the circuit breaker; decides between a retry and a dead letter. It does no
 * I/O: the caller of `next` gives the entries to the target and reports the result.
 */
export class Dispatcher<S extends AttemptSource = AttemptSource> {
  readonly #settings: Settings;
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #fairness: Fairness;
  readonly #failures: FailureHandler;
  readonly #breaker: Breaker<FailedEntry>;
  readonly #limiter: RateLimiter | undefined;
  /** The longest in flight first. */
  readonly #inFlight = new Set<Attempt<S>>();
  /** Keys whose last attempt in this run failed. A key counts once in a row, however many of its entries are buried. */
  readonly #failedKeys = new Set<string>();
  /** Since when nothing starts because a suspect is next, and whether its isolated attempt is in flight. */
  #isolationDueSince: number | undefined;
  #isIsolating = false;
  #longestMs: number | undefined;
  #restUntil = 0;
  #restReason: RestReason = 'upstream-unavailable';

  constructor(options: { settings: Settings; target: Target; clock: Clock; log: Log }) {
    const { settings, target, clock } = options;
    this.#settings = settings;
    this.#target = target;
    this.#clock = clock;
    this.#fairness = new Fairness(settings.concurrency, clock.now());
    this.#failures = new FailureHandler(options);
    this.#limiter = settings.ratePerSecond === undefined ? undefined : new RateLimiter(settings.ratePerSecond);
    this.#breaker = new Breaker(settings.refusalLimit, {
      decided: (failures, verdict) => this.#failures.decide(failures, verdict),
      opened: (restMs, isRefused) => this.#startRest(restMs, isRefused ? 'target-refuses' : 'upstream-unavailable'),
    });
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Whether an attempt has not ended, by its result or by being given up. */
  isInFlight(attempt: Attempt<S>): boolean {
    return this.#inFlight.has(attempt);
  }

  /** The longest attempt so far, ended or not, in milliseconds; before the first has ended, an assumption. */
  longestMs(now: number): number {
    const [oldest] = this.#inFlight;
    const endedMs = this.#longestMs ?? UNKNOWN_ATTEMPT_MS;
    return oldest ? Math.max(endedMs, now - oldest.startedAt) : endedMs;
  }

  /** How often in a row the breaker opened; 0 while it is closed. */
  get level(): number {
    return this.#breaker.level;
  }

  /** Whether the target works, as far as known. */
  get isCalm(): boolean {
    return this.#breaker.mode === 'closed';
  }

  /** How long the target rests, and why. */
  get rest(): { readonly until: number; readonly reason: RestReason } {
    return { until: this.#restUntil, reason: this.#restReason };
  }

  /** Number of attempts that may start now, whether or not entries are ready. */
  get freeSlots(): number {
    return this.#breaker.freeSlots(this.#settings.concurrency);
  }

  /** Takes over the breaker's level from earlier runs. */
  remember(level: number): void {
    this.#breaker.remember(level);
  }

  /** Number of failing heads whose bodies should be loaded now. */
  failingWanted(sources: readonly S[], now: number): number {
    const ready = sources.reduce((sum, { window }) => sum + window.keys.ready.failing.size, 0);
    const isAnyFresh = sources.some(({ window }) => window.keys.ready.fresh.size > 0);
    return (isAnyFresh ? (this.#fairness.mayStart('failing', now) ? 1 : 0) : this.freeSlots) - ready;
  }

  /** When a restrained kind of heads may go on. */
  nextEvent(now: number): number {
    return Math.min(this.#fairness.nextEvent(now), this.#limiter?.nextAt ?? Infinity);
  }

  /** Whether an attempt may start now, if an entry is ready. */
  canStart(now: number): boolean {
    return this.#hasFreeSlot(now) && (this.#limiter?.mayStart(now) ?? true);
  }

  /** Whether ready entries wait for the rate alone. */
  isRateLimited(sources: readonly S[], now: number): boolean {
    return (
      this.#limiter !== undefined && this.#hasFreeSlot(now) && !this.#limiter.mayStart(now) && waiting(sources) > 0
    );
  }

  /** Number of calls of the group's rate to reserve now. Unless it is 0, `reserved` must follow. */
  toReserve(sources: readonly S[], now: number): number {
    if (!this.#limiter || !this.#hasFreeSlot(now)) return 0;
    const ready = waiting(sources);
    return ready === 0 ? 0 : this.#limiter.toReserve(ready + this.inFlight, now);
  }

  /** What came of it. */
  reserved(reserved: Reserved | undefined): void {
    this.#limiter?.reserved(reserved, this.#clock.now());
  }

  /**
   * Starts the next attempt; undefined if none may start.
   *
   * @param sources the shards, in order of service
   */
  next(sources: readonly S[], now: number): Attempt<S> | undefined {
    if (!this.canStart(now)) return undefined;
    const first = firstHeads(sources, now);
    if (this.#isolationDueSince !== undefined || this.#isTimeForSuspect(first, now))
      return this.#nextIsolated(sources, now);
    const isCalm = this.isCalm;
    for (const kind of isCalm ? FAILING_FIRST : FRESH_FIRST) {
      const source = first[kind];
      if (!source || !this.#fairness.leavesSlot(kind)) continue;
      if (!this.#fairness.mayStart(kind, now) && first.fresh) continue;
      const { keys } = source.window;
      const head = keys.ready[kind].first;
      if (!head || (!this.#breaker.mayProbeKnown && !this.#isFresh(source, head))) continue;
      keys.ready[kind].shift();
      const isBatch = this.#target.batch !== undefined && isCalm;
      return this.#begin(source, isBatch ? batchFrom(keys, kind, head, this.#target) : [head], kind, now);
    }
    return undefined;
  }

  /** The target took an entry, or a batch except for some entries. */
  succeeded(attempt: Attempt<S>, failedIds: ReadonlySet<string> | undefined): void {
    const { source, entries, begunAs } = attempt;
    this.#end(attempt);
    const { processed, failed } =
      entries.length > 1 ? splitBatch(entries, failedIds!) : { processed: entries, failed: [] };
    if (!source.isOver) for (const pending of processed) source.window.processed(pending);
    if (this.#failedKeys.size > 0) for (const pending of processed) this.#failedKeys.delete(keyOf(source, pending));
    if (processed.length > 0) this.#breaker.succeeded(begunAs);
    failed.forEach((pending, index) => this.#fail(source, pending, REPORTED, index === 0));
    this.#breaker.ended(attempt.isFresh);
  }

  /** The target failed. */
  failed(attempt: Attempt<S>, failure: Failure): void {
    const { source, entries } = attempt;
    const { type, message, isThrottle, retryAfterMs } = failure; // by name: a spread would leave out an Error's message
    this.#end(attempt);
    if (isThrottle && retryAfterMs !== undefined) this.#startRest(retryAfterMs, 'upstream-unavailable');
    // a batch that fails as a whole says nothing about its entries, so they are tried one by one
    const batchFailure: Failure = { kind: 'outage', type, message, isThrottle, retryAfterMs, isInconclusive: true };
    const each = entries.length > 1 ? batchFailure : failure;
    headsOf(entries).forEach((pending, index) => this.#fail(source, pending, each, index === 0));
    this.#breaker.ended(attempt.isFresh);
  }

  /** The attempt never reached the target. Its entries may start again, unless they have left the group. */
  dropped(attempt: Attempt<S>): void {
    const { source, entries } = attempt;
    this.#end(attempt);
    if (!source.isOver) source.window.putBack(entries);
    this.#breaker.ended(attempt.isFresh);
  }

  /**
   * Ends the attempts in flight of a shard. If its lease is still held, their results are written: the entries are not
   * at fault, unless the target should have finished by then.
   *
   * @param fairMs duration from which an attempt counts as the target's own timeout
   */
  giveUp(source: S, fairMs = Infinity): void {
    const now = this.#clock.now();
    const abandoned = [...this.#inFlight].filter((attempt) => attempt.source === source);
    for (const attempt of abandoned) {
      const { entries, startedAt } = attempt;
      this.#end(attempt);
      const isFair = entries.length === 1 && now - startedAt >= fairMs;
      const kind = isFair ? (this.#target.timeoutKind ?? 'outage') : 'outage';
      if (!source.isOver) for (const pending of headsOf(entries)) this.#failures.giveUp(source, pending, kind);
      this.#breaker.ended(attempt.isFresh);
    }
  }

  /** Without other work, nothing more will be known about entries that have used up their tries. */
  decideSpent(): void {
    this.#breaker.decide(({ item: { pending } }) => this.#failures.isSpent(pending));
  }

  /** At the end, undecided failures stay as they were counted. */
  decideAll(): void {
    this.#breaker.decide(() => true);
  }

  /** Whether an attempt may start now, if an entry is ready and the rate allows it. */
  #hasFreeSlot(now: number): boolean {
    return !this.#isIsolating && this.freeSlots > 0 && now >= this.#restUntil;
  }

  /** Whether a suspect should be tried now. */
  #isTimeForSuspect({ hasSuspects, isAnyReady }: FirstHeads<S>, now: number): boolean {
    if (!hasSuspects) return false;
    if (!isAnyReady) return true;
    return this.isCalm && this.#fairness.mayStart('failing', now);
  }

  /**
   * Tries a suspect, an entry with many unconfirmed deliveries, while nothing else is in flight. This distinguishes an
   * entry that kills its process from those that were only in flight with it.
   */
  #nextIsolated(sources: readonly S[], now: number): Attempt<S> | undefined {
    this.#isolationDueSince ??= now;
    if (this.inFlight > 0) return undefined;
    const source = sources.find((each) => each.window.keys.suspects.size > 0 && each.isActive(now));
    if (source && !source.window.results.isEmpty) return undefined; // sending results would remove the suspect's mark
    const since = this.#isolationDueSince;
    const pending = source?.window.keys.suspects.shift();
    this.#isolationDueSince = undefined;
    if (!source || !pending) return undefined;
    if (pending.crashes >= MAX_CRASHES) {
      this.#failures.buryCrashed(source, pending);
      return undefined;
    }
    pending.hasState = true;
    this.#isIsolating = true;
    return this.#beginIsolated(source, pending, since);
  }

  #begin(source: S, entries: LoadedAttempt['entries'], kind: Kind, startedAt: number): LoadedAttempt<S> {
    const isFresh = this.#isFresh(source, entries[0]);
    const begunAs = this.#breaker.begin(isFresh);
    return this.#started({ source, entries, kind, startedAt, begunAs, isFresh, isIsolated: false });
  }

  #beginIsolated(source: S, pending: PendingEntry, startedAt: number): IsolatedAttempt<S> {
    const isFresh = this.#isFresh(source, pending);
    const begunAs = this.#breaker.begin(isFresh);
    return this.#started({
      source,
      entries: [pending],
      kind: 'failing',
      startedAt,
      begunAs,
      isFresh,
      isIsolated: true,
    });
  }

  #started<A extends Attempt<S>>(attempt: A): A {
    this.#inFlight.add(attempt);
    this.#limiter?.use();
    attempt.source.window.begin(attempt.entries);
    this.#fairness.began(attempt.kind);
    return attempt;
  }

  /** Whether the key of a head is fresh: not known to fail. */
  #isFresh(source: S, head: PendingEntry): boolean {
    return !isFailing(head) && (this.#failedKeys.size === 0 || !this.#failedKeys.has(keyOf(source, head)));
  }

  #end(attempt: Attempt<S>): void {
    const { source, kind, startedAt, isIsolated } = attempt;
    this.#inFlight.delete(attempt);
    source.window.end();
    const now = this.#clock.now();
    const tookMs = now - startedAt;
    this.#longestMs = Math.max(this.#longestMs ?? 0, tookMs);
    this.#isIsolating = false; // nothing else was in flight with it
    this.#fairness.ended(kind, isIsolated ? tookMs * this.#settings.concurrency : tookMs, now);
  }

  /** @param isCounted whether the breaker counts it: one entry of a batch counts for all */
  #fail(source: S, pending: PendingEntry, failure: Failure, isCounted: boolean): void {
    if (source.isOver) return;
    const { kind, retryAfterMs = 0 } = failure;
    const isFresh = this.#isFresh(source, pending);
    const item = { source, pending, failure };
    this.#failures.fail(item);
    if (kind === 'invalid') return; // says nothing about the target
    this.#rememberFailed(keyOf(source, pending));
    if (isCounted) this.#breaker.failed({ item, kind, isFresh, retryAfterMs });
  }

  #rememberFailed(key: string): void {
    this.#failedKeys.add(key);
    if (this.#failedKeys.size <= MAX_FAILED_KEYS) return;
    const [oldest] = this.#failedKeys;
    this.#failedKeys.delete(oldest!);
  }

  /** The longest of all rests counts. */
  #startRest(ms: number, reason: RestReason): void {
    const until = this.#clock.now() + Math.min(ms, MAX_REST_MS);
    if (until <= this.#restUntil) return;
    this.#restUntil = until;
    this.#restReason = reason;
  }
}

/** Of each kind, the first active shard that has a head of it. */
interface FirstHeads<S> extends Partial<Record<Kind, S>> {
  hasSuspects: boolean;
  /** Whether any active shard has a head that is ready. */
  isAnyReady: boolean;
}

/** In one pass, since it is asked for each attempt: a run may have a thousand shards. */
function firstHeads<S extends AttemptSource>(sources: readonly S[], now: number): FirstHeads<S> {
  const first: FirstHeads<S> = { hasSuspects: false, isAnyReady: false };
  for (const source of sources) {
    const { ready, readySize, suspects } = source.window.keys;
    if (readySize + suspects.size === 0 || !source.isActive(now)) continue;
    if (suspects.size > 0) first.hasSuspects = true;
    if (readySize > 0) first.isAnyReady = true;
    for (const kind of FAILING_FIRST) if (ready[kind].size > 0) first[kind] ??= source;
  }
  return first;
}

/** Number of ready heads in all shards. */
const waiting = (sources: readonly AttemptSource[]): number =>
  sources.reduce((sum, { window: { keys } }) => sum + keys.readySize + keys.suspects.size, 0);

const keyOf = ({ stream }: AttemptSource, { keyQueue }: PendingEntry): string => `${stream}\0${keyQueue.key}`;

import type { Log } from '../../core/log.ts';
import type { Clock } from '../clock.ts';
import type { StopReason } from '../report.ts';
import type { Settings } from '../settings.ts';
import type { Failure } from '../targets/failure.ts';
import type { Target } from '../targets/target.ts';
import type { Kind } from '../window/key-order.ts';
import { isFailing, type PendingEntry } from '../window/pending-entry.ts';
import { listOfObjects } from '../window/queues.ts';
import type { Attempt, Source } from './attempt.ts';
import { batchFrom, headsOf, REPORTED, splitBatch } from './batch.ts';
import { Breaker } from './breaker.ts';
import { FailureHandler, MAX_CRASHES, type FailedEntry } from './failure-handler.ts';
import { Fairness } from './fairness.ts';

/** Why the target is left alone. */
export type RestReason = Extract<StopReason, 'upstream-unavailable' | 'target-refuses'>;

/** No target keeps its consumer away for longer than this, in milliseconds. */
const MAX_REST_MS = 900_000;
/** So many keys whose last entry failed are remembered. */
const MAX_FAILED_KEYS = 100_000;

const FAILING_FIRST: readonly Kind[] = ['failing', 'hot', 'fresh'];
const FRESH_FIRST: readonly Kind[] = ['fresh', 'hot', 'failing'];

/**
 * Which entry goes to the target next, over all shards, and what becomes of it: the attempts in flight, the shares of
 * failing and of very long keys, the circuit breaker, and retry or dead letter. It does no I/O: whoever asks `next` gives
 * the entries to the target, and reports how that ended.
 */
export class Dispatcher<S extends Source = Source> {
  readonly #settings: Settings;
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #fairness: Fairness;
  readonly #failures: FailureHandler;
  readonly #breaker: Breaker<FailedEntry>;
  /** A list rather than a set: this is the hot path, and order does not matter. */
  readonly #inFlight = listOfObjects<Attempt<S>>();
  /** Keys whose last attempt in this run failed: a key counts once in a row, however many entries it buries. */
  readonly #failedKeys = new Set<string>();
  /** Since when nothing starts, because an entry is to be tried alone; and whether it is being tried. */
  #aloneSince: number | undefined;
  #isAlone = false;
  #longestMs = 0;
  #restUntil = 0;
  #restReason: RestReason = 'upstream-unavailable';

  constructor(options: { settings: Settings; target: Target; clock: Clock; log: Log }) {
    const { settings, target, clock } = options;
    [this.#settings, this.#target, this.#clock] = [settings, target, clock];
    this.#fairness = new Fairness(settings.concurrency, clock.now());
    this.#failures = new FailureHandler(options);
    this.#breaker = new Breaker(settings.refusalLimit, {
      decided: (failures, verdict) => this.#failures.decide(failures, verdict),
      opened: (restMs, isRefused) => this.#rest(restMs, isRefused ? 'target-refuses' : 'upstream-unavailable'),
    });
  }

  /** How many attempts are under way. */
  get inFlight(): number {
    return this.#inFlight.length;
  }

  /** The longest attempt so far, in milliseconds. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /** How often in a row the breaker opened; 0 while it is closed. */
  get level(): number {
    return this.#breaker.level;
  }

  /** Whether the target works, as far as is known. */
  get isCalm(): boolean {
    return this.#breaker.mode === 'closed';
  }

  /** How long the target is left alone, and why. */
  get rest(): { readonly until: number; readonly reason: RestReason } {
    return { until: this.#restUntil, reason: this.#restReason };
  }

  /** How many attempts may start now, whatever is ready. */
  get places(): number {
    return this.#breaker.places(this.#settings.concurrency);
  }

  /** Takes over the level of the breaker that earlier runs left. */
  remember(level: number): void {
    this.#breaker.remember(level);
  }

  /** How many failing heads are worth their bodies now. */
  failingWanted(sources: readonly S[], now: number): number {
    const ready = sources.reduce((sum, { window }) => sum + window.keys.ready.failing.size, 0);
    const isAnyFresh = sources.some(({ window }) => window.keys.ready.fresh.size > 0);
    return (isAnyFresh ? (this.#fairness.mayStart('failing', now) ? 1 : 0) : this.places) - ready;
  }

  /** When a kind of heads that is held back may go on. */
  nextEvent(now: number): number {
    return this.#fairness.nextEvent(now);
  }

  /** Whether an attempt may start for all that the run itself says: it has not ended, and the target does not rest. */
  hasPlace(now: number): boolean {
    return !this.#isAlone && this.places > 0 && now >= this.#restUntil;
  }

  /**
   * The next attempt, which begins with that; undefined where none may start.
   *
   * @param sources the one that is served first in front
   */
  next(sources: readonly S[], now: number): Attempt<S> | undefined {
    if (!this.hasPlace(now)) return undefined;
    if (this.#aloneSince !== undefined || this.#isTimeForSuspect(sources, now)) return this.#nextAlone(sources, now);
    const isClosed = this.isCalm;
    for (const kind of isClosed ? FAILING_FIRST : FRESH_FIRST) {
      const source = sourceWith(sources, kind, now);
      if (!source || !this.#fairness.leavesSlot(kind)) continue;
      if (!this.#fairness.mayStart(kind, now) && sourceWith(sources, 'fresh', now)) continue;
      const { keys } = source.window;
      const head = keys.ready[kind].first!;
      if (!this.#breaker.mayProbeKnown && !this.#isFresh(source, head)) continue;
      keys.ready[kind].shift();
      const isBatch = this.#target.batch !== undefined && kind !== 'failing' && isClosed;
      const entries = isBatch ? batchFrom(keys, kind, head, this.#target) : [head];
      return this.#begin(source, entries, kind, now, false);
    }
    return undefined;
  }

  /** The target took an entry, or a batch but for some of it. */
  succeeded(attempt: Attempt<S>, failedIds: ReadonlySet<string> | undefined): void {
    const { source, entries, begunAs } = attempt;
    this.#end(attempt);
    const { taken, failed } = entries.length > 1 ? splitBatch(entries, failedIds!) : { taken: entries, failed: [] };
    if (!source.isOver) for (const pending of taken) source.window.taken(pending);
    if (this.#failedKeys.size > 0) for (const pending of taken) this.#failedKeys.delete(keyOf(source, pending));
    if (taken.length > 0) this.#breaker.succeeded(begunAs);
    failed.forEach((pending, at) => this.#fail(source, pending, REPORTED, at === 0));
    this.#breaker.ended(attempt.isFresh);
  }

  /** The target failed. */
  failed(attempt: Attempt<S>, failure: Failure): void {
    const { source, entries } = attempt;
    const { kind, isThrottle, retryAfterMs } = failure;
    this.#end(attempt);
    if (isThrottle && retryAfterMs !== undefined) this.#rest(retryAfterMs, 'upstream-unavailable');
    // a batch that fails as a whole says nothing of its entries: they are tried one by one
    const each: Failure = entries.length > 1 && kind !== 'outage' ? { ...failure, kind: 'outage' } : failure;
    headsOf(entries).forEach((pending, at) => this.#fail(source, pending, each, at === 0));
    this.#breaker.ended(attempt.isFresh);
  }

  /** The attempt never reached the target: its entry is no longer there. */
  dropped(attempt: Attempt<S>): void {
    this.#end(attempt);
    this.#breaker.ended(attempt.isFresh);
  }

  /**
   * Ends the attempts under way in a shard. What becomes of their entries is written where its lease is still held: they
   * are not at fault, unless the target should have been done by then.
   *
   * @param fairMs how long an attempt may take that is then the target's own timeout
   */
  giveUp(source: S, fairMs = Infinity): void {
    const now = this.#clock.now();
    const given = this.#inFlight.filter((attempt) => attempt.source === source);
    for (const attempt of given) {
      const { entries, startedAt } = attempt;
      this.#end(attempt);
      const isFair = entries.length === 1 && now - startedAt >= fairMs;
      const kind = isFair ? (this.#target.timeoutKind ?? 'outage') : 'outage';
      if (!source.isOver) for (const pending of headsOf(entries)) this.#failures.giveUp(source, pending, kind);
      this.#breaker.ended(attempt.isFresh);
    }
  }

  /** With nothing else to do, nothing more will be known of the entries that have used up their tries. */
  decideSpent(): void {
    this.#breaker.decide(({ item: { pending } }) => this.#failures.isSpent(pending));
  }

  /** At the end, what is undecided stays as it was counted. */
  decideAll(): void {
    this.#breaker.decide(() => true);
  }

  /** Whether an entry should be tried alone now. */
  #isTimeForSuspect(sources: readonly S[], now: number): boolean {
    if (this.#breaker.mode === 'doubt' || !sources.some(({ window }) => window.keys.suspects.size > 0)) return false;
    if (!sources.some(({ window }) => window.keys.readySize > 0)) return true;
    return this.isCalm && this.#fairness.mayStart('failing', now);
  }

  /**
   * Tries a suspect, which was delivered often and nobody wrote how that ended, while nothing else is under way: so an
   * entry that ends its process is distinguished from those that only happened to be there.
   */
  #nextAlone(sources: readonly S[], now: number): Attempt<S> | undefined {
    this.#aloneSince ??= now;
    if (this.inFlight > 0) return undefined;
    const source = sources.find((each) => each.window.keys.suspects.size > 0 && each.isHeld(now));
    if (source && !source.window.outcomes.isEmpty) return undefined; // what is sent would take the suspect's mark away
    const since = this.#aloneSince;
    const pending = source?.window.keys.suspects.shift();
    this.#aloneSince = undefined;
    if (!source || !pending) return undefined;
    if (pending.crashes >= MAX_CRASHES) {
      this.#failures.buryCrashed(source, pending);
      return undefined;
    }
    pending.hasState = true;
    this.#isAlone = true;
    return this.#begin(source, [pending], 'failing', since, true);
  }

  #begin(source: S, entries: PendingEntry[], kind: Kind, startedAt: number, isAlone: boolean): Attempt<S> {
    const isFresh = this.#isFresh(source, entries[0]!);
    const begunAs = this.#breaker.begin(isFresh);
    const place = this.#inFlight.length;
    const attempt: Attempt<S> = { source, entries, kind, startedAt, begunAs, isFresh, isAlone, place };
    this.#inFlight.push(attempt);
    source.window.begin(entries);
    this.#fairness.began(kind);
    return attempt;
  }

  /** Whether the key of a head is not known to fail. */
  #isFresh(source: S, head: PendingEntry): boolean {
    return !isFailing(head) && (this.#failedKeys.size === 0 || !this.#failedKeys.has(keyOf(source, head)));
  }

  #end(attempt: Attempt<S>): void {
    const { source, kind, startedAt, isAlone, place } = attempt;
    const last = this.#inFlight.pop()!;
    if (last !== attempt) [this.#inFlight[place], last.place] = [last, place];
    attempt.place = -1;
    source.window.end();
    const now = this.#clock.now();
    const tookMs = now - startedAt;
    this.#longestMs = Math.max(this.#longestMs, tookMs);
    if (isAlone) this.#isAlone = false;
    this.#fairness.ended(kind, isAlone ? tookMs * this.#settings.concurrency : tookMs, now);
  }

  /** @param isCounted whether the breaker hears of it: of a batch, one entry speaks for all */
  #fail(source: S, pending: PendingEntry, failure: Failure, isCounted: boolean): void {
    if (source.isOver) return;
    const { kind, retryAfterMs = 0 } = failure;
    const isFresh = this.#isFresh(source, pending);
    const item = { source, pending, failure };
    this.#failures.fail(item);
    if (kind === 'invalid') return; // it says nothing of the target
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
  #rest(ms: number, reason: RestReason): void {
    const until = this.#clock.now() + Math.min(ms, MAX_REST_MS);
    if (until > this.#restUntil) [this.#restUntil, this.#restReason] = [until, reason];
  }
}

/** The first shard with a head of this kind, and with a lease that is sure to be held. */
function sourceWith<S extends Source>(sources: readonly S[], kind: Kind, now: number): S | undefined {
  return sources.find((source) => source.window.keys.ready[kind].size > 0 && source.isHeld(now));
}

const keyOf = ({ stream }: Source, { keyQueue }: PendingEntry): string => `${stream}\0${keyQueue.key}`;

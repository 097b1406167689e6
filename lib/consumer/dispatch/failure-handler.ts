import type { Log } from '../../core/log.ts';
import type { Clock } from '../clock.ts';
import { encodeErrors } from '../dead-letters/letter.ts';
import { addedAt } from '../entry.ts';
import type { Settings } from '../settings.ts';
import type { Failure } from '../targets/failure.ts';
import type { Target } from '../targets/target.ts';
import { attemptsOf, delayAfter, type PendingEntry } from '../window/pending-entry.ts';
import type { AttemptSource } from './attempt.ts';
import type { Undecided, Verdict } from './breaker.ts';

export const MAX_REASON_LENGTH = 500;
/** After this many crashes in isolated attempts, an entry is at fault. */
export const MAX_CRASHES = 3;
/** An entry without tries left waits at least this long for the decision whose fault it was, in milliseconds. */
const SPENT_REST_MS = 1000;
/** Longest `Retry-After` of an entry, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 900_000;
const CRASH = 'CONNECTOR:CRASH';
const CRASH_REASON = `The run ended ${MAX_CRASHES} times while this entry alone was in progress`;
const GIVEN_UP = { type: 'CONNECTOR:TIMEOUT', message: 'The run ended before the target was done' };

export interface FailedEntry {
  readonly source: AttemptSource;
  readonly pending: PendingEntry;
  readonly failure: Failure;
}

/** Decides between another try and a dead letter for failed entries. */
export class FailureHandler {
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #target: string;

  constructor({
    settings,
    clock,
    log,
    target,
  }: {
    settings: Settings;
    clock: Clock;
    log: Log;
    target: Pick<Target, 'name'>;
  }) {
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    this.#target = target.name ?? 'target';
  }

  /**
   * An attempt failed. If its entry can never succeed, it becomes a dead letter at once. Otherwise it waits, and whose
   * fault it was is decided later; until then it counts as the entry's.
   */
  fail({ source, pending, failure }: FailedEntry): void {
    const { kind, type, message, retryAfterMs, isInconclusive } = failure;
    const { refusalLimit, maxAgeMs = Infinity } = this.#settings;
    const isTooOld = !isInconclusive && this.#clock.epochMs() - addedAt(pending.id) > maxAgeMs;
    const isFinal = kind === 'invalid' || kind === 'permanent' || (kind === 'refusal' && refusalLimit === 0);
    if (isFinal || isTooOld) {
      pending.entryFailures++;
      this.#bury(source, pending, { ...failure, message: isFinal ? message : `Too old: ${message}` });
      return;
    }
    this.#log.warn('entry failed', {
      id: pending.id,
      kind,
      type,
      target: this.#target,
      deliveries: attemptsOf(pending) + 1,
      detail: message,
    });
    pending.cause = { type, detail: message.slice(0, MAX_REASON_LENGTH), target: this.#target };
    this.#count(pending, kind === 'outage');
    this.#retry(source, pending, retryAfterMs);
  }

  /** The run gave up an attempt. That is the target's fault, or with `own` the entry's. */
  giveUp(source: AttemptSource, pending: PendingEntry, kind: 'own' | 'outage'): void {
    const { maxDeliveries } = this.#settings;
    const isInconclusive = kind === 'outage';
    if (isInconclusive || pending.entryFailures + 1 < maxDeliveries)
      return this.fail({ source, pending, failure: { kind, ...GIVEN_UP, isInconclusive } });
    this.#count(pending, false);
    const reason = `Failed after ${attemptsOf(pending)} deliveries: it took too long`;
    this.#bury(source, pending, { type: GIVEN_UP.type, message: reason });
  }

  /** The fault of failures is decided. */
  decide(failures: readonly Undecided<FailedEntry>[], verdict: Verdict): void {
    for (const { kind, item } of failures) {
      const { source, pending, failure } = item;
      if (kind === 'permanent' || kind === 'outage' || source.isOver) continue;
      if (verdict === 'target') {
        pending.entryFailures--;
        pending.targetFailures++;
        source.window.rewrite(pending);
      } else if (pending.stage === 'delayed' || pending.stage === 'queued') {
        const isRefused = kind === 'refusal' && verdict === 'entry';
        if (!isRefused && !this.isSpent(pending)) continue;
        const tries = isRefused ? '' : `Failed after ${attemptsOf(pending)} deliveries: `;
        this.#bury(source, pending, { ...failure, message: `${tries}${failure.message}` });
      }
    }
  }

  /** Whether this entry only waits for its dead letter. */
  isSpent(pending: PendingEntry): boolean {
    return pending.entryFailures >= this.#settings.maxDeliveries;
  }

  /** Makes a dead letter of an entry that killed the runs of its isolated attempts. */
  buryCrashed(source: AttemptSource, pending: PendingEntry): void {
    this.#bury(source, pending, { type: CRASH, message: CRASH_REASON });
  }

  /** Counts a failure. Earlier unconfirmed deliveries then count as the target's. */
  #count(pending: PendingEntry, isTargetFailure: boolean): void {
    pending.targetFailures += pending.unconfirmedDeliveries + (isTargetFailure ? 1 : 0);
    pending.entryFailures += isTargetFailure ? 0 : 1;
    pending.unconfirmedDeliveries = 0;
  }

  #retry(source: AttemptSource, pending: PendingEntry, retryAfterMs = 0): void {
    const backOffMs = delayAfter(pending.entryFailures + pending.targetFailures, this.#settings.backoffMs);
    const decisionMs = this.isSpent(pending) ? SPENT_REST_MS : 0;
    const waitMs = Math.max(backOffMs, decisionMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
    source.window.retry(pending, this.#clock.now() + waitMs);
  }

  #bury(
    source: AttemptSource,
    pending: PendingEntry,
    { type, message, upstreamErrors = [] }: Omit<Failure, 'kind'>,
  ): void {
    source.window.bury(pending, {
      sourceId: pending.id,
      reason: message.slice(0, MAX_REASON_LENGTH),
      errorType: type,
      deliveries: attemptsOf(pending),
      time: this.#clock.epochMs(),
      upstreamErrors: encodeErrors(upstreamErrors),
    });
  }
}

import { delayAfter } from './back-off.ts';
import type { Breaker, Undecided, Verdict } from './breaker.ts';
import { Burials } from './burials.ts';
import { addedAt } from './entry.ts';
import { attemptsOf, isFailing, type Item } from './item.ts';
import type { Failure } from './targets/failure.ts';
import type { RunParts } from './run-parts.ts';
import type { Shard } from './shard.ts';
import { MAX_REST_MS } from './target-rest.ts';

const MAX_REASON_LENGTH = 500;
/** After so many crashes alone, the entry is blamed. */
export const MAX_CRASHES = 3;
/** An entry that has used up its tries waits at least so long for the decision whose fault that was, in milliseconds. */
const SPENT_REST_MS = 1000;
const CRASH = 'CONNECTOR:CRASH';
const CRASH_REASON = `The run ended ${MAX_CRASHES} times while this entry alone was in progress`;

/** A failed entry, and where it is. */
export interface FailedItem {
  readonly shard: Shard;
  readonly item: Item;
  readonly failure: Failure;
  /** The shard may have been given back, and taken again, since. */
  readonly epoch: number;
}

/** Decides what becomes of entries that failed. */
export class Failures {
  readonly #parts: Pick<RunParts, 'settings' | 'counts' | 'clock' | 'log'>;
  readonly #breaker: Breaker<FailedItem>;
  readonly #burials: Burials;

  constructor(parts: RunParts, breaker: Breaker<FailedItem>) {
    this.#parts = parts;
    this.#breaker = breaker;
    const { counts, clock, settings } = parts;
    this.#burials = new Burials(parts, (shard, item) => {
      counts.failed++;
      this.#retryAt(shard, item, clock.now() + delayAfter(attemptsOf(item), settings.backoffMs));
    });
  }

  /**
   * An attempt failed. Its entry is buried at once where it can never succeed; else it waits, and whose fault it was is
   * decided later. Until then it counts as the entry's.
   *
   * @param isCounted whether the breaker hears of it: of a batch that failed as a whole, one entry speaks for all
   */
  fail(shard: Shard, item: Item, failure: Failure, isCounted = true): void {
    const { kind, type, retryAfterMs = 0, message } = failure;
    const { refusalLimit, maxAgeMs, backoffMs, maxDeliveries } = this.#parts.settings;
    const { clock, counts, log } = this.#parts;
    const isFresh = !isFailing(item);
    const isTooOld = maxAgeMs !== undefined && clock.epochMs() - addedAt(item.id) > maxAgeMs;
    const isFinal = kind === 'invalid' || kind === 'permanent' || (kind === 'refusal' && refusalLimit === 0);
    if (isFinal || isTooOld) {
      item.own++;
      this.bury(shard, item, isFinal ? message : `Too old: ${message}`, type);
    } else {
      log.warn('entry failed', { id: item.id, kind, type, deliveries: attemptsOf(item) + 1, detail: message });
      item.outages += item.unended + (kind === 'outage' ? 1 : 0);
      item.own += kind === 'outage' ? 0 : 1;
      item.unended = 0;
      counts.failed++;
      const restMs = item.own >= maxDeliveries ? SPENT_REST_MS : 0;
      const delayMs = Math.max(delayAfter(item.own + item.outages, backoffMs), restMs);
      this.#retryAt(shard, item, clock.now() + Math.max(delayMs, Math.min(retryAfterMs, MAX_REST_MS)));
    }
    if (kind === 'invalid' || !isCounted) return; // it says nothing of the target
    const failed: FailedItem = { shard, item, failure, epoch: shard.epoch };
    this.#breaker.failed({ item: failed, kind, isFresh, retryAfterMs });
  }

  /** The run gave up an attempt, of one entry or of a batch. */
  giveUp(shard: Shard, items: readonly Item[], kind: 'own' | 'outage'): void {
    const failure: Failure = { kind, type: 'CONNECTOR:TIMEOUT', message: 'The run ended before the target was done' };
    for (const item of items) {
      this.fail(shard, item, failure, false);
      if (kind === 'outage' || item.own < this.#parts.settings.maxDeliveries) continue;
      this.bury(shard, item, `Failed after ${attemptsOf(item)} deliveries: it took too long`, failure.type);
    }
  }

  /** It has turned out whose fault failures were. */
  decide(failures: readonly Undecided<FailedItem>[], verdict: Verdict): void {
    const { counts, settings } = this.#parts;
    const { maxDeliveries } = settings;
    for (const { kind, item: failed } of failures) {
      const { shard, item, failure } = failed;
      if (kind === 'permanent' || kind === 'outage' || shard.epoch !== failed.epoch) continue;
      if (verdict === 'target') {
        item.own--;
        item.outages++;
        if (item.place !== 'gone') shard.outbox.failed(item);
      } else if (item.place === 'delayed' || item.place === 'queued') {
        const isRefused = kind === 'refusal' && verdict === 'entry';
        if (!isRefused && item.own < maxDeliveries) continue;
        counts.failed--; // it does not stay pending after all
        const tries = isRefused ? '' : `Failed after ${attemptsOf(item)} deliveries: `;
        this.bury(shard, item, `${tries}${failure.message}`, failure.type);
      }
    }
  }

  /** Whether nothing but time keeps this entry from its dead letter. */
  isSpent = ({ item: { item } }: Undecided<FailedItem>): boolean => item.own >= this.#parts.settings.maxDeliveries;

  /** Makes a dead letter of an entry that ended the runs that had it alone. */
  buryCrashed(shard: Shard, item: Item): void {
    this.bury(shard, item, CRASH_REASON, CRASH);
  }

  /** Makes a dead letter of an entry. */
  bury(shard: Shard, item: Item, reason: string, errorType: string): void {
    const [deliveries, time] = [attemptsOf(item), this.#parts.clock.epochMs()];
    const letter = { sourceId: item.id, reason: reason.slice(0, MAX_REASON_LENGTH), errorType, deliveries, time };
    this.#burials.add(shard, item, letter);
  }

  #retryAt(shard: Shard, item: Item, dueAt: number): void {
    item.hasState = true;
    const held = shard.lanes.defer(item, dueAt);
    shard.outbox.hold(held);
    shard.outbox.failed(item);
  }
}

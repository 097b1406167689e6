import type { Log } from '../core/log.ts';
import { delayAfter } from './back-off.ts';
import type { Clock } from './clock.ts';
import { addedAt } from './entry.ts';
import { LeaseLost, type Group } from './group.ts';
import type { Intake, IntakeParts } from './intake.ts';
import type { Item, Lanes } from './lanes.ts';
import { classify, type Failure } from './outcome.ts';
import type { Outbox } from './outbox.ts';
import type { Counts, StopReason } from './report.ts';
import type { Settings } from './settings.ts';
import type { Target } from './target.ts';

/** So many outages in a row, with nothing else between them, mean that the target is out of service. */
const OUTAGES_IN_A_ROW = 5;
const MAX_REASON_LENGTH = 500;
/** An entry that was alone in so many runs that ended without a word is what ended them. */
const MAX_TRIALS = 3;
const CRASH = 'CONNECTOR:CRASH';
const CRASH_REASON = `The run ended ${MAX_TRIALS} times while this entry alone was in progress`;

export interface AttemptsParts extends IntakeParts {
  outbox: Outbox;
  log: Log;
}

/** What the attempts ask and tell the run. */
export interface Events {
  /** Whether an attempt may start now. */
  mayStart(now: number): boolean;
  /** Something has changed that the run should look at. */
  changed(): void;
  stop(reason: StopReason): void;
  /** The target asked to be left alone for so long. */
  rest(ms: number): void;
}

/** Gives entries to the target, some at a time, and decides what becomes of each. */
export class Attempts {
  readonly #group: Group;
  readonly #lanes: Lanes;
  readonly #outbox: Outbox;
  readonly #target: Target;
  readonly #settings: Settings;
  readonly #counts: Counts;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #events: Events;
  readonly #giveUp = new AbortController();
  #outages = 0;
  /** How many are under way. */
  inFlight = 0;
  /** The longest attempt so far, in milliseconds. */
  longestMs = 0;

  constructor(parts: AttemptsParts, events: Events) {
    this.#group = parts.group;
    this.#lanes = parts.lanes;
    this.#outbox = parts.outbox;
    this.#target = parts.target;
    this.#settings = parts.settings;
    this.#counts = parts.counts;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#events = events;
  }

  /** Starts as many attempts as may run at a time. */
  fill(): void {
    while (this.inFlight < this.#settings.concurrency && this.#lanes.ready > 0) {
      const now = this.#clock.now(); // anew for each: the process may have been paused since the last
      if (!this.#events.mayStart(now)) return;
      void this.#attempt(this.#lanes.takeReady()!, now);
    }
  }

  /**
   * Attempts an entry that was delivered too often, in a name of its own while nothing else is under way: so an entry
   * that ends the process it is in is told from those that only happened to be there.
   */
  async tryAlone(item: Item, intake: Intake): Promise<void> {
    const trial = (item.diedAlone ?? 0) + 1;
    if (trial > MAX_TRIALS) return this.#bury(item, CRASH_REASON, CRASH);
    const [claimed] = await intake.claim([item], `stream-consumer:alone:${trial}`);
    if (!claimed) return;
    item.diedAlone = undefined;
    await this.#attempt(item, this.#clock.now());
    await this.#group.giveBack([item.id], item.deliveries, 0); // its outcome is known: it is a suspect no more
  }

  /** Tells the attempts under way to end. What becomes of them is of no account any more. */
  giveUp(): void {
    this.#giveUp.abort();
  }

  async #attempt(item: Item, startedAt: number): Promise<void> {
    this.inFlight++;
    try {
      await this.#target.process(item.entry!, this.#giveUp.signal);
      this.#counts.processed++;
      this.#outages = 0;
      this.#outbox.taken(item);
    } catch (error) {
      if (!this.#giveUp.signal.aborted) await this.#fail(item, classify(error));
    }
    this.inFlight--;
    this.longestMs = Math.max(this.longestMs, this.#clock.now() - startedAt);
    this.fill();
    if (this.inFlight < this.#settings.concurrency || this.#outbox.size === 1) this.#events.changed();
  }

  async #fail(item: Item, failure: Failure): Promise<void> {
    const { id, deliveries } = item;
    const { kind, type, message } = failure;
    const reason = this.#reasonToBury(item, failure);
    const told = { id, kind, type, deliveries, detail: message };
    this.#log.warn(reason === undefined ? 'entry failed' : 'entry given up', told);
    if (kind !== 'outage') this.#outages = 0;
    else if (++this.#outages >= OUTAGES_IN_A_ROW) this.#events.stop('upstream-unavailable');
    if (failure.retryAfterMs !== undefined && kind === 'outage') this.#events.rest(failure.retryAfterMs);
    if (reason === undefined) this.#retryLater(item);
    else await this.#bury(item, reason, type);
  }

  #reasonToBury({ id, deliveries }: Item, { kind, message }: Failure): string | undefined {
    const { maxDeliveries, maxAgeMs } = this.#settings;
    if (kind === 'permanent') return message;
    if (kind === 'counted' && deliveries >= maxDeliveries) return `Failed after ${deliveries} deliveries: ${message}`;
    if (maxAgeMs !== undefined && this.#clock.epochMs() - addedAt(id) > maxAgeMs) return `Too old: ${message}`;
    return undefined;
  }

  /** Makes a dead letter of an entry; where that is refused, the entry stays pending. */
  async #bury(item: Item, reason: string, errorType: string): Promise<void> {
    const { id: sourceId, deliveries } = item;
    const time = this.#clock.epochMs();
    try {
      const letter = { sourceId, reason: reason.slice(0, MAX_REASON_LENGTH), errorType, deliveries, time };
      if (await this.#group.bury(letter)) this.#counts.deadLettered++;
      else this.#counts.deleted++;
      this.#lanes.done(item, this.#clock.now());
    } catch (error) {
      if (error instanceof LeaseLost) this.#events.stop('lease-lost');
      this.#log.error('dead letter refused', { id: sourceId, error });
      this.#retryLater(item);
    }
  }

  #retryLater(item: Item): void {
    this.#counts.failed++;
    const dueAt = this.#clock.now() + delayAfter(item.deliveries, this.#settings.backoffMs);
    this.#outbox.hold(this.#lanes.defer(item, dueAt));
  }
}

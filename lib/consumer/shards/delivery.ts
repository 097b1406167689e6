import type { Clock } from '../clock.ts';
import type { Attempt } from '../dispatch/attempt.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Entry } from '../entry.ts';
import { classify, TargetFailure } from '../targets/failure.ts';
import type { Attempt as TargetAttempt, Target } from '../targets/target.ts';
import { attemptsOf, type PendingEntry } from '../window/pending-entry.ts';
import type { ShardConsumer } from './shard-consumer.ts';

/** Number of attempts to start in a turn of the event loop if none has just ended: their calls leave at its end. */
const STARTS_A_TURN = 4;

export interface DeliveryOptions {
  readonly dispatcher: Dispatcher<ShardConsumer>;
  readonly target: Target;
  readonly clock: Clock;
  /** The shards that attempts may start from, in order of service. */
  readonly active: () => readonly ShardConsumer[];
  /** Whether the run still starts attempts. */
  readonly mayStart: (now: number) => boolean;
  readonly changed: () => void;
  /** Ends the run with an error of its own. */
  readonly broke: (error: unknown) => void;
  /** Receives the failure of each attempt, for alarms. */
  readonly countFailure?: (error: unknown) => void;
}

/** Gives the dispatcher's choices to the target, and reports the results back. */
export class Delivery {
  readonly #options: DeliveryOptions;
  #isFillDue = false;
  #isRefillDue = false;
  /** Whether a shard has its first results to report, so that the run must look at it. */
  #isNews = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Starts attempts after commands to the server have left, so that the server works meanwhile. */
  fill(): void {
    if (this.#isFillDue) return;
    this.#isFillDue = true;
    setImmediate(() => {
      this.#isFillDue = false;
      this.#start(STARTS_A_TURN);
    });
  }

  /** Starts new attempts after all attempts that end together have ended. */
  #refill(): void {
    if (this.#isRefillDue) return;
    this.#isRefillDue = true;
    queueMicrotask(() => {
      this.#isRefillDue = false;
      this.#start();
      const { dispatcher, changed } = this.#options;
      if (dispatcher.places > 0 || this.#isNews) changed();
      this.#isNews = false;
    });
  }

  /** Starts as many attempts as may run: at most this many now, the others in the next turns of the event loop. */
  #start(most = Infinity): void {
    const { dispatcher, clock, active, mayStart, changed, broke } = this.#options;
    try {
      const sources = active();
      for (let started = 0; ; started++) {
        const now = clock.now(); // for each attempt: the process may have been suspended
        if (!mayStart(now)) return;
        if (started === most && dispatcher.hasPlace(now)) return this.fill();
        const attempt = started === most ? undefined : dispatcher.next(sources, now);
        if (!attempt) return started > 0 && most < Infinity ? changed() : undefined;
        this.#begin(attempt);
      }
    } catch (error) {
      broke(error);
    }
  }

  /** Only what the target throws is a failure of the entry. Any other error is ours: it ends the run. */
  #begin(attempt: Attempt<ShardConsumer>): void {
    const { broke } = this.#options;
    this.#deliver(attempt)
      .then(
        (failedIds) => attempt.place >= 0 && this.#succeed(attempt, failedIds),
        (error: unknown) => attempt.place >= 0 && this.#fail(attempt, error),
      )
      .catch(broke);
  }

  #succeed(attempt: Attempt<ShardConsumer>, failedIds: ReadonlySet<string> | undefined): void {
    this.#options.dispatcher.succeeded(attempt, failedIds);
    this.#ended(attempt);
  }

  #fail(attempt: Attempt<ShardConsumer>, error: unknown): void {
    const { dispatcher, countFailure } = this.#options;
    if (error instanceof NotDelivered) {
      dispatcher.dropped(attempt);
    } else {
      dispatcher.failed(attempt, classify(error));
      countFailure?.(error);
    }
    this.#ended(attempt);
  }

  #ended({ source }: Attempt<ShardConsumer>): void {
    this.#isNews ||= source.window.outcomes.size === 1;
    this.#refill();
  }

  /** Gives an entry or a batch to the target. Returns the failed ids of a batch. */
  #deliver(attempt: Attempt<ShardConsumer>): Promise<ReadonlySet<string> | undefined> {
    const { source } = attempt;
    if (attempt.isAlone) return this.#deliverAlone(source, attempt.entries[0]);
    const [head, ...others] = attempt.entries;
    const { batch } = this.#options.target;
    if (others.length === 0 || !batch) return this.#process(source, head, head.body);
    const deliveries = attempt.entries.map((pending) => ({ ...attemptOf(source, pending), entry: pending.body }));
    return begun(() => batch.process(deliveries));
  }

  /** Delivers an entry after it was claimed alone. The attempt may be given up, and the lease lost, meanwhile. */
  async #deliverAlone(source: ShardConsumer, pending: PendingEntry): Promise<undefined> {
    const body = await source.claimAlone(pending);
    if (!body) throw new NotDelivered();
    source.signal.throwIfAborted();
    return this.#process(source, pending, body);
  }

  #process(source: ShardConsumer, pending: PendingEntry, body: Entry): Promise<undefined> {
    return begun(() => {
      if (body.hasBytes) throw new TargetFailure('invalid', 'CONNECTOR:ENCODING', 'A field is not UTF-8');
      return this.#options.target.process(body, attemptOf(source, pending)) as Promise<undefined>;
    });
  }
}

const attemptOf = ({ stream, signal }: ShardConsumer, pending: PendingEntry): TargetAttempt => {
  return { stream, deliveries: attemptsOf(pending) + 1, signal };
};

/** What a target begins, which may also throw before its first await. */
function begun<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** The target was not called: the entry is gone, or the server did not respond. */
class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}

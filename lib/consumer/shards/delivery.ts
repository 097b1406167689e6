import type { Clock } from '../clock.ts';
import type { Attempt } from '../dispatch/attempt.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { isDoubtful } from '../entry.ts';
import { classify, TargetFailure } from '../targets/failure.ts';
import type { Attempt as TargetAttempt, Target } from '../targets/target.ts';
import { attemptsOf, type PendingEntry } from '../window/pending-entry.ts';
import type { ShardConsumer } from './shard-consumer.ts';

/** How many attempts begin in a turn of the event loop, where none has just ended: their calls leave at its end. */
const STARTS_A_TURN = 4;

export interface DeliveryOptions {
  readonly dispatcher: Dispatcher<ShardConsumer>;
  readonly target: Target;
  readonly clock: Clock;
  /** The shards that attempts may start from, the one that is served first in front. */
  readonly active: () => readonly ShardConsumer[];
  /** Whether the run still starts attempts. */
  readonly mayStart: (now: number) => boolean;
  readonly changed: () => void;
  /** Hears of what each attempt failed with, for the alarms. */
  readonly countFailure?: (error: unknown) => void;
}

/** Gives to the target what the dispatcher chooses, and reports back how that ended. */
export class Delivery {
  readonly #options: DeliveryOptions;
  #isFillDue = false;
  #isRefillDue = false;
  /** Whether a shard had nothing to report to the server until now, so that the run must look at it. */
  #isNews = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Starts attempts once what is to be sent to the server has left: it works on that while they begin and end. */
  fill(): void {
    if (this.#isFillDue) return;
    this.#isFillDue = true;
    setImmediate(() => {
      this.#isFillDue = false;
      this.#start(STARTS_A_TURN);
    });
  }

  /** Starts others in place of those that ended, once all that end together have. */
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

  /** Starts as many attempts as may run at a time: at most so many now, and the others in the next turns of the event loop. */
  #start(most = Infinity): void {
    const { dispatcher, clock, active, mayStart } = this.#options;
    const sources = active();
    for (let started = 0; ; started++) {
      const now = clock.now(); // anew for each: the process may have been stopped since the last
      if (!mayStart(now)) return;
      if (started === most) return dispatcher.hasPlace(now) ? this.fill() : undefined;
      const attempt = dispatcher.next(sources, now);
      if (!attempt) return;
      this.#deliver(attempt).then(
        (failedIds) => attempt.place >= 0 && this.#succeed(attempt, failedIds),
        (error: unknown) => attempt.place >= 0 && this.#fail(attempt, error),
      );
    }
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
      countFailure?.(error);
      dispatcher.failed(attempt, classify(error));
    }
    this.#ended(attempt);
  }

  #ended({ source }: Attempt<ShardConsumer>): void {
    this.#isNews ||= source.window.outcomes.size === 1;
    this.#refill();
  }

  /** Gives entries to the target, one or a batch. Returns the ids that failed of a batch that was taken. */
  #deliver(attempt: Attempt<ShardConsumer>): Promise<ReadonlySet<string> | undefined> {
    const { target } = this.#options;
    const { source, entries, isAlone } = attempt;
    try {
      if (entries.length > 1) {
        return target.batch!.process(entries.map((each) => ({ ...attemptOf(source, each), entry: each.body! })));
      }
      const pending = entries[0]!;
      if (isAlone || isDoubtful(pending.body!)) return this.#deliverChecked(attempt, pending);
      return target.process(pending.body!, attemptOf(source, pending)) as Promise<undefined>;
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error))); // it failed before its first await
    }
  }

  /** Delivers an entry that the server is asked about first. The attempt may be given up, and the lease lost, meanwhile. */
  async #deliverChecked(attempt: Attempt<ShardConsumer>, pending: PendingEntry): Promise<undefined> {
    const { source, isAlone } = attempt;
    if (isAlone && !(await source.claimAlone(pending))) throw new NotDelivered();
    source.signal.throwIfAborted();
    const body = pending.body!;
    if (isDoubtful(body)) {
      const text = await source.checkText(pending, body);
      source.signal.throwIfAborted();
      if (text === 'unknown') throw new NotDelivered();
      if (text === 'bytes') throw new TargetFailure('invalid', 'CONNECTOR:ENCODING', 'A field is not UTF-8');
    }
    await this.#options.target.process(body, attemptOf(source, pending));
  }
}

const attemptOf = ({ stream, signal }: ShardConsumer, pending: PendingEntry): TargetAttempt => {
  return { stream, deliveries: attemptsOf(pending) + 1, signal };
};

/** The target was not called: the entry is no longer there, or the server did not say whether it is. */
class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}

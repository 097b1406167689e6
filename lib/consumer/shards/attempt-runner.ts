import type { Attempt } from '../dispatch/attempt.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Entry } from '../entry.ts';
import type { RunContext } from '../run-context.ts';
import { classify, TargetFailure } from '../targets/failure.ts';
import type { AttemptContext, Target } from '../targets/target.ts';
import { attemptsOf, type PendingEntry } from '../window/pending-entry.ts';
import { withAttemptSpan } from './attempt-span.ts';
import type { ShardConsumer } from './shard-consumer.ts';

/** Number of attempts to start in a turn of the event loop if none has just ended: their calls leave at its end. */
const STARTS_A_TURN = 4;

export interface AttemptRunnerOptions extends Pick<RunContext, 'clock' | 'changed' | 'fail'> {
  readonly dispatcher: Dispatcher<ShardConsumer>;
  readonly target: Target;
  /** Has the shards that attempts may start from, in order of service. */
  readonly coordinator: { readonly active: readonly ShardConsumer[] };
  /** Whether the run still starts attempts. */
  readonly mayStart: (now: number) => boolean;
  /** From then on the run gives up what is in flight. */
  readonly giveUpAt: number;
  /** Counts the failure of each attempt, for alarms. */
  readonly failures?: { addAttempt(error: unknown): unknown } | undefined;
}

/** Runs the attempts that the dispatcher chooses: calls the target, and reports the results back. */
export class AttemptRunner {
  readonly #options: AttemptRunnerOptions;
  #isFillDue = false;
  #isRefillDue = false;
  /** Whether a shard has its first results to report, so that the run must send them. */
  #hasNews = false;

  constructor(options: AttemptRunnerOptions) {
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
      if (dispatcher.freeSlots > 0 || this.#hasNews) changed();
      this.#hasNews = false;
    });
  }

  /** Starts as many attempts as may run: at most this many now, the others in the next turns of the event loop. */
  #start(most = Infinity): void {
    const { dispatcher, clock, coordinator, mayStart, changed, fail } = this.#options;
    try {
      const sources = coordinator.active;
      for (let started = 0; ; started++) {
        const now = clock.now(); // for each attempt: the process may have been suspended
        if (!mayStart(now)) return;
        if (started === most && dispatcher.canStart(now)) return this.fill();
        const attempt = started === most ? undefined : dispatcher.next(sources, now);
        if (!attempt) return started > 0 && most < Infinity ? changed() : undefined;
        this.#begin(attempt);
      }
    } catch (error) {
      fail(error);
    }
  }

  /** Only what the target throws is a failure of the entry. Any other error is ours: it ends the run. */
  #begin(attempt: Attempt<ShardConsumer>): void {
    const { dispatcher, fail } = this.#options;
    this.#deliver(attempt)
      .then(
        (failedIds) => dispatcher.isInFlight(attempt) && this.#succeed(attempt, failedIds),
        (error: unknown) => dispatcher.isInFlight(attempt) && this.#fail(attempt, error),
      )
      .catch(fail);
  }

  #succeed(attempt: Attempt<ShardConsumer>, failedIds: ReadonlySet<string> | undefined): void {
    this.#options.dispatcher.succeeded(attempt, failedIds);
    this.#ended(attempt);
  }

  #fail(attempt: Attempt<ShardConsumer>, error: unknown): void {
    const { dispatcher, failures, clock, giveUpAt } = this.#options;
    if (error instanceof NotDelivered) {
      dispatcher.dropped(attempt);
    } else {
      const failure = classify(error);
      // a starved process may find the deadline of a call before that of the run, which gives this attempt up
      if (failure.kind === 'outage' && clock.now() >= giveUpAt) return;
      dispatcher.failed(attempt, failure);
      failures?.addAttempt(error);
    }
    this.#ended(attempt);
  }

  #ended({ source }: Attempt<ShardConsumer>): void {
    this.#hasNews ||= source.window.results.size === 1;
    this.#refill();
  }

  /** Gives an entry or a batch to the target. Returns the failed ids of a batch. */
  #deliver(attempt: Attempt<ShardConsumer>): Promise<ReadonlySet<string> | undefined> {
    const { source } = attempt;
    if (attempt.isIsolated) return this.#deliverIsolated(source, attempt.entries[0]);
    const [head, ...others] = attempt.entries;
    const { batch } = this.#options.target;
    if (others.length === 0 || !batch) return this.#process(source, head, head.body);
    const entries = attempt.entries.map((pending) => ({ ...contextOf(source, pending), entry: pending.body }));
    return begin(() => withAttemptSpan(entries, () => batch.process(entries)));
  }

  /** Claims a suspect, then delivers it. Meanwhile the attempt may be given up, and the lease lost. */
  async #deliverIsolated(source: ShardConsumer, pending: PendingEntry): Promise<undefined> {
    const body = await source.claimIsolated(pending);
    if (!body) throw new NotDelivered();
    source.signal.throwIfAborted();
    return this.#process(source, pending, body);
  }

  #process(source: ShardConsumer, pending: PendingEntry, body: Entry): Promise<undefined> {
    return begin(() => {
      if (body.hasBytes) throw new TargetFailure('invalid', 'CONNECTOR:ENCODING', 'A field is not UTF-8');
      const context = contextOf(source, pending);
      const process = () => this.#options.target.process(body, context) as Promise<undefined>;
      return withAttemptSpan([{ ...context, entry: body }], process);
    });
  }
}

const contextOf = ({ stream, signal }: ShardConsumer, pending: PendingEntry): AttemptContext => {
  return { stream, deliveries: attemptsOf(pending) + 1, signal };
};

/** The promise of a target's call, which rejects also if the call throws before its first await. */
function begin<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/** The target was not called: the entry was deleted, or the server did not respond. */
class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}

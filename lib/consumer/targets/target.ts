import type { Entry } from '../entry.ts';

/** What a target is told about an attempt. */
export interface AttemptContext {
  /** The shard of the entry. With the id, it identifies the entry. */
  readonly stream: string;
  /** Number of attempts, including this one. */
  readonly deliveries: number;
  /** Aborted when the run gives up: its time is over, its lease is lost, or its group was paused. */
  readonly signal: AbortSignal;
}

/** An entry of a batch. */
export interface BatchEntry extends AttemptContext {
  readonly entry: Entry;
}

/**
 * Where entries go. You can add your own in one file: see lib/consumer/README.md.
 *
 * @example
 * const print: Target = { keyFields: ['orderId'], process: async (entry) => console.log(fieldsOf(entry)) };
 */
export interface Target {
  /** Its name in the log and in `lastFailure`. Default: `target`. */
  readonly name?: string;
  /** The fields of the ordering key: equal values are processed in order. Without any, the shard is one key. */
  readonly keyFields: readonly string[];
  /**
   * Processes an entry; resolves when it is done for good. It may receive the same entry again.
   *
   * @throws `TargetFailure` or `ConnectorError`; any other error counts as the entry's own failure
   */
  process(entry: Entry, context: AttemptContext): Promise<void>;
  /** Processes several entries at a time, if the target can. */
  readonly batch?: {
    /** Maximum entries per call. */
    readonly size: number;
    /** Processes entries of different keys, or the next ones of a shard that is one key; returns the failed ids. */
    process(entries: readonly BatchEntry[]): Promise<ReadonlySet<string>>;
  };
  /** The failure kind of an attempt given up after at least half of the run's time. Default: an outage. */
  readonly timeoutKind?: 'own' | 'outage';
}

import type { Entry } from '../entry.ts';

/** What a target may want to know of an attempt. */
export interface Attempt {
  /** The shard that holds the entry: with its id, it names the entry. */
  readonly stream: string;
  /** How often the entry was attempted, this time included. */
  readonly deliveries: number;
  /** Fires when the run gives up: its time is over, its lease is lost, or its group was paused. */
  readonly signal: AbortSignal;
}

/** An entry of a batch. */
export interface Delivery extends Attempt {
  readonly entry: Entry;
}

/**
 * Where entries go. A team adds its own in one file.
 *
 * @example
 * const print: Target = { keyFields: ['orderId'], process: async (entry) => console.log(fieldsOf(entry)) };
 */
export interface Target {
  /** The fields that make the ordering key: entries that agree in them are processed in the order of the stream, one
   * after the other. An empty list makes the whole shard one key. */
  readonly keyFields: readonly string[];
  /**
   * Takes an entry: settles once it is done for good. It may be given the same entry again.
   *
   * @throws what `classify` understands: `TargetFailure`, `ConnectorError`; any other error counts as the entry's own
   */
  process(entry: Entry, attempt: Attempt): Promise<void>;
  /** Takes several entries at a time, where it can. */
  readonly batch?: {
    /** Most entries a call. */
    readonly size: number;
    /** Takes entries of different keys, or the next ones of a shard that is one key; returns the ids that failed. */
    process(deliveries: readonly Delivery[]): Promise<ReadonlySet<string>>;
  };
  /** What an attempt counts as that was given up after at least half of the run's time. Default: an outage. */
  readonly timeoutKind?: 'own' | 'outage';
}

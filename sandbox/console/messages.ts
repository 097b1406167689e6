/* What the console's page and its server say to each other. */

/** What the sandbox MDM can be set to. */
export const CONDITIONS = ['healthy', 'unavailable', 'slow', 'refuses-logins'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A shard and its group. */
export interface ShardState {
  readonly stream: string;
  readonly length: number;
  /** `null` where Redis does not know. */
  readonly lag: number | null;
  readonly pending: number;
  /** Age of the oldest entry that is unread or pending, in milliseconds. */
  readonly oldestMs: number;
  readonly run: string;
  readonly breaker: string;
  readonly deadLetters: number;
}

/** A run of the consumer that ended. */
export interface RunLine {
  readonly time: string;
  readonly processed: number;
  readonly failed: number;
  readonly deadLettered: number;
  readonly stoppedBecause: string;
  readonly runMs: number;
}

/** A dead letter with the entry that it holds. */
export interface DeadLetterRow {
  readonly stream: string;
  readonly id: string;
  readonly reason: string;
  readonly errorType: string;
  readonly deliveries: string;
  readonly time: string;
  /** The entry's own fields. */
  readonly entry: Record<string, string>;
}

/** Everything that the page polls. */
export interface ConsoleState {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly group: string;
  readonly condition: Condition;
  readonly feed: { perSecond: number; enqueued: number; failed: number };
  readonly mdm: { requests: number; logins: number; refusedLogins: number; golden: number; sources: number };
  readonly shards: readonly ShardState[];
  readonly deadLetters: number;
  /** Newest first. */
  readonly runs: readonly RunLine[];
}

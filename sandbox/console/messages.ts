/* Messages between the console's page and its server. */

import type { GroupStatus } from '#lib/contract/parameters/status.ts';

/** The conditions of the sandbox MDM. */
export const CONDITIONS = ['healthy', 'unavailable', 'slow', 'refuses-logins'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** The schedule of the local stack starts a run of the consumer at every full minute. */
export const SCHEDULE_MS = 60_000;

/** The position of a shard's group. */
export interface ShardState extends GroupStatus {
  /** All its dead letters: the status counts the latest 10,000. */
  readonly letters: number;
}

/** A finished run of the consumer. */
export interface RunLine {
  readonly time: string;
  readonly processed: number;
  readonly failed: number;
  readonly deadLettered: number;
  readonly stoppedBecause: string;
  readonly runMs: number;
}

export interface RunHistory {
  /** Newest first. */
  readonly runs: readonly RunLine[];
  /** Runs that ended at once because others had all shards, and when the last of them ended. */
  readonly held: { readonly count: number; readonly last: string };
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
  readonly history: RunHistory;
}

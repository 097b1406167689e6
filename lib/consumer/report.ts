import type { Clock } from './clock.ts';
import { addedAt } from './entry.ts';
import type { Progress } from './group.ts';

/** Why a run, or its work on a shard, ended; the first that any shard has is reported. */
export const STOP_REASONS = [
  /** Its group was destroyed a second time under it. */
  'group-destroyed',
  /** It was stopped, or cut off from Redis, for longer than its lease, or the lease was taken away. */
  'lease-lost',
  /** Its time is over. */
  'deadline',
  /** An operator has paused the group. */
  'paused',
  /** The target refused every entry: it is left alone for a while, the rest of the stream is unread. */
  'target-refuses',
  /** The target is out of service, or asked for rest: the rest of the stream is unread. */
  'upstream-unavailable',
  /** So many entries are pending that nothing new is read, and none of them is due. */
  'backpressure',
  /** Nothing is left that could be done within the next seconds. */
  'drained',
  /** Another run is active. */
  'lease-held',
] as const;

export type StopReason = (typeof STOP_REASONS)[number];

/** What a run counts. */
export class Counts {
  /** New entries delivered. */
  read = 0;
  /** Entries that the target took. */
  processed = 0;
  /** Attempts that failed and leave their entry pending. */
  failed = 0;
  /** Entries given up. */
  deadLettered = 0;
  /** Entries of earlier runs taken up again. */
  recovered = 0;
  /** Pending entries whose body had been deleted. */
  deleted = 0;
  /** Groups that had to be made. */
  groupsCreated = 0;
}

/** What a run did, and where it leaves its group. */
export interface Report extends Counts {
  pending: number;
  /** Entries not yet delivered; null where the server cannot tell. */
  lag: number | null;
  /** Age of the oldest pending entry in milliseconds, 0 where none is. */
  oldestPendingMs: number;
  stoppedBecause: StopReason;
}

/** Where a run leaves one shard. */
export interface ShardEnd {
  readonly progress: Progress;
  /** Whether the run worked on it. */
  readonly isServed: boolean;
  readonly reason: StopReason;
}

/** The report of a run that ends now, over all its shards. */
export function reportOf(counts: Counts, ends: readonly ShardEnd[], clock: Clock): Report {
  const ages = ends.map(({ progress: { oldestId } }) => (oldestId === null ? 0 : clock.epochMs() - addedAt(oldestId)));
  const lags = ends.map(({ progress }) => progress.lag);
  return {
    ...counts,
    pending: ends.reduce((sum, { progress }) => sum + progress.pending, 0),
    lag: lags.includes(null) ? null : lags.reduce<number>((sum, lag) => sum + lag!, 0),
    oldestPendingMs: Math.max(0, ...ages),
    stoppedBecause: STOP_REASONS.find((reason) => ends.some((end) => end.reason === reason))!,
  };
}

/** What operators watch beside the report. */
export interface Health {
  /** Shards that the run worked on. */
  shardsServed: number;
  /** How often in a row the breaker opened; 0: it is closed. */
  breakerLevel: number;
  /** Age of the oldest entry that is not yet delivered, in milliseconds, 0 where none is. */
  oldestUnreadMs: number;
}

export function healthOf(ends: readonly ShardEnd[], breakerLevel: number, clock: Clock): Health {
  const ages = ends.map(({ progress: { unreadId } }) => (unreadId === null ? 0 : clock.epochMs() - addedAt(unreadId)));
  const shardsServed = ends.filter(({ isServed }) => isServed).length;
  return { shardsServed, breakerLevel, oldestUnreadMs: Math.max(0, ...ages) };
}

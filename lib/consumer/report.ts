import type { RunReport } from '../contract/parameters/consumer.ts';
import { STOP_REASONS, type StopReason } from '../contract/stop-reasons.ts';
import type { Clock } from './clock.ts';
import { addedAt } from './entry.ts';
import type { Progress } from './group/group.ts';

export type Report = RunReport;
type CountName = 'read' | 'processed' | 'failed' | 'deadLettered' | 'recovered' | 'deleted' | 'groupsCreated';
export type { StopReason };

/** The counts of a run; the contract describes them. */
export class Counts implements Pick<Report, CountName> {
  read = 0;
  processed = 0;
  failed = 0;
  deadLettered = 0;
  recovered = 0;
  deleted = 0;
  groupsCreated = 0;
}

/** The state of one shard at the end of a run. */
export interface ShardEnd {
  readonly stream: string;
  readonly progress: Progress;
  /** Whether the run worked on it. */
  readonly isServed: boolean;
  readonly reason: StopReason;
}

/** The report of a run over all its shards. */
export function reportOf(counts: Counts, ends: readonly ShardEnd[], clock: Clock): Report {
  const ages = ends.map(({ progress: { oldestId } }) => (oldestId === null ? 0 : clock.epochMs() - addedAt(oldestId)));
  const lags = ends.map(({ progress }) => progress.lag);
  return {
    ...counts,
    pending: ends.reduce((sum, { progress }) => sum + progress.pending, 0),
    lag: lags.includes(null) ? null : lags.reduce<number>((sum, lag) => sum + lag!, 0),
    oldestPendingMs: Math.max(0, ...ages),
    stoppedBecause: STOP_REASONS.find((reason) => ends.some((end) => reasonOf(end, counts) === reason))!,
  };
}

/** A drained shard whose pending entries only wait for another try is failing, unless the run processed something. */
function reasonOf({ reason, progress }: ShardEnd, { processed }: Counts): StopReason {
  return reason === 'drained' && progress.pending > 0 && processed === 0 ? 'failing' : reason;
}

/** Figures for operators besides the report. */
export interface Health {
  /** Shards that the run worked on. */
  shardsServed: number;
  /** How often in a row the breaker opened; 0: it is closed. */
  breakerLevel: number;
  /** Age of the oldest unread entry in milliseconds; 0 without one. */
  oldestUnreadMs: number;
  /** Entries in all streams, processed ones included. */
  length: number;
  /** Dead letters in all dead-letter streams. */
  deadLetters: number;
}

export function healthOf(ends: readonly ShardEnd[], breakerLevel: number, clock: Clock): Health {
  const ages = ends.map(({ progress: { unreadId } }) => (unreadId === null ? 0 : clock.epochMs() - addedAt(unreadId)));
  const shardsServed = ends.filter(({ isServed }) => isServed).length;
  const sumOf = (name: 'length' | 'deadLetters') => ends.reduce((sum, { progress }) => sum + progress[name], 0);
  return {
    shardsServed,
    breakerLevel,
    oldestUnreadMs: Math.max(0, ...ages),
    length: sumOf('length'),
    deadLetters: sumOf('deadLetters'),
  };
}

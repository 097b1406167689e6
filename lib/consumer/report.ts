import type { RunReport } from '../contract/parameters/consumer.ts';
import { STOP_REASONS, type StopReason } from '../contract/stop-reasons.ts';
import type { Clock } from './clock.ts';
import { addedAt } from './entry.ts';
import type { Progress } from './group/group.ts';
import { embedMetrics, type Log } from '../core/log.ts';

export type Report = RunReport;
type Counted = 'read' | 'processed' | 'failed' | 'deadLettered' | 'recovered' | 'deleted' | 'groupsCreated';
export type { StopReason };

/** What a run counts; the contract says of what. */
export class Counts implements Pick<Report, Counted> {
  read = 0;
  processed = 0;
  failed = 0;
  deadLettered = 0;
  recovered = 0;
  deleted = 0;
  groupsCreated = 0;
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

const NAMESPACE = 'MdmStreamFunctions/Consumer';
/** The metrics of a run, and their units in CloudWatch. */
const UNITS = {
  read: 'Count',
  processed: 'Count',
  failed: 'Count',
  deadLettered: 'Count',
  recovered: 'Count',
  deleted: 'Count',
  pending: 'Count',
  lag: 'Count',
  oldestPendingMs: 'Milliseconds',
  oldestUnreadMs: 'Milliseconds',
  breakerOpen: 'Count',
  breakerLevel: 'Count',
  shardsServed: 'Count',
  runMs: 'Milliseconds',
} as const;

/** What is known of a run beside its report. */
export type RunFacts = Health & { runMs: number };

/**
 * Writes the one line of a run, whatever `LOG_LEVEL` is. It is also a line of CloudWatch's embedded metric format, so
 * CloudWatch makes metrics of it, by stream and group, without a call.
 */
export function logRun(log: Log, of: { stream: string; group: string }, report: Report, facts: RunFacts): void {
  const { runMs, breakerLevel } = facts;
  const breakerOpen = Number(breakerLevel > 0);
  const values: Partial<Record<string, unknown>> = { ...report, ...facts, breakerOpen, runMs: Math.round(runMs) };
  const known = Object.entries(UNITS).filter(([name]) => typeof values[name] === 'number');
  const metrics = {
    namespace: NAMESPACE,
    dimensions: [['stream', 'group'], ['function']], // alarms are over all streams of the function
    units: Object.fromEntries(known),
  };
  log.metrics('run', { ...of, ...values, ...embedMetrics(metrics) });
}

import { embedMetrics, type Log } from '../core/log.ts';
import type { Health, Report } from './report.ts';

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

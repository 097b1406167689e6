import { embedMetrics, type Log } from '../core/log.ts';
import type { Report } from './report.ts';

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
  runMs: 'Milliseconds',
} as const;

/**
 * Writes the one line of a run. It is also a line of CloudWatch's embedded metric format, so CloudWatch makes metrics
 * of it, by stream and group, without a call. It is written whatever the log's level.
 */
export function logRun(log: Log, of: { stream: string; group: string }, report: Report, runMs: number): void {
  const values = { ...report, runMs: Math.round(runMs) };
  const known = Object.entries(UNITS).filter(([name]) => values[name as keyof typeof UNITS] !== null);
  const metrics = {
    namespace: NAMESPACE,
    dimensions: [['stream', 'group'], ['function']], // alarms are over all streams of the function
    units: Object.fromEntries(known),
  };
  log.metrics('run', { ...of, ...values, ...embedMetrics(metrics) });
}

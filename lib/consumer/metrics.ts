import type { Context } from 'aws-lambda';
import { embedMetrics, type Log, type Metrics } from '../core/log.ts';
import { metricsWritten, rootLog, type MetricsWritten } from '../config/config.ts';
import type { Health, Report } from './report.ts';

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** A valid configRef; any other text would create another metric. */
const CONFIG_REF = /^[a-z0-9-]{1,64}$/;
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
  failing: 'Count',
  shardsServed: 'Count',
  length: 'Count',
  deadLetters: 'Count',
  runMs: 'Milliseconds',
} as const;

/** Facts about a run besides its report. */
export type RunFacts = Health & { runMs: number };

/** Identifies a run. */
export interface RunIdentity {
  readonly stream: string;
  readonly group: string;
  readonly configRef: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
}

/** The dimension of alarms, which watch all streams of the function. */
const BY_FUNCTION = ['function'];

/** 1 if a run finished, otherwise 0: alarms compare the sum with Lambda's count of invocations. */
function runsOf(written: MetricsWritten, hasConfigRef: boolean): Metrics {
  const byConfigRef = written === 'full' && hasConfigRef;
  const dimensions = [BY_FUNCTION, ...(byConfigRef ? [[...BY_FUNCTION, 'configRef']] : [])];
  return { namespace: NAMESPACE, dimensions, units: { runs: 'Count' } };
}

/** The detail that turns a line into metrics, if the function writes metrics. */
const embed = (written: MetricsWritten, metrics: readonly Metrics[], startedAt: number) =>
  written === 'off' ? {} : embedMetrics(metrics, startedAt);

/**
 * Writes the one line of a run, at every `LOG_LEVEL`. It has CloudWatch's embedded metric format, so CloudWatch reads
 * metrics from it without a call. They carry the start of the run as their time, like Lambda's own metrics.
 *
 * @param written default: the function's setting; `basic` has no metrics by stream, group or configRef
 */
export function logRun(
  log: Log,
  { startedAt, ...identity }: RunIdentity,
  report: Report,
  facts: RunFacts,
  written: MetricsWritten = metricsWritten(),
): void {
  const { runMs, breakerLevel } = facts;
  const breakerOpen = Number(breakerLevel > 0);
  const failing = Number(report.stoppedBecause === 'failing');
  const values: Partial<Record<string, unknown>> = {
    ...report,
    ...facts,
    breakerOpen,
    failing,
    runMs: Math.round(runMs),
  };
  const known = Object.entries(UNITS).filter(([name]) => typeof values[name] === 'number');
  const metrics: Metrics = {
    namespace: NAMESPACE,
    dimensions: [...(written === 'full' ? [['stream', 'group']] : []), BY_FUNCTION],
    units: Object.fromEntries(known),
  };
  log.always('run', {
    ...identity,
    ...values,
    runs: 1,
    ...embed(written, [metrics, runsOf(written, true)], startedAt),
  });
}

/**
 * Makes a consumer's handler write a line with the metric `runs` 0 for a run that fails anywhere. Without it, alarms
 * would not see a run that fails at once, for example without its secret.
 */
export function withFailedRuns(handler: Handler): Handler {
  return async (event, context) => {
    const startedAt = Date.now();
    try {
      return await handler(event, context);
    } catch (error) {
      const { configRef = 'default' } = (event ?? {}) as { configRef?: unknown };
      const isName = typeof configRef === 'string' && CONFIG_REF.test(configRef);
      const written = metricsWritten();
      const identity = { requestId: context.awsRequestId, ...(isName && { configRef }) };
      rootLog().always('run failed', { ...identity, runs: 0, ...embed(written, [runsOf(written, isName)], startedAt) });
      throw error;
    }
  };
}

import { traceDetails } from './trace.ts';

/** Names whose values are never logged, at any depth. */
const SECRET_NAME =
  /pass(word|wd)?$|secret|session|authorization|cookie|token|credential|api-?key|^(record|entry|sourcePKey|businessId|fields)$/i;
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type Level = (typeof LEVELS)[number];
type Details = Record<string, unknown>;

export const isLevel = (text: string): text is Level => (LEVELS as readonly string[]).includes(text);

/** Metrics of one log line, which CloudWatch extracts (embedded metric format). */
export interface Metrics {
  readonly namespace: string;
  /** Sets of dimensions, each a list of names of details. */
  readonly dimensions: readonly (readonly string[])[];
  /** The details that are metrics, with their units: `Count`, `Milliseconds`. */
  readonly units: Readonly<Record<string, string>>;
}

/** A structured log with one JSON object per line: `{level, time, message, requestId, traceId, correlationId, …}`. */
export interface Log {
  debug(message: string, details?: Details): void;
  info(message: string, details?: Details): void;
  warn(message: string, details?: Details): void;
  error(message: string, details?: Details): void;
  /** Writes a line at every level: metrics of alarms, and the audit trail, must not depend on it. */
  always(message: string, details: Details): void;
  /** A log that adds these details to each line. */
  with(details: Details): Log;
}

function describeError(error: Error): Details {
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause }) };
}

/** Caches whether a name sounds like a secret: names are few, and each line has ten. */
const isSecretName = new Map<string, boolean>();
const MAX_NAMES = 1000;

function isSecret(name: string): boolean {
  let known = isSecretName.get(name);
  if (known === undefined) {
    known = SECRET_NAME.test(name);
    if (isSecretName.size < MAX_NAMES) isSecretName.set(name, known);
  }
  return known;
}

function redact(name: string, value: unknown): unknown {
  if (value !== undefined && isSecret(name)) return '[redacted]';
  if (value instanceof Error) return describeError(value);
  return typeof value === 'bigint' ? String(value) : value;
}

/** Whether a line has nothing to redact, as most lines: they take half the time. */
function isPlain(details: Details): boolean {
  for (const name in details) {
    const value = details[name];
    if (isSecret(name) || typeof value === 'bigint' || (typeof value === 'object' && value !== null)) return false;
  }
  return true;
}

/**
 * Makes a log that writes lines of at least `level`. It replaces values whose names sound like secrets, records or
 * record keys by `[redacted]`.
 *
 * @example
 * const log = createLog('info').with({ requestId });
 * log.warn('login refused', { status: 401 });
 */
export function createLog(
  level: Level = 'info',
  details: Details = {},
  write: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Log {
  const threshold = LEVELS.indexOf(level);
  const line = (lineLevel: Level, message: string, more?: Details) => {
    const time = new Date().toISOString();
    const all = { level: lineLevel, time, message, ...details, ...traceDetails(), ...more };
    write(isPlain(all) ? JSON.stringify(all) : JSON.stringify(all, redact));
  };
  const at = (lineLevel: Level) => (message: string, more?: Details) => {
    if (LEVELS.indexOf(lineLevel) >= threshold) line(lineLevel, message, more);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    always: (message, more) => line('info', message, more),
    with: (more) => createLog(level, { ...details, ...more }, write),
  };
}

/**
 * The detail that turns other details of a line into metrics.
 *
 * @param timestamp when the measured event happened, in milliseconds since 1970. Default: now
 *
 * @example
 * const metrics = embedMetrics({ namespace: 'N', dimensions: [['function']], units: { read: 'Count' } });
 * log.always('run', { read: 3, function: name, ...metrics });
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function embedMetrics(metrics: Metrics | readonly Metrics[], timestamp = Date.now()) {
  const CloudWatchMetrics = [metrics].flat().map(({ namespace, dimensions, units }) => ({
    Namespace: namespace,
    Dimensions: dimensions,
    Metrics: Object.entries(units).map(([Name, Unit]) => ({ Name, Unit })),
  }));
  return { _aws: { Timestamp: timestamp, CloudWatchMetrics } };
}

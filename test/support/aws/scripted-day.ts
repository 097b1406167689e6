import { evaluatedEvery, isRinging, Metrics, type AlarmProperties, type Unpublished } from './cloudwatch.ts';

/*
 * A day of a deployment, minute by minute: what runs and calls leave in CloudWatch, and which alarms ring. What a run or a
 * call writes are the lines of packaged functions, recorded once; the day repeats them at its own times.
 */

/** What an invocation left behind. */
export interface Recorded {
  /** Lines of its log. */
  readonly lines: readonly string[];
  /** Whether it is an error of Lambda. */
  readonly isError: boolean;
  /** Whether the HTTP API answered with a status of 500 or more. */
  readonly is5xx?: boolean;
}

export interface Day {
  readonly minutes: number;
  /** Invocations by minute, of a function by its whole name. */
  invocations(
    minute: number,
  ): { functionName: string; recorded: Recorded; durationMinutes?: number; isHttp?: boolean }[];
  /** Metrics of other services by minute. */
  further?(
    minute: number,
  ): { namespace: string; name: string; dimensions: { Name: string; Value: string }[]; value: number }[];
}

/** How long after its end CloudWatch shows what an invocation left, at most. */
export const SHOWN_AFTER_MINUTES = 2;

interface EmbeddedMetrics {
  _aws?: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] };
  [detail: string]: unknown;
}

/** The minutes at which each alarm rang, by its logical id; alarms that never rang are left out. */
export function ringsOf(
  alarms: ReadonlyMap<string, AlarmProperties>,
  day: Day,
  unpublished: Unpublished,
  from: number,
): Map<string, number[]> {
  const metrics = measure(day);
  const rings = new Map<string, number[]>();
  for (const [name, alarm] of alarms) {
    for (let now = from; now <= day.minutes; now += evaluatedEvery(alarm)) {
      if (isRinging(alarm, metrics, now, unpublished)) rings.set(name, [...(rings.get(name) ?? []), now]);
    }
  }
  return rings;
}

function measure(day: Day): Metrics {
  const metrics = new Metrics();
  for (let minute = 0; minute < day.minutes; minute++) {
    for (const { functionName, recorded, durationMinutes = 0, isHttp } of day.invocations(minute)) {
      const shownAt = minute + durationMinutes + SHOWN_AFTER_MINUTES;
      const add = (namespace: string, name: string, dimensions: Record<string, unknown>, value: number) =>
        metrics.add(namespace, name, dimensionsOf(dimensions), value, minute, shownAt);
      add('AWS/Lambda', 'Invocations', { FunctionName: functionName }, 1);
      add('AWS/Lambda', 'Errors', { FunctionName: functionName }, Number(recorded.isError));
      if (isHttp) {
        add('AWS/ApiGateway', 'Count', { ApiId: 'ref-HttpApi' }, 1);
        add('AWS/ApiGateway', '5xx', { ApiId: 'ref-HttpApi' }, Number(recorded.is5xx ?? false));
      }
      for (const line of recorded.lines) addEmbedded(line, add);
    }
    for (const { namespace, name, dimensions, value } of day.further?.(minute) ?? []) {
      metrics.add(namespace, name, dimensions, value, minute, minute + SHOWN_AFTER_MINUTES);
    }
  }
  return metrics;
}

const dimensionsOf = (dimensions: Record<string, unknown>) =>
  Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value: String(Value) }));

function addEmbedded(
  line: string,
  add: (namespace: string, name: string, dimensions: Record<string, unknown>, value: number) => void,
): void {
  if (!line.includes('"_aws"')) return;
  const details = JSON.parse(line) as EmbeddedMetrics;
  for (const { Namespace, Dimensions, Metrics: names } of details._aws?.CloudWatchMetrics ?? []) {
    for (const dimensions of Dimensions) {
      const values = Object.fromEntries(dimensions.map((name) => [name, details[name]]));
      for (const { Name } of names) add(Namespace, Name, values, Number(details[Name]));
    }
  }
}

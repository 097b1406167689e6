import {
  evaluatedEvery,
  isRinging,
  Metrics,
  seriesName,
  type AlarmProperties,
  type Unpublished,
} from './cloudwatch.ts';

/*
 * A day of a deployment, minute by minute: what runs and calls leave in CloudWatch, and which alarms ring. What a run
 * or a call writes are the lines of packaged functions, recorded once; the day repeats them at its own times.
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
  { metrics, minutes }: { metrics: Metrics; minutes: number },
  unpublished: Unpublished,
  from: number,
): Map<string, number[]> {
  const rings = new Map<string, number[]>();
  for (const [name, alarm] of alarms) {
    const rang: number[] = [];
    for (let now = from; now <= minutes; now += evaluatedEvery(alarm)) {
      if (isRinging(alarm, metrics, now, unpublished)) rang.push(now);
    }
    if (rang.length > 0) rings.set(name, rang);
  }
  return rings;
}

/** What CloudWatch has of a day. */
export function measure(day: Day): Metrics {
  const metrics = new Metrics();
  for (let minute = 0; minute < day.minutes; minute++) {
    for (const { functionName, recorded, durationMinutes = 0, isHttp } of day.invocations(minute)) {
      const shownAt = minute + durationMinutes + SHOWN_AFTER_MINUTES;
      for (const [series, value] of left(functionName, recorded, isHttp)) metrics.add(series, value, minute, shownAt);
    }
    for (const { namespace, name, dimensions, value } of day.further?.(minute) ?? []) {
      metrics.add(seriesName(namespace, name, dimensions), value, minute, minute + SHOWN_AFTER_MINUTES);
    }
  }
  return metrics;
}

type Measured = readonly [series: string, value: number];

/** A day repeats a few invocations thousands of times. */
const known = new Map<Recorded, Map<string, readonly Measured[]>>();

function left(functionName: string, recorded: Recorded, isHttp = false): readonly Measured[] {
  const ofRecorded = known.get(recorded) ?? new Map<string, readonly Measured[]>();
  known.set(recorded, ofRecorded);
  const caller = `${functionName} ${isHttp}`;
  const measured = ofRecorded.get(caller) ?? measuredOf(functionName, recorded, isHttp);
  ofRecorded.set(caller, measured);
  return measured;
}

function measuredOf(functionName: string, recorded: Recorded, isHttp: boolean): Measured[] {
  const ofFunction = [{ Name: 'FunctionName', Value: functionName }];
  const ofApi = [{ Name: 'ApiId', Value: 'ref-HttpApi' }];
  const ofCall: Measured[] = [
    [seriesName('AWS/ApiGateway', 'Count', ofApi), 1],
    [seriesName('AWS/ApiGateway', '5xx', ofApi), Number(recorded.is5xx ?? false)],
  ];
  return [
    [seriesName('AWS/Lambda', 'Invocations', ofFunction), 1],
    [seriesName('AWS/Lambda', 'Errors', ofFunction), Number(recorded.isError)],
    ...(isHttp ? ofCall : []),
    ...recorded.lines.flatMap(embeddedIn),
  ];
}

function embeddedIn(line: string): Measured[] {
  if (!line.includes('"_aws"')) return [];
  const details = JSON.parse(line) as EmbeddedMetrics;
  return (details._aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics: names }) =>
    Dimensions.flatMap((dimensions) => {
      const values = dimensions.map((Name) => ({ Name, Value: String(details[Name]) }));
      return names.map(({ Name }): Measured => [seriesName(Namespace, Name, values), Number(details[Name])]);
    }),
  );
}

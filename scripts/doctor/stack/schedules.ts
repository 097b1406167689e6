import { CloudWatchClient, GetMetricDataCommand, type MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { paginateListSchedules, SchedulerClient } from '@aws-sdk/client-scheduler';
import { consumerMetric, LATE_MINUTES, lambdaMetric, type Metric } from '#deploy/alarms.ts';
import { functionLogicalId } from '#deploy/names.ts';
import { CONSUMER } from '#deploy/operations.ts';
import { gapsOf } from '#deploy/rate.ts';
import { functions } from '#scripts/build/functions.ts';
import type { Found } from '#lib/invocation/checks.ts';
import { formatMs } from '#lib/contract/explain-status.ts';
import type { DeployedStack } from './deployed-stack.ts';

interface Schedule {
  readonly logicalId: string;
  readonly operation: string;
  readonly configRef: string | undefined;
  readonly rate: string;
  readonly isOff: boolean;
}

const MINUTE_MS = 60_000;
const MINUTE_S = 60;

/** The schedules of the template, without their ids in AWS. */
function schedulesOf({ template }: DeployedStack): Schedule[] {
  const operations = new Map(functions.map(({ name }) => [functionLogicalId(name), name]));
  return Object.entries(template.Resources).flatMap(([logicalId, { Type, Properties }]) => {
    if (Type !== 'AWS::Scheduler::Schedule') return [];
    const { ScheduleExpression: rate, State, Target } = Properties as ScheduleProperties;
    const { configRef } = JSON.parse(Target.Input) as { configRef?: string };
    const operation = operations.get(Target.Arn['Fn::GetAtt'][0]) ?? 'unknown';
    return [{ logicalId, operation, configRef, rate, isOff: State === 'DISABLED' }];
  });
}

interface ScheduleProperties {
  readonly ScheduleExpression: string;
  readonly State?: string;
  readonly Target: { readonly Arn: { readonly 'Fn::GetAtt': readonly [string, string] }; readonly Input: string };
}

/** Whether the schedules exist and are enabled. */
export async function inspectSchedules(stack: DeployedStack): Promise<Found<true>> {
  const schedules = schedulesOf(stack);
  if (schedules.length === 0) return { detail: 'The stack has none', value: true };
  const client = new SchedulerClient({ region: stack.region, maxAttempts: 2 });
  const states = new Map<string, string>();
  for await (const { Schedules = [] } of paginateListSchedules(
    { client },
    { GroupName: `${stack.service}-${stack.stage}` },
  )) {
    for (const { Name = '', State = '' } of Schedules) states.set(Name, State);
  }
  const stateOf = ({ logicalId }: Schedule) => states.get(stack.ids.get(logicalId) ?? '');
  const missing = schedules.filter((schedule) => stateOf(schedule) === undefined);
  const disabled = schedules.filter((schedule) => stateOf(schedule) === 'DISABLED');
  const found = (status: Found<true>['status'], detail: string, hint: string) => ({
    status,
    detail,
    hint,
    value: true as const,
  });
  if (missing.length > 0)
    return found('failed', `Missing: ${listOf(missing)}`, 'Deploy again: they were deleted by hand');
  const byHand = disabled.filter(({ isOff }) => !isOff);
  if (byHand.length > 0) {
    return found(
      'failed',
      `Disabled by hand: ${listOf(byHand)}`,
      'Enable them in EventBridge Scheduler, or deploy again',
    );
  }
  if (disabled.length > 0) {
    return found('warning', `Switched off by consumerState: ${listOf(disabled)}`, 'Deploy with consumerState=on');
  }
  return { detail: `${schedules.length} enabled: ${listOf(schedules)}`, value: true };
}

const listOf = (schedules: readonly Schedule[]): string => [...new Set(schedules.map(nameOf))].join(', ');

const nameOf = ({ operation, configRef }: Schedule) =>
  configRef === undefined ? operation : `${operation} of ${configRef}`;

/** Whether what is scheduled has run within two of its rates, by the metrics that alarms look at. */
export async function inspectRuns(stack: DeployedStack): Promise<Found<true>> {
  const due = [
    ...new Map(
      schedulesOf(stack)
        .filter(({ isOff }) => !isOff)
        .map((one) => [nameOf(one), one]),
    ).values(),
  ];
  const watched = due.flatMap((schedule) => {
    const minutes = gapsOf(schedule.rate)?.most;
    return minutes === undefined ? [] : [{ schedule, windowMs: (2 * minutes + LATE_MINUTES) * MINUTE_MS }];
  });
  if (watched.length === 0) return { detail: 'No schedule is on', value: true };
  const now = Date.now();
  const longestMs = Math.max(...watched.map(({ windowMs }) => windowMs));
  const times = await lastTimes(
    stack,
    watched.map(({ schedule }) => metricOf(stack, schedule)),
    now - longestMs,
    now,
  );
  const rows = watched.map((one, at) => ({ ...one, ageMs: times[at] === undefined ? undefined : now - times[at] }));
  const late = rows.filter(({ ageMs, windowMs }) => ageMs === undefined || ageMs > windowMs);
  if (late.length === 0) return { detail: rows.map((row) => sayLast(row.schedule, row.ageMs)).join('; '), value: true };
  const detail = late.map(({ schedule, ageMs }) => sayLast(schedule, ageMs)).join('; ');
  const isNew = late.every(({ windowMs }) => now - stack.createdAt.getTime() < windowMs);
  const hint = isNew
    ? 'The stack is new: look again after two of its rates'
    : `Look at the schedules, and at throttles of the function: aws lambda get-account-settings`;
  return { status: isNew ? 'warning' : 'failed', detail, hint, value: true };
}

const sayLast = (schedule: Schedule, ageMs: number | undefined) =>
  ageMs === undefined
    ? `${nameOf(schedule)} has not run within two of its rates (${schedule.rate})`
    : `${nameOf(schedule)} ran ${formatMs(ageMs)} ago (${schedule.rate})`;

/** Lambda counts invocations of a function; with several configurations, the consumer counts the runs of each. */
function metricOf({ service, stage, parameters }: DeployedStack, { operation, configRef }: Schedule): Metric {
  const { monitoring, configRefs = '' } = parameters.effective;
  const isCounted = operation === CONSUMER && monitoring === 'full' && configRefs.includes(',');
  if (!isCounted) return lambdaMetric({ service, stage }, 'Invocations', operation);
  return consumerMetric({ service, stage }, 'runs', { configRef });
}

/** When each metric last counted something, in milliseconds since 1970; undefined if it did not. */
async function lastTimes({ region }: DeployedStack, metrics: readonly Metric[], from: number, to: number) {
  const client = new CloudWatchClient({ region, maxAttempts: 2 });
  const queries = metrics.map(({ namespace, name, dimensions }, at): MetricDataQuery => ({
    Id: `m${at}`,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: name,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value: String(Value) })),
      },
      Period: periodFor(to - from),
      Stat: 'Sum',
    },
  }));
  const command = new GetMetricDataCommand({
    StartTime: new Date(from),
    EndTime: new Date(to),
    MetricDataQueries: queries,
  });
  const { MetricDataResults = [] } = await client.send(command);
  return metrics.map((_, at) => {
    const { Timestamps = [], Values = [] } = MetricDataResults.find(({ Id }) => Id === `m${at}`) ?? {};
    const counted = Timestamps.filter((_, index) => (Values[index] ?? 0) > 0).map((time) => time.getTime());
    return counted.length === 0 ? undefined : Math.max(...counted);
  });
}

/** Of CloudWatch's periods, one that gives few values: minutes up to a day, hours beyond. */
const periodFor = (ms: number) => (ms <= 24 * 60 * MINUTE_MS ? MINUTE_S : 60 * MINUTE_S);

import { functionName } from './names.ts';
import { deployedFunctions } from './functions.ts';
import { CONSUMER, isDeployed } from './operations.ts';
import type { Deployment } from './parameters.ts';
import { SCHEDULES_DEAD_LETTERS, schedulesOf } from './schedules.ts';

/** A metric, by its namespace, name and dimensions. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, unknown>>;
}

interface Alarm {
  readonly description: string;
  readonly metrics: readonly Metric[];
  readonly statistic: 'Sum' | 'Maximum';
  readonly comparison: 'GreaterThanOrEqualToThreshold' | 'LessThanThreshold';
  readonly threshold: number;
  /** What no data means. Default: nothing happened, so nothing is wrong. */
  readonly missing?: 'breaching';
  /** Periods of five minutes that must be over the threshold. Default 1. */
  readonly periods?: number;
}

const PERIOD_SECONDS = 300;
/** An alarm's expression takes at most ten metrics, so functions share alarms by tens. */
const METRICS_AN_ALARM = 10;
const TOO_OLD_MS = 15 * 60_000;

/** Metrics of the deployment as a whole, which every function writes. */
export const deploymentMetric = ({ service, stage }: Deployment, name: string, more = {}): Metric => ({
  namespace: 'MdmStreamFunctions',
  name,
  dimensions: { deployment: `${service}-${stage}`, ...more },
});

/** Metrics of the consumer over all its streams. */
export const consumerMetric = (deployment: Deployment, name: string): Metric => ({
  namespace: 'MdmStreamFunctions/Consumer',
  name,
  dimensions: { function: functionName(deployment, CONSUMER) },
});

export const lambdaMetric = (deployment: Deployment, name: string, key: string): Metric => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: { FunctionName: functionName(deployment, key) },
});

/** The alarms of a deployment as resources; they notify the topic, where there is one. */
export function alarmResources(deployment: Deployment): Record<string, unknown> {
  const alarms = { ...functionAlarms(deployment), ...upstreamAlarms(deployment), ...consumerAlarms(deployment) };
  return Object.fromEntries(
    Object.entries(alarms).map(([name, alarm]) => [`${name}Alarm`, alarmResource(alarm, deployment)]),
  );
}

function functionAlarms(deployment: Deployment): Record<string, Alarm> {
  const keys = deployedFunctions(deployment).map(({ name }) => name);
  const groups = Array.from({ length: Math.ceil(keys.length / METRICS_AN_ALARM) }, (_, at) =>
    keys.slice(at * METRICS_AN_ALARM, (at + 1) * METRICS_AN_ALARM),
  );
  const over = (name: string, what: string, threshold: number) =>
    groups.map((group, at): [string, Alarm] => [
      `Function${name}${at + 1}`,
      {
        description: `${what} of the functions ${group.join(', ')}`,
        metrics: group.map((key) => lambdaMetric(deployment, name, key)),
        statistic: 'Sum',
        comparison: 'GreaterThanOrEqualToThreshold',
        threshold,
      },
    ]);
  return Object.fromEntries([...over('Errors', 'Failed invocations', 10), ...over('Throttles', 'Throttles', 1)]);
}

function upstreamAlarms(deployment: Deployment): Record<string, Alarm> {
  const usual = { statistic: 'Sum', comparison: 'GreaterThanOrEqualToThreshold' } as const;
  const failures = (type: string) => [deploymentMetric(deployment, 'failures', { type })];
  return {
    MdmTimeouts: {
      ...usual,
      description: 'Calls that the MDM did not answer in time',
      metrics: failures('MDM:TIMEOUT'),
      threshold: 5,
    },
    RefusedLogins: {
      ...usual,
      description: 'The MDM refused the credentials of a configuration',
      metrics: [deploymentMetric(deployment, 'refusedLogins')],
      threshold: 1,
    },
  };
}

function consumerAlarms(deployment: Deployment): Record<string, Alarm> {
  if (!isDeployed(CONSUMER, deployment)) return {};
  const atLeast = { statistic: 'Maximum', comparison: 'GreaterThanOrEqualToThreshold' } as const;
  const ofConsumer = (...names: string[]) => names.map((name) => consumerMetric(deployment, name));
  return {
    ConsumerNotRunning: {
      description: 'The consumer was not invoked for five minutes',
      metrics: [lambdaMetric(deployment, 'Invocations', CONSUMER)],
      ...{ statistic: 'Sum', comparison: 'LessThanThreshold', threshold: 1, missing: 'breaching' },
    },
    ConsumerOldestPending: {
      ...atLeast,
      description: 'An entry is pending for more than 15 minutes',
      metrics: ofConsumer('oldestPendingMs'),
      threshold: TOO_OLD_MS,
    },
    ConsumerOldestUnread: {
      ...atLeast,
      description: 'An entry is unread for more than 15 minutes',
      metrics: ofConsumer('oldestUnreadMs'),
      threshold: TOO_OLD_MS,
    },
    ConsumerDeadLetters: {
      ...atLeast,
      description: 'Entries became dead letters',
      metrics: ofConsumer('deadLettered'),
      threshold: 1,
    },
    ConsumerBreakerOpen: {
      ...atLeast,
      description: 'The circuit breaker is open: the target is out of order, or refuses everything',
      metrics: ofConsumer('breakerLevel'),
      threshold: 1,
      periods: 2,
    },
    ...(schedulesOf(deployment).length > 0 && { SchedulesDeadLetters: scheduleDeadLetters }),
  };
}

const scheduleDeadLetters: Alarm = {
  description: 'Scheduled invocations that Lambda did not take',
  metrics: [
    {
      namespace: 'AWS/SQS',
      name: 'ApproximateNumberOfMessagesVisible',
      dimensions: { QueueName: { 'Fn::GetAtt': [SCHEDULES_DEAD_LETTERS, 'QueueName'] } },
    },
  ],
  ...{ statistic: 'Maximum', comparison: 'GreaterThanOrEqualToThreshold', threshold: 1 },
};

function alarmResource(alarm: Alarm, { service, stage, alarmTopicArn }: Deployment) {
  const { description, metrics, statistic, comparison, threshold, missing = 'notBreaching', periods = 1 } = alarm;
  const ids = metrics.map((_, at) => `m${at + 1}`);
  const queries = metrics.map(({ namespace, name, dimensions }, at) => ({
    Id: ids[at],
    ReturnData: metrics.length === 1,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: name,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: PERIOD_SECONDS,
      Stat: statistic,
    },
  }));
  const sum = { Id: 'total', Expression: `SUM([${ids.join(', ')}])`, ReturnData: true };
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: `${service}-${stage}: ${description}`,
      Metrics: metrics.length === 1 ? queries : [...queries, sum],
      EvaluationPeriods: periods,
      ComparisonOperator: comparison,
      Threshold: threshold,
      TreatMissingData: missing,
      ...(alarmTopicArn && { AlarmActions: [alarmTopicArn], OKActions: [alarmTopicArn] }),
    },
  };
}

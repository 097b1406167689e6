import { remedyOf } from './alarm-commands.ts';
import { functionName, shortHash } from './names.ts';
import { deployedFunctions, hasRoutes } from './functions.ts';
import { CONSUMER, isDeployed } from './operations.ts';
import type { Deployment } from './parameters.ts';
import type { TemplateResource } from './tags.ts';
import { gapsOf } from './rate.ts';
import { checksOf, SCHEDULES_DEAD_LETTERS, schedulesOf } from './schedules.ts';

/** A metric, by its namespace, name and dimensions. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, unknown>>;
}

interface Alarm {
  readonly description: string;
  /** By their names in the expression. */
  readonly metrics: Readonly<Record<string, Metric>>;
  readonly statistic: 'Sum' | 'Maximum';
  /** The value to compare, if it is not the only metric. */
  readonly expression?: string;
  readonly comparison?: 'LessThanThreshold';
  readonly threshold: number;
  /** The meaning of missing data. Default: nothing happened. */
  readonly missing?: 'breaching';
  /** Length of a period. Default: five minutes. */
  readonly minutes?: number;
  /** How many of the last periods must breach the threshold. Default: the last one. */
  readonly datapoints?: readonly [breaching: number, periods: number];
}

/** An expression has at most ten metrics, so each alarm covers up to ten functions. */
const METRICS_AN_ALARM = 10;
const USUAL_MINUTES = 5;
/** An alarm rings for an entry that waits this long, or for two runs. */
const TOO_OLD_MINUTES = 15;
/** A scheduled run may begin a minute late, and its metrics arrive up to three minutes later. */
export const LATE_MINUTES = 4;
const DAY_MINUTES = 1440;
/** The longest time that an alarm may look back, over all its periods. */
const MOST_MINUTES = 7 * DAY_MINUTES;

/** What names a deployment. */
type Stack = Pick<Deployment, 'service' | 'stage'>;

/** Metrics of the deployment as a whole, which every function writes. */
export const deploymentMetric = ({ service, stage }: Deployment, name: string, more = {}): Metric => ({
  namespace: 'MdmStreamFunctions',
  name,
  dimensions: { deployment: `${service}-${stage}`, ...more },
});

/** Metrics of the consumer over all its streams. */
export const consumerMetric = (deployment: Stack, name: string, more = {}): Metric => ({
  namespace: 'MdmStreamFunctions/Consumer',
  name,
  dimensions: { function: functionName(deployment, CONSUMER), ...more },
});

export const lambdaMetric = (deployment: Stack, name: string, key: string): Metric => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: { FunctionName: functionName(deployment, key) },
});

/** A metric of AWS's own for the HTTP API, over all its routes. */
export const apiMetric = (name: string): Metric => ({
  namespace: 'AWS/ApiGateway',
  name,
  dimensions: { ApiId: { Ref: 'HttpApi' } },
});

/**
 * The alarms of a deployment as resources. They notify the topic, if there is one.
 *
 * CloudWatch evaluates an alarm every minute, over periods that end at that minute. For a period without data it uses
 * older periods, and only then the meaning of missing data. An alarm on silence therefore fills its metric with zeros.
 */
export function alarmResources(deployment: Deployment): Record<string, TemplateResource> {
  if (deployment.monitoring === 'off') return {};
  const alarms = {
    ...(deployment.monitoring === 'full' && { ...functionAlarms(deployment), ...upstreamAlarms(deployment) }),
    ...serverAlarms(deployment),
    ...consumerAlarms(deployment),
    ...checkAlarms(deployment),
    ...(watchesQueue(deployment) && { SchedulesDeadLetters: scheduleDeadLetters }),
  };
  return Object.fromEntries(
    Object.entries(alarms).map(([name, alarm]) => [`${name}Alarm`, alarmResource(name, alarm, deployment)]),
  );
}

function functionAlarms(deployment: Deployment): Record<string, Alarm> {
  const keys = deployedFunctions(deployment).map(({ name }) => name);
  const groups = Array.from({ length: Math.ceil(keys.length / METRICS_AN_ALARM) }, (_, at) =>
    keys.slice(at * METRICS_AN_ALARM, (at + 1) * METRICS_AN_ALARM),
  );
  const over = (name: string, what: string, threshold: number) =>
    groups.map((group, at): [string, Alarm] => {
      const metrics = Object.fromEntries(group.map((key, at) => [`m${at + 1}`, lambdaMetric(deployment, name, key)]));
      const description = `${what} of the functions ${group.join(', ')}`;
      const expression = `SUM([${Object.keys(metrics).join(', ')}])`;
      return [`Function${name}${at + 1}`, { description, metrics, expression, statistic: 'Sum', threshold }];
    });
  return Object.fromEntries([...over('Errors', 'Failed invocations', 10), ...over('Throttles', 'Throttles', 1)]);
}

function upstreamAlarms(deployment: Deployment): Record<string, Alarm> {
  return {
    MdmTimeouts: {
      description: 'Calls without a response of the MDM in time',
      metrics: { timeouts: deploymentMetric(deployment, 'failures', { type: 'MDM:TIMEOUT' }) },
      statistic: 'Sum',
      threshold: 5,
    },
    RefusedLogins: {
      description: 'The MDM refused the credentials of a configuration',
      metrics: { refused: deploymentMetric(deployment, 'refusedLogins') },
      statistic: 'Sum',
      threshold: 1,
    },
  };
}

/** The alarm on the API watches a share instead of a count: with few calls, two failures are an outage. */
function serverAlarms(deployment: Deployment): Record<string, Alarm> {
  const ofApi: Alarm = {
    description: "At least a fifth of the HTTP API's calls got a status of 500 or more",
    metrics: { errors: apiMetric('5xx'), calls: apiMetric('Count') },
    statistic: 'Sum',
    expression: '100 * errors / calls',
    threshold: 20,
    minutes: 4,
    datapoints: [2, 2],
  };
  return {
    ServerFailures: {
      description: 'Calls failed with a status of 500 or more',
      metrics: { failures: deploymentMetric(deployment, 'serverFailures') },
      statistic: 'Sum',
      threshold: 5,
      minutes: 10, // metrics arrive a minute or two late, so a shorter window would miss some
    },
    ...(hasRoutes(deployment) && { ApiServerErrors: ofApi }),
  };
}

/** Names of the alarms that exist only beside the consumer. */
export const OF_CONSUMER = /^Consumer/;

function consumerAlarms(deployment: Deployment): Record<string, Alarm> {
  if (!isDeployed(CONSUMER, deployment)) return {};
  const ofConsumer = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, consumerMetric(deployment, name)]));
  const ofLambda = (name: string) => lambdaMetric(deployment, name, CONSUMER);
  const { least, most } = gapsOf(deployment.consumerRate) ?? { least: 1, most: 1 };
  const perRun = Math.min(least, MOST_MINUTES / 3);
  const anyRun = Math.min(Math.max(USUAL_MINUTES, most + LATE_MINUTES), MOST_MINUTES);
  const tooOld = Math.max(TOO_OLD_MINUTES, 2 * most);
  return {
    ...notRunning(deployment),
    ConsumerFailing: {
      description: 'Every run of the consumer fails',
      metrics: { errors: ofLambda('Errors'), invocations: ofLambda('Invocations') },
      statistic: 'Sum',
      expression: 'IF(errors >= invocations, 1, 0)',
      threshold: 1,
      minutes: perRun,
      datapoints: failingPeriods(perRun),
    },
    ConsumerUnfinished: {
      description: 'The consumer is invoked, but no run finishes',
      metrics: { invocations: ofLambda('Invocations'), ...ofConsumer('runs') },
      statistic: 'Sum',
      expression: 'IF(FILL(invocations, 0) > 0 AND FILL(runs, 0) < 1, 1, 0)',
      threshold: 1,
      minutes: perRun,
      datapoints: [2, 3],
    },
    ConsumerOldestEntry: {
      description: `An entry has been unread or pending for more than ${tooOld} minutes`,
      metrics: ofConsumer('oldestUnreadMs', 'oldestPendingMs'),
      statistic: 'Maximum',
      expression: 'MAX([oldestUnreadMs, oldestPendingMs])',
      threshold: tooOld * 60_000,
      minutes: anyRun,
    },
    ConsumerDeadLetters: {
      description: 'There are dead letters',
      metrics: ofConsumer('deadLetters'),
      statistic: 'Maximum',
      threshold: 1,
      minutes: anyRun, // so that it stays on between two runs
    },
    ...(deployment.monitoring === 'full' && {
      ConsumerStreamLength: {
        description: `The streams of a configuration have ${deployment.streamLengthAlarm} entries or more`,
        metrics: ofConsumer('length'),
        statistic: 'Maximum' as const,
        threshold: deployment.streamLengthAlarm,
        minutes: anyRun,
      },
    }),
    ConsumerBreakerOpen: {
      description: 'The target fails: the circuit breaker is open, or entries only wait for another try',
      metrics: ofConsumer('breakerLevel', 'failing'),
      statistic: 'Maximum',
      expression: 'MAX([breakerLevel, failing])',
      threshold: 1,
      minutes: Math.max(USUAL_MINUTES, perRun),
      datapoints: [2, 2],
    },
  };
}

/** Rings from a check that failed until the next one that passed. */
function checkAlarms(deployment: Deployment): Record<string, Alarm> {
  const checks = checksOf(deployment);
  if (checks.length === 0) return {};
  const { most } = gapsOf(deployment.checkRate ?? '') ?? { most: 1 };
  const metrics = Object.fromEntries(
    checks.map((name, at) => [`m${at + 1}`, lambdaMetric(deployment, 'Errors', name)]),
  );
  return {
    ChecksFailing: {
      description: `A check of a configuration failed: ${checks.join(', ')}`,
      metrics,
      statistic: 'Sum',
      expression: `SUM([${Object.keys(metrics).join(', ')}])`,
      threshold: 1,
      minutes: Math.min(Math.max(USUAL_MINUTES, most), MOST_MINUTES),
    },
  };
}

/** How many periods in a row must fail: as many as fit into ten minutes, so that a single failure rings nothing. */
function failingPeriods(minutes: number): readonly [number, number] {
  if (minutes >= USUAL_MINUTES) return [1, 1];
  return minutes > 2 ? [2, 2] : [3, 3];
}

/**
 * The alarm on silence: no run took place for as long as two should take. Lambda counts invocations of the function as
 * a whole; with several configurations, the finished runs of each show which one stands still.
 */
function notRunning(deployment: Deployment): Record<string, Alarm> {
  const { configRefs, consumerRate, consumerState, monitoring } = deployment;
  const gaps = gapsOf(consumerRate);
  if (!gaps || !consumerState) return {};
  const silent = Math.max(gaps.most + LATE_MINUTES, 2 * gaps.most - 1);
  if (silent > MOST_MINUTES) return {};
  const periods = Math.ceil(silent / DAY_MINUTES);
  const alarm = (description: string, metric: Metric): Alarm => ({
    description: `${description} for ${silent} minutes`,
    metrics: { runs: metric },
    statistic: 'Sum',
    expression: 'FILL(runs, 0)',
    comparison: 'LessThanThreshold',
    threshold: 1,
    missing: 'breaching',
    minutes: Math.ceil(silent / periods),
    datapoints: [periods, periods],
  });
  if (configRefs.length === 1 || monitoring === 'basic') {
    const invocations = lambdaMetric(deployment, 'Invocations', CONSUMER);
    return { ConsumerNotRunning: alarm('The consumer was not invoked', invocations) };
  }
  const ofConfiguration = configRefs.map((configRef): [string, Alarm] => [
    `ConsumerNotRunning${shortHash(configRef)}`,
    alarm(
      `No run of the consumer finished for configRef ${configRef}`,
      consumerMetric(deployment, 'runs', { configRef }),
    ),
  ]);
  return Object.fromEntries(ofConfiguration);
}

/** How many invocations lie in the schedules' dead-letter queue. */
export const schedulesLetters: Metric = {
  namespace: 'AWS/SQS',
  name: 'ApproximateNumberOfMessagesVisible',
  dimensions: { QueueName: { 'Fn::GetAtt': [SCHEDULES_DEAD_LETTERS, 'QueueName'] } },
};

/** The other alarms see a consumer or a check that fails, but nothing else sees a further schedule. */
function watchesQueue(deployment: Deployment): boolean {
  const schedules = deployment.monitoring === 'full' ? schedulesOf(deployment) : deployment.schedules;
  return schedules.length > 0;
}

const scheduleDeadLetters: Alarm = {
  description: 'Scheduled invocations that failed for good, or that Lambda did not accept',
  metrics: { letters: schedulesLetters },
  statistic: 'Maximum',
  threshold: 1,
};

function alarmResource(name: string, alarm: Alarm, { service, stage, alarmTopicArn }: Deployment) {
  const { description, metrics, statistic, expression, comparison = 'GreaterThanOrEqualToThreshold' } = alarm;
  const {
    threshold,
    missing = 'notBreaching',
    minutes = USUAL_MINUTES,
    datapoints: [breaching, periods] = [1, 1],
  } = alarm;
  const queries = Object.entries(metrics).map(([Id, { namespace, name, dimensions }]) => ({
    Id,
    ReturnData: expression === undefined,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: name,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: minutes * 60,
      Stat: statistic,
    },
  }));
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: `${service}-${stage}: ${description}. ${remedyOf(name, { service, stage })}`,
      Metrics: [...queries, ...(expression ? [{ Id: 'compared', Expression: expression, ReturnData: true }] : [])],
      EvaluationPeriods: periods,
      DatapointsToAlarm: breaching,
      ComparisonOperator: comparison,
      Threshold: threshold,
      TreatMissingData: missing,
      ...(alarmTopicArn && { AlarmActions: [alarmTopicArn], OKActions: [alarmTopicArn] }),
    },
  };
}

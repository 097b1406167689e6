import { apiMetric, consumerMetric, deploymentMetric, lambdaMetric, schedulesLetters, type Metric } from './alarms.ts';
import { deployedFunctions, hasRoutes } from './functions.ts';
import { CONSUMER, isDeployed } from './operations.ts';
import type { Deployment } from './parameters.ts';
import { schedulesOf } from './schedules.ts';

const WIDTH = 12;
const HEIGHT = 6;

interface Graph {
  readonly title: string;
  readonly metrics: readonly Metric[];
  readonly statistic: string;
}

/** One dashboard: the API, the functions, the MDM, the consumer, and what failed for good. */
export function dashboardResource(deployment: Deployment) {
  const widgets = graphsOf(deployment).map((graph, at) => widget(graph, at));
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: `${deployment.service}-${deployment.stage}`,
      DashboardBody: { 'Fn::Sub': inSub(JSON.stringify({ widgets })) },
    },
  };
}

function graphsOf(deployment: Deployment): Graph[] {
  const keys = deployedFunctions(deployment).map(({ name }) => name);
  const ofFunctions = (name: string) => keys.map((key) => lambdaMetric(deployment, name, key));
  const ofConsumer = (...names: string[]) => names.map((name) => consumerMetric(deployment, name));
  const types = ['MDM:CLIENT_ERROR', 'MDM:SERVER_ERROR', 'MDM:TIMEOUT', 'MDM:CONNECTIVITY', 'STREAM:COMMAND'];
  return [
    { title: 'Invocations', metrics: ofFunctions('Invocations'), statistic: 'Sum' },
    { title: 'Failed invocations', metrics: ofFunctions('Errors'), statistic: 'Sum' },
    { title: 'Duration, 95th percentile (ms)', metrics: ofFunctions('Duration'), statistic: 'p95' },
    { title: 'Throttles', metrics: ofFunctions('Throttles'), statistic: 'Sum' },
    { title: 'Concurrent executions', metrics: ofFunctions('ConcurrentExecutions'), statistic: 'Maximum' },
    ...(hasRoutes(deployment)
      ? [
          {
            title: 'Calls of the HTTP API, and those that failed',
            metrics: ['Count', '4xx', '5xx'].map(apiMetric),
            statistic: 'Sum',
          },
          { title: 'Latency of the HTTP API, 95th percentile (ms)', metrics: [apiMetric('Latency')], statistic: 'p95' },
        ]
      : []),
    ...(schedulesOf(deployment).length > 0
      ? [{ title: 'Invocations that failed for good', metrics: [schedulesLetters], statistic: 'Maximum' }]
      : []),
    {
      title: 'Failures by type, and refused logins',
      metrics: [
        ...types.map((type) => deploymentMetric(deployment, 'failures', { type })),
        deploymentMetric(deployment, 'refusedLogins'),
      ],
      statistic: 'Sum',
    },
    ...(isDeployed(CONSUMER, deployment)
      ? [
          {
            title: 'Entries of the consumer',
            metrics: ofConsumer('read', 'processed', 'failed', 'deadLettered'),
            statistic: 'Sum',
          },
          { title: 'Pending and unread entries', metrics: ofConsumer('pending', 'lag'), statistic: 'Maximum' },
          {
            title: 'Age of the oldest entry (ms)',
            metrics: ofConsumer('oldestPendingMs', 'oldestUnreadMs'),
            statistic: 'Maximum',
          },
          { title: 'Breaker open', metrics: ofConsumer('breakerLevel'), statistic: 'Maximum' },
        ]
      : []),
  ];
}

/** References inside the text of a dashboard, as Fn::Sub writes them. */
const inSub = (text: string) =>
  text.replaceAll(/\{"Ref":"(\w+)"\}/g, '"${$1}"').replaceAll(/\{"Fn::GetAtt":\["(\w+)","(\w+)"\]\}/g, '"${$1.$2}"');

function widget({ title, metrics, statistic }: Graph, at: number) {
  return {
    type: 'metric',
    x: (at % 2) * WIDTH,
    y: Math.floor(at / 2) * HEIGHT,
    width: WIDTH,
    height: HEIGHT,
    properties: {
      title,
      metrics: metrics.map(({ namespace, name, dimensions }) => [
        namespace,
        name,
        ...Object.entries(dimensions).flat(),
      ]),
      stat: statistic,
      period: 300,
      region: '${AWS::Region}',
    },
  };
}

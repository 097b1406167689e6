import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import type { Found } from '#lib/invocation/checks.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** Names in a call of DescribeAlarms. */
const PORTION = 100;

const found = (status: Found<true>['status'], detail: string, hint: string): Found<true> => ({
  status,
  detail,
  hint,
  value: true,
});

/** Whether CloudWatch knows the alarms, they notify, and none rings. */
export async function inspectAlarms({ template, ids, region }: DeployedStack): Promise<Found<true>> {
  const logical = Object.keys(template.Resources).filter(
    (id) => template.Resources[id]?.Type === 'AWS::CloudWatch::Alarm',
  );
  if (logical.length === 0)
    return found('warning', 'The stack has none: monitoring is off', 'Deploy with monitoring=basic or full');
  const client = new CloudWatchClient({ region, maxAttempts: 2 });
  const names = logical.flatMap((id) => ids.get(id) ?? []);
  const alarms: MetricAlarm[] = [];
  for (let at = 0; at < names.length; at += PORTION) {
    const { MetricAlarms = [] } = await client.send(
      new DescribeAlarmsCommand({ AlarmNames: names.slice(at, at + PORTION) }),
    );
    alarms.push(...MetricAlarms);
  }
  const known = new Set(alarms.map(({ AlarmName }) => AlarmName));
  const missing = logical.filter((id) => !known.has(ids.get(id)));
  if (missing.length > 0)
    return found('failed', `CloudWatch does not know ${missing.join(', ')}`, 'Deploy again: they were deleted by hand');
  const silent = alarms.filter(({ ActionsEnabled }) => ActionsEnabled === false);
  if (silent.length > 0) {
    const hint = 'aws cloudwatch enable-alarm-actions --alarm-names …';
    return found('warning', `${silent.length} of ${alarms.length} notify nobody: their actions are disabled`, hint);
  }
  const ringing = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  if (ringing.length === 0) return { detail: `${alarms.length}, none rings`, value: true };
  const texts = ringing.map(({ AlarmDescription = '' }) => AlarmDescription.replace(/^[^:]*: /, ''));
  return found('warning', `${ringing.length} of ${alarms.length} ring`, texts.join(' '));
}

/** Whether the topic of the alarms has a subscriber who confirmed. */
export async function checkTopic({ parameters, region }: DeployedStack): Promise<Found<true>> {
  const { alarmTopicArn: TopicArn } = parameters.effective;
  if (TopicArn === undefined)
    return found('warning', 'Alarms notify nobody', 'Deploy with alarmTopicArn, an SNS topic');
  const client = new SNSClient({ region: TopicArn.split(':')[3] ?? region, maxAttempts: 2 });
  const endpoints: { isConfirmed: boolean; protocol: string }[] = [];
  try {
    for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn })) {
      for (const { SubscriptionArn = '', Protocol = '' } of Subscriptions) {
        endpoints.push({ isConfirmed: SubscriptionArn.startsWith('arn:'), protocol: Protocol });
      }
    }
  } catch (error) {
    if ((error as Error).name !== 'NotFoundException') throw error;
    return found('failed', 'The topic alarmTopicArn does not exist', 'Create it, or deploy with that of another');
  }
  const confirmed = endpoints.filter(({ isConfirmed }) => isConfirmed);
  const waiting = endpoints.filter(({ isConfirmed }) => !isConfirmed).map(({ protocol }) => protocol);
  const subscribe = `aws sns subscribe --topic-arn ${TopicArn} --protocol email --notification-endpoint you@example.com`;
  if (endpoints.length === 0) return found('failed', 'Nobody subscribed to the topic of the alarms', subscribe);
  const unconfirmed = `${waiting.length} of ${endpoints.length} subscriptions wait for confirmation (${waiting.join(', ')})`;
  if (confirmed.length === 0) return found('failed', unconfirmed, 'Open the link in the message that AWS sent');
  if (waiting.length > 0) return found('warning', unconfirmed, 'Open the link in the message that AWS sent');
  return {
    detail: `${confirmed.length} confirmed: ${confirmed.map(({ protocol }) => protocol).join(', ')}`,
    value: true,
  };
}

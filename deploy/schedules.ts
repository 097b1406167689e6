import { functions } from '#scripts/build/functions.ts';
import { functionArn, logicalName, shortHash } from './names.ts';
import { CHECKS, isDeployed } from './operations.ts';
import type { Deployment } from './parameters.ts';
import { allow, roleOf } from './role.ts';
import type { TemplateResource } from './tags.ts';

/** A schedule: the function that it invokes, how often, and with which input. */
export interface Schedule {
  readonly logicalId: string;
  readonly name: string;
  readonly description: string;
  readonly rate: string;
  readonly input: Record<string, unknown>;
  /** Whether it is switched off. */
  readonly isOff?: boolean;
}

const SCHEDULES_ROLE = 'SchedulesRole';
/** The group of the stack's schedules. AWS assumes their role in the name of the group. */
const SCHEDULE_GROUP = 'ScheduleGroup';
export const SCHEDULES_DEAD_LETTERS = 'SchedulesDeadLetterQueue';
/** A later invocation is useless, because the next one is due. */
export const MOST_LATE_SECONDS = 60;
export const SCHEDULE_RETRIES = 2;

/** All schedules of a deployment: the consumer's, those of the checks, and the operator's own. */
export function schedulesOf(deployment: Deployment): Schedule[] {
  const { configRefs, consumers, consumerRate } = deployment;
  const scheduled = functions.filter(
    ({ name, operation }) => operation?.deploy.scheduled && isDeployed(name, deployment),
  );
  const usual = scheduled.flatMap(({ name }) =>
    configRefs.flatMap((configRef) =>
      Array.from({ length: consumers }, (_, at) => ({
        logicalId: `${logicalName(name)}Schedule${shortHash(configRef)}N${at + 1}`,
        name,
        description: `${name} with configRef ${configRef}, ${at + 1} of ${consumers}`,
        rate: consumerRate,
        input: { configRef },
        isOff: !deployment.consumerState,
      })),
    ),
  );
  const checks = checksOf(deployment).flatMap((name) =>
    configRefs.map((configRef) => ({
      logicalId: `${logicalName(name)}Schedule${shortHash(configRef)}`,
      name,
      description: `${name} with configRef ${configRef}`,
      rate: deployment.checkRate ?? '',
      input: { configRef },
    })),
  );
  const further = deployment.schedules.map(({ operation, rate, input }, at) => ({
    logicalId: `FurtherSchedule${at + 1}`,
    name: operation,
    description: `${operation}, schedules[${at}] of the stage`,
    rate,
    input,
  }));
  return [...usual, ...checks, ...further];
}

/** The checks that are on a schedule. */
export const checksOf = (deployment: Deployment): readonly string[] =>
  deployment.checkRate === undefined ? [] : CHECKS.filter((name) => isDeployed(name, deployment));

/**
 * The schedules as resources, their role, and the queue for invocations that Lambda did not accept, or that failed.
 * Only EventBridge Scheduler may assume the role, for this group of schedules in this account, and the role may invoke
 * only the scheduled functions.
 */
export function scheduleResources(deployment: Deployment): Record<string, TemplateResource> {
  const schedules = schedulesOf(deployment);
  if (schedules.length === 0) return {};
  const invoked = [...new Set(schedules.map(({ name }) => name))];
  return {
    ...Object.fromEntries(schedules.map((schedule) => [schedule.logicalId, scheduleResource(schedule)])),
    [SCHEDULE_GROUP]: {
      Type: 'AWS::Scheduler::ScheduleGroup',
      Properties: { Name: `${deployment.service}-${deployment.stage}` },
    },
    [SCHEDULES_ROLE]: roleOf(deployment, {
      who: 'the schedules',
      principal: 'scheduler.amazonaws.com',
      policy: 'Schedules',
      condition: {
        StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
        ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [SCHEDULE_GROUP, 'Arn'] } },
      },
      statements: [
        allow('lambda:InvokeFunction', invoked.map(functionArn)),
        allow('sqs:SendMessage', deadLetterQueueArn),
      ],
    }),
    [SCHEDULES_DEAD_LETTERS]: {
      Type: 'AWS::SQS::Queue',
      Properties: { MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true },
    },
    SchedulesDeadLetterQueuePolicy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: { Queues: [{ Ref: SCHEDULES_DEAD_LETTERS }], PolicyDocument: withTlsOnly },
    },
  };
}

export const deadLetterQueueArn = { 'Fn::GetAtt': [SCHEDULES_DEAD_LETTERS, 'Arn'] };

const withTlsOnly = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Deny',
      Principal: '*',
      Action: 'sqs:*',
      Resource: deadLetterQueueArn,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
  ],
};

function scheduleResource({ name, description, rate, input, isOff }: Schedule) {
  return {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      Description: description,
      GroupName: { Ref: SCHEDULE_GROUP },
      ScheduleExpression: rate,
      ...(isOff && { State: 'DISABLED' }),
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: functionArn(name),
        RoleArn: { 'Fn::GetAtt': [SCHEDULES_ROLE, 'Arn'] },
        Input: JSON.stringify(input),
        RetryPolicy: { MaximumRetryAttempts: SCHEDULE_RETRIES, MaximumEventAgeInSeconds: MOST_LATE_SECONDS },
        DeadLetterConfig: { Arn: deadLetterQueueArn },
      },
    },
  };
}

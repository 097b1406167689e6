import type { FurtherSchedule } from './further-schedules.ts';
import { RATE_ALLOWED, readList, readRate, readSwitch } from './parameter-values.ts';

/** A parameter of a deployment: its allowed values, and how to read them. */
interface Parameter<T> {
  readonly description: string;
  /** The allowed values, for errors. */
  readonly allowed: string;
  /** The default, as text that an operator would give. */
  readonly default?: string;
  /** The default of the stage `dev`, which comes and goes. */
  readonly defaultInDev?: string;
  /** Reads a value; undefined if it is not allowed. */
  readonly read: (text: string) => T | undefined;
}

const text = (pattern: RegExp) => (value: string) => (pattern.test(value) ? value : undefined);
const list = (pattern: RegExp) => (value: string) => readList(value, pattern);
const oneOf =
  <const T extends string>(...values: T[]) =>
  (value: string) =>
    values.find((candidate) => candidate === value);
const integer = (least: number, most: number) => (value: string) =>
  /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined;

const KMS_KEY = /^arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]+$/;

/** Days that CloudWatch Logs can keep. */
const RETENTION_DAYS = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731],
  ...[1096, 1827, 2192, 2557, 2922, 3288, 3653],
];

/** A template has at most 500 resources; every function takes six, every schedule one. */
export const MOST_SCHEDULES = 80;

/** What `operations=core` deploys. */
export const CORE: readonly string[] = [
  ...['mdm-source-enqueue', 'mdm-source-enqueue-batch', 'stream-consumer', 'stream-status', 'stream-pause'],
  ...['stream-redrive', 'stream-check', 'mdm-check', 'mdm-master-read', 'mdm-search', 'mdm-source-read'],
  'mdm-source-submit',
];

/** The parameters of a deployment. `schedules` and `tags` are objects, and are read separately. */
export const PARAMETERS = {
  secretPrefix: {
    description: 'Prefix of the names of the configuration secrets',
    default: 'mdm-stream/<stage>/',
    allowed: "1 to 400 of Secrets Manager's characters: letters, digits, /_+=.@-",
    read: text(/^[\w/+=.@-]{1,400}$/),
  },
  secretTtlMs: {
    description: 'How long a function keeps a secret, in milliseconds',
    default: '300000',
    allowed: 'an integer from 1000 to 86400000',
    read: integer(1000, 86_400_000),
  },
  kmsKeyArn: {
    description: 'Key that encrypts the secrets, if it is not the AWS managed one',
    allowed: 'the ARN of a KMS key',
    read: text(KMS_KEY),
  },
  authorizer: {
    description:
      'Who may call the HTTP API: signed requests (iam), bearers of a JWT (jwt), or anyone who knows its address (none), with ' +
      'the rights of the MDM user and of the Redis user',
    default: 'iam',
    allowed: 'iam, jwt or none',
    read: oneOf('iam', 'jwt', 'none'),
  },
  jwtIssuer: {
    description: 'Issuer of the tokens, with authorizer=jwt',
    allowed: 'an https URL',
    read: text(/^https:\/\/[^\s/?#]+(\/[^\s?#]*)?$/),
  },
  jwtAudience: {
    description: 'Audiences of the tokens, with authorizer=jwt',
    allowed: 'a comma list',
    read: list(/^[^\s,]+$/),
  },
  jwtScopes: {
    description: 'Scopes, of which a token needs one for every route, with authorizer=jwt',
    allowed: 'a comma list',
    read: list(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/),
  },
  permissionsBoundary: {
    description: 'Policy that limits every role of the stack',
    allowed: 'the ARN of an IAM policy',
    read: text(/^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]{1,512}$/),
  },
  vpcSubnetIds: {
    description: 'Subnets of the functions that connect to Redis',
    allowed: 'a comma list of subnet-…, at most 16',
    read: (value: string) => readList(value, /^subnet-[0-9a-f]{8,17}$/, 16),
  },
  vpcSecurityGroupIds: {
    description: 'Security groups of those functions',
    allowed: 'a comma list of sg-…, at most 5',
    read: (value: string) => readList(value, /^sg-[0-9a-f]{8,17}$/, 5),
  },
  redisIamArns: {
    description:
      'ElastiCache caches that functions may connect to, and users that they may connect as, with redis.auth "iam"',
    allowed: 'a comma list of ARNs of ElastiCache (serverlesscache:…, replicationgroup:…, user:…)',
    read: list(/^arn:aws[\w-]*:elasticache:[\w-]+:\d{12}:(serverlesscache|replicationgroup|user):[\w-]+$/),
  },
  consumers: {
    description: 'Number of parallel schedules of the consumer, for each configuration',
    default: '1',
    allowed: `an integer from 1 to 50; times the configRefs, and with all other schedules, at most ${MOST_SCHEDULES}`,
    read: integer(1, 50),
  },
  consumerReservedConcurrency: {
    description: "Concurrent runs of the consumer: reserved for it and never exceeded; taken from the account's limit",
    allowed: 'an integer from 0, which stops the consumer at once, to 1000; at least consumers × configRefs otherwise',
    read: integer(0, 1000),
  },
  consumerState: {
    description: 'Whether schedules and enqueues start the consumer',
    default: 'on',
    allowed: 'on or off',
    read: readSwitch,
  },
  consumerRate: {
    description: 'How often each schedule invokes the consumer',
    default: 'rate(1 minute)',
    allowed: RATE_ALLOWED,
    read: readRate,
  },
  checkRate: {
    description: 'How often to check each configuration with mdm-check and stream-check; a failure rings an alarm',
    allowed: RATE_ALLOWED,
    read: readRate,
  },
  configRefs: {
    description: 'Configurations to schedule the consumer and the checks for',
    default: 'default',
    allowed: 'a comma list of configRefs, each 1 to 64 of a-z, 0-9 and -',
    read: list(/^[a-z0-9-]{1,64}$/),
  },
  consumerTargets: {
    description: 'Functions that the consumer may invoke as targets',
    default: '<service>-<stage>-target-*',
    allowed: 'a comma list of function names or ARNs; * stands for any characters, after the first three of a name',
    read: list(/^(arn:aws[\w-]*:lambda:[\w-]+:\d{12}:function:)?[\w-]{3}[\w*-]{0,61}(:[\w$-]+)?$/),
  },
  sharedSession: {
    description: 'Whether MDM functions connect to Redis too, as mdm.sessionStore "redis" requires',
    default: 'off',
    allowed: 'on or off',
    read: readSwitch,
  },
  publicDocs: {
    description: 'Whether /, /docs and /openapi.json are open without sign-in',
    default: 'off',
    allowed: 'on or off',
    read: readSwitch,
  },
  corsOrigins: {
    description: 'Origins whose pages may call the HTTP API from a browser',
    allowed: 'a comma list of origins such as https://app.example, or *',
    read: list(/^(\*|https?:\/\/[^\s/?#,*]+)$/),
  },
  operations: {
    description:
      'Operations to deploy; * stands for any characters, and core for the twelve that most deployments need: enqueue, the ' +
      'consumer and its operation, checks, reads and submits',
    default: '*',
    allowed: 'core, or a comma list of function names such as mdm-*,stream-consumer',
    read: (value: string) => {
      const names = readList(value, /^[a-z*][a-z0-9*-]*$/)?.flatMap((name) => (name === 'core' ? CORE : [name]));
      return names && [...new Set(names)];
    },
  },
  httpApi: {
    description: 'Whether there is an HTTP API; without one, 166 resources fewer, and calls by Invoke only',
    default: 'on',
    allowed: 'on or off',
    read: readSwitch,
  },
  alarmTopicArn: {
    description: 'SNS topic for alarms',
    allowed: 'the ARN of an SNS topic',
    read: text(/^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]{1,256}$/),
  },
  streamLengthAlarm: {
    description: 'Entries in the streams of a configuration, processed ones included, at which an alarm rings',
    default: '1000000',
    allowed: 'an integer from 1000 to 900000000',
    read: integer(1000, 900_000_000),
  },
  asyncFailureArn: {
    description:
      'Where asynchronous invocations go that failed for good; those of `schedules` go to the dead-letter queue',
    allowed: 'the ARN of an SQS queue, an SNS topic, a Lambda function or an event bus',
    read: text(
      /^arn:aws[\w-]*:((sqs|sns):[\w-]+:\d{12}:|lambda:[\w-]+:\d{12}:function:|events:[\w-]+:\d{12}:event-bus\/)[\w:./-]{1,256}$/,
    ),
  },
  logRetentionInDays: {
    description: 'Days to keep logs',
    default: '30',
    allowed: `one of ${RETENTION_DAYS.join(', ')}`,
    read: (value: string) => RETENTION_DAYS.find((days) => String(days) === value),
  },
  keepLogs: {
    description: 'Whether log groups stay, until their retention ends, when the stack is removed',
    default: 'on',
    defaultInDev: 'off',
    allowed: 'on or off',
    read: readSwitch,
  },
  terminationProtection: {
    description: 'Whether the stack refuses to be removed until you switch this off',
    default: 'on',
    defaultInDev: 'off',
    allowed: 'on or off',
    read: readSwitch,
  },
  logKmsKeyArn: {
    description: 'Key that encrypts all logs; its policy must allow CloudWatch Logs to use it',
    allowed: 'the ARN of a KMS key',
    read: text(KMS_KEY),
  },
  monitoring: {
    description:
      'How much to monitor: nothing (off); eight alarms, with metrics of the consumer as a whole (basic); or everything, by ' +
      'stream, configRef and type of failure, with a dashboard (full)',
    default: 'full',
    allowed: 'off, basic or full',
    read: oneOf('off', 'basic', 'full'),
  },
  logLevel: {
    description: 'Minimum level of log lines',
    default: 'info',
    allowed: 'debug, info, warn or error',
    read: (value: string) => oneOf('debug', 'info', 'warn', 'error')(value.toLowerCase()),
  },
  tracing: {
    description: 'X-Ray traces of every function',
    default: 'off',
    allowed: 'on or off',
    read: readSwitch,
  },
  throttleRate: {
    description: 'Requests per second that the HTTP API admits',
    default: '100',
    allowed: 'an integer from 1 to 10000',
    read: integer(1, 10_000),
  },
  throttleBurst: {
    description: 'Concurrent requests that the HTTP API admits',
    default: '200',
    allowed: 'an integer from 1 to 5000',
    read: integer(1, 5000),
  },
} satisfies Record<string, Parameter<unknown>>;

/** All names of parameters. */
export const PARAMETER_NAMES: readonly string[] = [...Object.keys(PARAMETERS), 'schedules', 'tags'];

type Read<P> = P extends Parameter<infer T> ? (P extends { default: string } ? T : T | undefined) : never;
type Values = { [Name in keyof typeof PARAMETERS]: Read<(typeof PARAMETERS)[Name]> };

/** The checked parameters of a deployment. */
export interface Deployment extends Readonly<Values> {
  readonly service: string;
  readonly stage: string;
  /** Names of the parameters that were given; all others have their default. */
  readonly given: readonly string[];
  readonly schedules: readonly FurtherSchedule[];
  /** On every resource that can have tags. */
  readonly tags: Readonly<Record<string, string>>;
}

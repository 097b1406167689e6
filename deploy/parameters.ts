import Type from 'typebox';
import { registry } from '#functions/registry.ts';
import { RATE, RATE_ALLOWED, type ParameterSchema } from './parameter-values.ts';

const LAYER = /^arn:aws[\w-]*:lambda:[\w-]+:\d{12}:layer:[\w-]{1,140}:\d{1,10}$/;
/** Lambda's limit for a function. */
export const MOST_LAYERS = 5;

/** Days that CloudWatch Logs can keep. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** A template has at most 500 resources; every function takes six, every schedule one. */
export const MOST_SCHEDULES = 80;
/** AWS allows 50; CloudFormation and the framework add some of their own. */
const MOST_TAGS = 40;

/** What `operations=core` deploys. */
export const CORE: readonly string[] = [
  'mdm-source-enqueue',
  'mdm-source-enqueue-batch',
  'stream-consumer',
  'stream-status',
  'stream-pause',
  'stream-redrive',
  'stream-check',
  'mdm-check',
  'mdm-master-read',
  'mdm-search',
  'mdm-source-read',
  'mdm-source-submit',
];

const text = (pattern: RegExp, allowed: string, options: object = {}) =>
  Type.String({ pattern: pattern.source, 'x-message': `must be ${allowed}`, ...options });
const listOf = (item: RegExp, allowed: string, options: object) =>
  Type.Array(text(item, allowed), { minItems: 1, maxItems: 100, uniqueItems: true, ...options });
const onOrOff = (description: string, value: boolean) =>
  Type.Boolean({ description, default: value, 'x-message': 'must be on or off' });
const integer = (minimum: number, maximum: number, options: object) => Type.Integer({ minimum, maximum, ...options });
const rate = (options: object = {}) => text(RATE, RATE_ALLOWED, options);
const kmsKey = (description: string) =>
  text(/^arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'the ARN of a KMS key', { description });
const retention = (days: number, description: string) => Type.Enum(RETENTION_DAYS, { description, default: days });
/** An object of texts, whose names have all of these forms. */
const textsByName = (names: readonly object[], value: object, options: object) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    propertyNames: { allOf: names },
    additionalProperties: value,
    default: {},
    ...options,
  });

const FurtherSchedule = Type.Object(
  {
    /** Function to invoke: `stream-xtrim`. */
    operation: Type.Enum(
      registry.map(({ name }) => name),
      { 'x-message': 'must be the name of an operation' },
    ),
    /** How often: `rate(1 hour)`, or `cron(…)` in UTC. */
    rate: rate(),
    /** Its parameters, checked against the contract. */
    input: Type.Unsafe<Record<string, unknown>>({ type: 'object', default: {} }),
  },
  { additionalProperties: false },
);

/** The parameters of a deployment. */
export const Parameters = Type.Object(
  {
    secretPrefix: text(/^[\w/+=.@-]{1,400}$/, "1 to 400 of Secrets Manager's characters: letters, digits, /_+=.@-", {
      description: 'Prefix of the names of the configuration secrets',
      default: 'mdm-stream/<stage>/',
    }),
    secretTtlMs: integer(1000, 86_400_000, {
      description: 'How long a function keeps a secret, in milliseconds',
      default: 300_000,
    }),
    kmsKeyArn: Type.Optional(kmsKey('Key that encrypts the secrets, if it is not the AWS managed one')),
    authorizer: Type.Enum(['iam', 'jwt', 'none'], {
      description:
        'Who may call the HTTP API: signed requests (iam), bearers of a JWT (jwt), or anyone who knows its address ' +
        '(none), with the rights of the MDM user and of the Redis user; none needs defaultEndpoint spelled out',
      default: 'iam',
    }),
    defaultEndpoint: onOrOff(
      'Whether the HTTP API is reachable at the address that AWS gives it; off with a domain name of yours that ' +
        'maps to it',
      true,
    ),
    jwtIssuer: Type.Optional(
      text(/^https:\/\/[^\s/?#]+(\/[^\s?#]*)?$/, 'an https URL', {
        description: 'Issuer of the tokens, with authorizer=jwt',
      }),
    ),
    jwtAudience: Type.Optional(
      listOf(/^[^\s,]+$/, 'text without spaces', { description: 'Audiences of the tokens, with authorizer=jwt' }),
    ),
    jwtScopes: Type.Optional(
      listOf(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/, 'a scope of 1 to 200 characters', {
        description: 'Scopes, of which a token needs one for every route, with authorizer=jwt',
      }),
    ),
    permissionsBoundary: Type.Optional(
      text(/^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]{1,512}$/, 'the ARN of an IAM policy', {
        description: 'Policy that limits every role of the stack',
      }),
    ),
    vpcSubnetIds: Type.Optional(
      listOf(/^subnet-[0-9a-f]{8,17}$/, 'subnet-…', {
        description: 'Subnets of the functions that connect to Redis',
        maxItems: 16,
      }),
    ),
    vpcSecurityGroupIds: Type.Optional(
      listOf(/^sg-[0-9a-f]{8,17}$/, 'sg-…', { description: 'Security groups of those functions', maxItems: 5 }),
    ),
    redisIamArns: Type.Optional(
      listOf(
        /^arn:aws[\w-]*:elasticache:[\w-]+:\d{12}:(serverlesscache|replicationgroup|user):[\w-]+$/,
        'an ARN of ElastiCache (serverlesscache:…, replicationgroup:…, user:…)',
        {
          description:
            'ElastiCache caches that functions may connect to, and users that they may connect as, with redis.auth ' +
            '"iam"',
        },
      ),
    ),
    consumers: integer(1, 50, {
      description:
        'Number of parallel schedules of the consumer, for each configuration; with all other schedules, at most ' +
        MOST_SCHEDULES,
      default: 1,
    }),
    consumerReservedConcurrency: Type.Optional(
      integer(0, 1000, {
        description:
          "Concurrent runs of the consumer: reserved for it and never exceeded; taken from the account's limit. 0 " +
          'stops the consumer at once; otherwise at least consumers × configRefs',
      }),
    ),
    apiReservedConcurrency: Type.Optional(
      integer(0, 1000, {
        description:
          'Concurrent calls of each operation that has a route: reserved for it and never exceeded; taken from the ' +
          "account's limit. 0 stops all of them at once",
      }),
    ),
    consumerMemory: integer(512, 3008, {
      description: 'Memory of the consumer in MB, and with it its share of a core: 1,769 MB are a whole one',
      default: 512,
    }),
    consumerState: onOrOff('Whether schedules and enqueues start the consumer', true),
    consumerRate: rate({ description: 'How often each schedule invokes the consumer', default: 'rate(1 minute)' }),
    checkRate: Type.Optional(
      rate({
        description: 'How often to check each configuration with mdm-check and stream-check; a failure rings an alarm',
      }),
    ),
    configRefs: listOf(/^[a-z0-9-]{1,64}$/, 'a configRef: 1 to 64 of a-z, 0-9 and -', {
      description: 'Configurations to schedule the consumer and the checks for',
      default: ['default'],
    }),
    consumerTargets: listOf(
      /^(arn:aws[\w-]*:lambda:[\w-]+:\d{12}:function:)?[\w-]{3}[\w*-]{0,61}(:[\w$-]+)?$/,
      'a function name or ARN; * stands for any characters, after the first three of a name',
      { description: 'Functions that the consumer may invoke as targets', default: ['<service>-<stage>-target-*'] },
    ),
    sharedSession: onOrOff('Whether MDM functions connect to Redis too, as mdm.sessionStore "redis" requires', false),
    publicDocs: onOrOff('Whether /, /docs and /openapi.json are open without sign-in', false),
    corsOrigins: Type.Optional(
      listOf(/^(\*|https?:\/\/[^\s/?#,*]+)$/, 'an origin such as https://app.example, or *', {
        description: 'Origins whose pages may call the HTTP API from a browser',
      }),
    ),
    operations: listOf(/^[a-z*][a-z0-9*-]*$/, 'core, or a function name such as stream-consumer or mdm-*', {
      description:
        'Operations to deploy; * stands for any characters, and core for the twelve that most deployments need: ' +
        'enqueue, the consumer and its operation, checks, reads and submits',
      default: ['*'],
    }),
    httpApi: onOrOff('Whether there is an HTTP API; without one, far fewer resources, and calls by Invoke only', true),
    alarmTopicArn: Type.Optional(
      text(/^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]{1,256}$/, 'the ARN of an SNS topic', {
        description: 'SNS topic for alarms',
      }),
    ),
    streamLengthAlarm: integer(1000, 900_000_000, {
      description: 'Entries in the streams of a configuration, processed ones included, at which an alarm rings',
      default: 1_000_000,
    }),
    asyncFailureArn: Type.Optional(
      text(
        /^arn:aws[\w-]*:((sqs|sns):[\w-]+:\d{12}:|lambda:[\w-]+:\d{12}:function:|events:[\w-]+:\d{12}:event-bus\/)[\w:./-]{1,256}$/,
        'the ARN of an SQS queue, an SNS topic, a Lambda function or an event bus',
        {
          description:
            'Where asynchronous invocations go that failed for good; those of `schedules` go to the dead-letter queue',
        },
      ),
    ),
    deadLetterTopicArn: Type.Optional(
      text(
        /^arn:aws[\w-]*:(sns:[\w-]+:\d{12}:[\w-]{1,256}|events:[\w-]+:\d{12}:event-bus\/[\w./-]{1,256})$/,
        'the ARN of an SNS topic or of an event bus',
        { description: 'Where a notice of new dead letters goes, at most one a second and group' },
      ),
    ),
    logRetentionInDays: retention(30, 'Days to keep logs'),
    auditRetentionInDays: retention(
      400,
      'Days to keep the logs of functions that change something, which hold the audit trail; fewer than ' +
        'logRetentionInDays count as that many',
    ),
    keepLogs: onOrOff('Whether log groups stay, until their retention ends, when the stack is removed', true),
    terminationProtection: onOrOff('Whether the stack refuses to be removed until you switch this off', true),
    logKmsKeyArn: Type.Optional(kmsKey('Key that encrypts all logs; its policy must allow CloudWatch Logs to use it')),
    monitoring: Type.Enum(['off', 'basic', 'full'], {
      description:
        'How much to monitor: nothing (off); eight alarms, with metrics of the consumer as a whole (basic); or ' +
        'everything, by stream, configRef and type of failure, with a dashboard (full)',
      default: 'full',
    }),
    logLevel: Type.Enum(['debug', 'info', 'warn', 'error'], {
      description: 'Minimum level of log lines',
      default: 'info',
    }),
    tracing: onOrOff('X-Ray traces of every function', false),
    otelLayerArn: Type.Optional(
      text(LAYER, 'the ARN of a version of a Lambda layer', {
        description:
          'OpenTelemetry layer of every function, whose wrapper starts it; roles may then write X-Ray traces',
      }),
    ),
    layers: Type.Optional(
      listOf(LAYER, 'the ARN of a version of a Lambda layer', {
        description:
          `Further layers of every function, in this order, after the one of OpenTelemetry; together at most ` +
          MOST_LAYERS,
        maxItems: MOST_LAYERS,
      }),
    ),
    throttleRate: integer(1, 10_000, { description: 'Requests per second that the HTTP API admits', default: 100 }),
    throttleBurst: integer(1, 5000, { description: 'Concurrent requests that the HTTP API admits', default: 200 }),
    schedules: Type.Array(FurtherSchedule, {
      description: 'Further schedules: any operation with its parameters, checked against its contract',
      default: [],
    }),
    tags: textsByName(
      [
        {
          pattern: String.raw`^(?![aA][wW][sS]:|[mM][dD][mM]-[sS][tT][rR][eE][aA][mM]:)[\p{L}\p{N} _.:/=+@-]{1,128}$`,
          'x-message': "must have 1 to 128 of AWS's characters, neither aws: nor mdm-stream: first",
        },
      ],
      {
        type: 'string',
        pattern: String.raw`^[\p{L}\p{N} _.:/=+@-]{1,256}$`,
        'x-message': "must be text of 1 to 256 of AWS's characters",
      },
      { description: 'Tags of every resource that can have some', maxProperties: MOST_TAGS },
    ),
    environment: textsByName(
      [
        {
          pattern: String.raw`^[A-Za-z]\w{1,127}$`,
          'x-message': 'must have 2 to 128 letters, digits and _, a letter first',
        },
        {
          pattern: String.raw`^(?!CONNECTOR_|LOG_LEVEL$|AWS_(?!LAMBDA_EXEC_WRAPPER$)|LAMBDA_|_)`,
          'x-message': 'is set by the deployment or by Lambda',
        },
      ],
      { type: 'string', minLength: 1 },
      { description: 'Further variables of every function' },
    ),
  },
  { additionalProperties: false },
);

/** Defaults of the stage `dev`, which comes and goes. */
export const DEFAULTS_IN_DEV: Readonly<Record<string, unknown>> = { keepLogs: false, terminationProtection: false };

/** The schema of each parameter, by its name. */
export const PARAMETERS = Parameters.properties as object as Readonly<Record<string, ParameterSchema>>;

/** All names of parameters. */
export const PARAMETER_NAMES: readonly string[] = Object.keys(PARAMETERS);

/** The checked parameters of a deployment. */
export interface Deployment extends Readonly<Type.Static<typeof Parameters>> {
  readonly service: string;
  readonly stage: string;
  /** Names of the parameters that were given; all others have their default. */
  readonly given: readonly string[];
}

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readParameters } from '#deploy/read-parameters.ts';
import { resourceCount } from '#deploy/resource-count.ts';
import { functions } from '#scripts/build/functions.ts';
import { contractFaults, httpApiFaults } from '../../support/contract/contract-rules.ts';
import { iamOf, type Iam } from '../../support/aws/iam.ts';
import { faultsOf } from '../../support/aws/template-rules.ts';
import { ofType, packageStage, type Properties, type Template } from '../../support/aws/packaged-template.ts';

const PARAMS = {
  consumers: 20,
  configRefs: 'default,emea',
  authorizer: 'jwt',
  jwtIssuer: 'https://idp.example/t',
  jwtAudience: 'a,b',
  jwtScopes: 'mdm/read,mdm/write',
  vpcSubnetIds: 'subnet-0a1b2c3d,subnet-0a1b2c3e',
  vpcSecurityGroupIds: 'sg-0a1b2c3d',
  tracing: 'on',
  kmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/1b2c',
  sharedSession: 'on',
  publicDocs: 'on',
  corsOrigins: 'https://app.example',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:on-call',
  logKmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/2c3d',
  consumerReservedConcurrency: 50,
  permissionsBoundary: 'arn:aws:iam::123456789012:policy/mdm-stream-boundary',
  redisIamArns: 'arn:aws:elasticache:eu-central-1:123456789012:serverlesscache:mdm',
};

/** Function, role, log group, permission, integration and route. */
const RESOURCES_AN_OPERATION = 6;

const OTEL = 'arn:aws:lambda:eu-central-1:901920570463:layer:aws-otel-nodejs-arm64-ver-1-30-2:1';
const EXTRA = 'arn:aws:lambda:eu-central-1:123456789012:layer:certificates:7';

/** Every kind of deployment that the tests look at: the usual, everything that can be switched on, and a part. */
const DEPLOYMENTS = [
  ['the usual deployment', { stage: 'dev' }],
  [
    'every parameter, in the region with the longest name',
    { stage: 'production', region: 'ap-southeast-1', params: PARAMS },
  ],
  [
    'a part, for a stage with the longest name',
    {
      stage: 'a2345678901234567890',
      params: {
        operations: 'mdm-*,stream-consumer',
        authorizer: 'none',
        defaultEndpoint: 'off',
        apiReservedConcurrency: 5,
        otelLayerArn: OTEL,
        layers: EXTRA,
        deadLetterTopicArn: 'arn:aws:sns:eu-central-1:123456789012:letters',
      },
      file: { tags: { team: 'master data' }, environment: { OTEL_TRACES_SAMPLER: 'always_on' } },
    },
  ],
] as const;

/** The templates, by stage. */
const packaged = new Map<string, Template>();

describe.each(DEPLOYMENTS)('%s', (_, options) => {
  let template: Template;
  let iam: Iam;
  const region = 'region' in options ? options.region : 'eu-central-1';
  const all = (type: string) => ofType(template, type).map(([id]) => [id, iam.resources[id]!.Properties] as const);
  const lambdas = () => all('AWS::Lambda::Function');

  beforeAll(async () => {
    template = await packageStage(options);
    packaged.set(options.stage, template);
    iam = iamOf(template, region);
  }, 120_000);

  it('the packaged template is valid, and its triggers work', () => {
    expect(faultsOf(template, region)).toEqual([]);
  });

  it('the packaged template deploys each function as functions.yml lists it', () => {
    const listed = parse(readFileSync('functions.yml', 'utf8')) as Record<string, Record<string, unknown>>;
    for (const [, { FunctionName, Description, Handler, MemorySize, Timeout }] of lambdas()) {
      const { description, handler, memorySize, timeout } =
        listed[FunctionName.replace(`mdm-stream-${options.stage}-`, '')]!;

      expect([Description, Handler]).toEqual([description, handler]);
      expect([MemorySize, Timeout]).toEqual([memorySize ?? 1024, timeout ?? 6]); // the framework's defaults
    }
    expect(Object.keys(listed).sort()).toEqual(functions.map(({ name }) => name).sort());
  });

  it('only the consumer may invoke itself again while entries are unread', () => {
    const recursive = lambdas().filter(([, { RecursiveLoop }]) => RecursiveLoop === 'Allow');

    expect(recursive.map(([id]) => id)).toEqual(['StreamDashconsumerLambdaFunction']);
  });

  it('the API may invoke each function that it has a route to', () => {
    for (const [, { Target }] of all('AWS::ApiGatewayV2::Route')) {
      const integration = iam.resources[(Target as unknown as string).replace('integrations/ref-', '')]!;
      const functionArn = integration.Properties.IntegrationUri as string;
      const permission = all('AWS::Lambda::Permission').find(([, { FunctionName }]) => FunctionName === functionArn);

      expect(permission?.[1]).toMatchObject({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' });
      expect(permission?.[1].SourceArn).toContain(`${region}:123456789012:ref-HttpApi/`);
    }
  });

  it('a function may do what its contract says, and nothing else', () => {
    expect(contractFaults(template, options)).toEqual([]);
  });

  it('each operation of the API is capped where a cap is given, and no other function', () => {
    const { params = {} } = options as { params?: { apiReservedConcurrency?: number } };
    for (const [, { FunctionName, ReservedConcurrentExecutions }] of lambdas()) {
      const name = FunctionName.replace(`mdm-stream-${options.stage}-`, '');
      if (name === 'stream-consumer') continue;
      const isRouted = functions.find((one) => one.name === name)?.operation?.deploy.http;

      expect([name, ReservedConcurrentExecutions]).toEqual([
        name,
        isRouted ? params.apiReservedConcurrency : undefined,
      ]);
    }
  });

  it('the default endpoint of the API is closed only on request', () => {
    const { defaultEndpoint } = (options as { params?: { defaultEndpoint?: string } }).params ?? {};
    for (const [, { DisableExecuteApiEndpoint }] of all('AWS::ApiGatewayV2::Api')) {
      expect(DisableExecuteApiEndpoint ?? false).toBe(defaultEndpoint === 'off');
    }
  });

  it('each function has its own role', () => {
    expect(new Set(lambdas().map(([, { Role }]) => Role)).size).toBe(lambdas().length);
  });

  it('exactly the functions that reach Redis are in the VPC, if there is one', () => {
    const { params = {} } = options as { params?: Record<string, string> };
    for (const [, { FunctionName, VpcConfig }] of lambdas()) {
      const name = FunctionName.replace(`mdm-stream-${options.stage}-`, '');
      const { operation } = functions.find((candidate) => candidate.name === name)!;
      const reachesRedis = operation !== undefined && (operation.deploy.usesRedis || params.sharedSession === 'on');

      expect([name, VpcConfig !== undefined]).toEqual([name, reachesRedis && params.vpcSubnetIds !== undefined]);
    }
  });

  it('the packaged template stays under 500 resources and 1 MB, with space for three more operations', () => {
    const spaceFor = 3 * RESOURCES_AN_OPERATION;

    expect(Object.keys(template.Resources).length + spaceFor).toBeLessThanOrEqual(500);
    expect(JSON.stringify(template).length).toBeLessThan(900_000);
  });

  it('the packaged template has as many resources as were counted before', () => {
    const { stage, params = {}, file } = options as { stage: string; params?: object; file?: Record<string, unknown> };
    const commandLine = Object.entries(params).map(([name, value]) => `${name}=${String(value)}`);

    expect(resourceCount(readParameters({ service: 'mdm-stream', stage, commandLine, file, blocks: {} }))).toBe(
      Object.keys(template.Resources).length,
    );
  });

  it('every function has the requested layers and variables', () => {
    const isLayered = 'params' in options && 'layers' in options.params;
    for (const [, { Layers, Environment }] of lambdas()) {
      const { OTEL_TRACES_SAMPLER, AWS_LAMBDA_EXEC_WRAPPER } = (Environment as { Variables: Record<string, string> })
        .Variables;

      expect([Layers, OTEL_TRACES_SAMPLER, AWS_LAMBDA_EXEC_WRAPPER]).toEqual(
        isLayered ? [[OTEL, EXTRA], 'always_on', '/opt/otel-handler'] : [undefined, undefined, undefined],
      );
    }
  });

  it('schedules pass the configuration alone, and do not retry what is due again', () => {
    for (const [, { Target }] of all('AWS::Scheduler::Schedule')) {
      expect(JSON.parse(Target.Input)).toEqual({ configRef: expect.stringMatching(/^(default|emea)$/) });
      expect(Target.RetryPolicy).toEqual({ MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 60 });
    }
    const [ofConsumer] = all('AWS::Lambda::EventInvokeConfig').filter(([id]) => id.startsWith('StreamDashconsumer'));
    expect(ofConsumer?.[1]).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
      DestinationConfig: {},
    });
  });

  it('asynchronous invocations that may not run twice are not retried', () => {
    const repeated = lambdas().filter(([id]) => {
      const [config] = all('AWS::Lambda::EventInvokeConfig').filter(
        ([, { FunctionName }]) => FunctionName === `ref-${id}`,
      );
      return config?.[1].MaximumRetryAttempts !== 0;
    });
    const names = repeated.map(([, { FunctionName }]) => FunctionName.replace(`mdm-stream-${options.stage}-`, ''));

    for (const name of names) {
      const { operation } = functions.find((candidate) => candidate.name === name)!;
      expect([name, operation?.idempotent ?? true]).toEqual([name, true]);
    }
    expect(names).toEqual(expect.arrayContaining(['mdm-search']));
  });

  it('the HTTP API has the requested settings', () => {
    expect(all('AWS::ApiGatewayV2::Stage')).toHaveLength(1);
    expect(all('AWS::ApiGatewayV2::Authorizer')).toHaveLength(
      'params' in options && options.params.authorizer === 'jwt' ? 1 : 0,
    );
    expect(httpApiFaults(template, options)).toEqual([]);
  });

  it('the boundary is on every role, the key on every log group, and the scopes on every route', () => {
    const { params = {} } = options as { params?: Partial<typeof PARAMS> };
    const isOpen = ({ RouteKey }: Properties) =>
      params.publicDocs === 'on' && /^GET (?!\/{proxy)/.test(String(RouteKey));
    for (const [id, { PermissionsBoundary }] of all('AWS::IAM::Role')) {
      expect([id, PermissionsBoundary]).toEqual([id, params.permissionsBoundary]);
    }
    for (const [id, { KmsKeyId }] of all('AWS::Logs::LogGroup'))
      expect([id, KmsKeyId]).toEqual([id, params.logKmsKeyArn]);
    for (const [id, route] of all('AWS::ApiGatewayV2::Route')) {
      const scopes = isOpen(route) ? undefined : params.jwtScopes?.split(',');
      expect([id, route.AuthorizationScopes]).toEqual([id, scopes]);
    }
    const [, consumer] = lambdas().find(([id]) => id === 'StreamDashconsumerLambdaFunction')!;
    expect(consumer.ReservedConcurrentExecutions).toBe(params.consumerReservedConcurrency);
  });

  it("the packaged template has every function's log group, deployed or not", () => {
    const names = all('AWS::Logs::LogGroup').map(([, { LogGroupName }]) => LogGroupName);
    const wanted = functions.map(({ name }) => `/aws/lambda/mdm-stream-${options.stage}-${name}`);

    expect(names.sort()).toEqual([...wanted, `/aws/http-api/mdm-stream-${options.stage}`].sort());
  });

  it('logs of functions that change something, which hold the audit trail, are kept longer', () => {
    for (const [, { LogGroupName, RetentionInDays }] of all('AWS::Logs::LogGroup')) {
      const name = String(LogGroupName).replace(`/aws/lambda/mdm-stream-${options.stage}-`, '');
      const operation = functions.find((one) => one.name === name)?.operation;

      expect([name, RetentionInDays]).toEqual([name, operation && !operation.readOnly ? 400 : 30]);
    }
  });

  it('the log groups of a removed stack stay, except in dev', () => {
    const kept = ofType(template, 'AWS::Logs::LogGroup').filter(
      ([, { DeletionPolicy, UpdateReplacePolicy }]) =>
        DeletionPolicy === 'RetainExceptOnCreate' && UpdateReplacePolicy === 'Retain',
    );

    expect(kept).toHaveLength(options.stage === 'dev' ? 0 : functions.length + 1);
  });

  it('every taggable resource has a tag with the name of its stack', () => {
    const tag = `mdm-stream-${options.stage}`;
    const tagless =
      /Route|Integration|Authorizer|Permission|EventInvokeConfig|Dashboard|QueryDefinition|Scheduler::Schedule$|BucketPolicy|QueuePolicy/;
    const tagsOf = ({ Tags = [] }: Properties) =>
      Array.isArray(Tags)
        ? (Tags as { Key: string; Value: string }[]).map(({ Key, Value }): [string, string] => [Key, Value])
        : Object.entries(Tags as Record<string, string>);
    const untagged = Object.entries(iam.resources)
      .filter(
        ([, { Type, Properties }]) =>
          !tagless.test(Type) && new Map(tagsOf(Properties)).get('mdm-stream:stack') !== tag,
      )
      .map(([id]) => id);

    expect(untagged).toEqual([]);
    const further = 'file' in options ? options.file.tags : {};
    for (const [, { Tags }] of all('AWS::ApiGatewayV2::Api')) {
      expect(Tags).toEqual({ 'mdm-stream:stack': tag, ...further });
    }
  });

  it('the exported ARNs survive a new version of the code', () => {
    expect(ofType(template, 'AWS::Lambda::Version')).toEqual([]);
    for (const [id, { Export }] of Object.entries(template.Outputs).filter(([id]) => id.endsWith('FunctionArn'))) {
      expect(Export).toEqual({ Name: `mdm-stream-${options.stage}-${id}` });
    }
    for (const [, { FunctionName }] of lambdas()) {
      const arn = `arn:aws:lambda:${region}:123456789012:function:${FunctionName}`;
      const outputs = Object.values(template.Outputs).map(
        ({ Value }) => (Value as { 'Fn::GetAtt'?: [string] })['Fn::GetAtt']?.[0],
      );
      expect(outputs.map((id) => id && iam.arnOf(id))).toContain(arn);
    }
  });
});

describe('a deployment without an HTTP API, whose consumer is off', () => {
  let template: Template;
  let iam: Iam;
  beforeAll(async () => {
    template = await packageStage({
      stage: 'quiet',
      params: { operations: 'core', httpApi: 'off', consumerState: 'off' },
    });
    iam = iamOf(template);
  }, 120_000);

  it('a deployment without an HTTP API has the twelve core operations, and no API', () => {
    expect(ofType(template, 'AWS::Lambda::Function')).toHaveLength(12);
    expect(Object.values(template.Resources).filter(({ Type }) => /ApiGateway|Permission/.test(Type))).toEqual([]);
    expect(faultsOf(template)).toEqual([]);
  });

  it('a consumer that is off is started neither by schedule nor by enqueue, and no alarm rings for that', () => {
    for (const [, { Properties }] of ofType(template, 'AWS::Scheduler::Schedule'))
      expect(Properties.State).toBe('DISABLED');
    expect(JSON.stringify(template)).not.toContain('CONNECTOR_CONSUMER_FUNCTION');
    expect(Object.keys(iam.resources).filter((id) => id.startsWith('ConsumerNotRunning'))).toEqual([]);
  });
});

describe('additional schedules', () => {
  const job = (operation: string, input: object) => ({ operation, rate: 'cron(0 2 * * ? *)', input });
  const trim = { key: 'audit', evictionOption: { maxLength: 1000 } };
  let iam: Iam;
  let template: Template;

  beforeAll(async () => {
    const schedules = [
      job('stream-xtrim', trim),
      job('mdm-job-start', { jobDefinitionId: 'nightly', kind: 'ingress' }),
      job('mdm-source-submit', { businessEntity: 'c', sourceSystem: 's', sourcePKey: '1', record: {} }),
      job('stream-consumer', { stream: 'billing', group: 'nightly' }),
    ];
    template = await packageStage({
      stage: 'nightly',
      params: { operations: 'stream-xtrim,mdm-job-start,mdm-source-submit,mdm-merge,stream-consumer' },
      file: { schedules, asyncFailureArn: 'arn:aws:sns:eu-central-1:123456789012:failures' },
    });
    iam = iamOf(template);
  }, 120_000);

  const asynchronous = (name: string) =>
    Object.values(iam.resources).find(
      ({ Type, Properties }) =>
        Type === 'AWS::Lambda::EventInvokeConfig' &&
        String(Properties.FunctionName).includes(name.replaceAll('-', 'Dash')),
    )?.Properties;

  it.each([
    ['Stream-xtrim', 2],
    ['Mdm-source-submit', 2],
    ['Mdm-job-start', 0],
    ['Stream-consumer', 0],
  ])(
    'additional schedules of %s retry %i times, and leave final failures in the dead-letter queue',
    (name, retries) => {
      expect(asynchronous(name)).toMatchObject({
        MaximumRetryAttempts: retries,
        DestinationConfig: { OnFailure: { Destination: expect.stringContaining('SchedulesDeadLetterQueue') } },
      });
    },
  );

  it('additional schedules leave failures of other asynchronous invocations to asyncFailureArn', () => {
    expect(asynchronous('Mdm-merge')).toMatchObject({
      MaximumRetryAttempts: 0,
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:sns:eu-central-1:123456789012:failures' } },
    });
  });

  it('only the functions of additional schedules may send to their queue', () => {
    const senders = ofType(template, 'AWS::IAM::Role').filter(
      ([id]) =>
        id !== 'SchedulesRole' && iam.allows(iam.arnOf(id), 'sqs:SendMessage', iam.arnOf('SchedulesDeadLetterQueue')),
    );

    expect(senders.map(([id]) => id).sort()).toEqual([
      'MdmJobStartRole',
      'MdmSourceSubmitRole',
      'StreamConsumerRole',
      'StreamXtrimRole',
    ]);
  });

  it('one failure of an additional schedule rings an alarm until the queue is empty', () => {
    expect(iam.resources.SchedulesDeadLettersAlarm?.Properties).toMatchObject({
      Threshold: 1,
      EvaluationPeriods: 1,
      Metrics: [
        { MetricStat: { Metric: { MetricName: 'ApproximateNumberOfMessagesVisible' }, Stat: 'Maximum', Period: 300 } },
      ],
    });
  });

  it('a template with additional schedules is valid, and its queue refuses connections without TLS', () => {
    expect(faultsOf(template)).toEqual([]);
    expect(iam.resources.SchedulesDeadLetterQueuePolicy?.Properties).toMatchObject({
      PolicyDocument: {
        Statement: [{ Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
      },
    });
  });
});

describe('a planted fault', () => {
  const template = () => packaged.get('dev')!;

  type Plant = (resources: Template['Resources']) => unknown;
  const assumed = (resources: Template['Resources'], role = 'SchedulesRole') =>
    resources[role]!.Properties.AssumeRolePolicyDocument as { Statement: Record<string, unknown>[] };
  const policyOf = (resources: Template['Resources'], role: string) =>
    (resources[role]!.Properties.Policies as { PolicyDocument: { Statement: Record<string, unknown>[] } }[])[0]!
      .PolicyDocument;
  const first = (resources: Template['Resources'], type: string) =>
    Object.values(resources).find(({ Type }) => Type === type)!;
  const schedule = (resources: Template['Resources']) => first(resources, 'AWS::Scheduler::Schedule');
  const allow = (Action: string, Resource: string) => ({ Effect: 'Allow', Action, Resource });

  it.each<[string, Plant, RegExp]>([
    [
      "a schedule with the consumer's own role",
      (all) => (schedule(all).Properties.Target.RoleArn = { 'Fn::GetAtt': ['MdmSourceEnqueueRole', 'Arn'] } as never),
      /scheduler may not assume its role/,
    ],
    [
      'a role that may not invoke the target',
      (all) => policyOf(all, 'SchedulesRole').Statement.shift(),
      /role may not invoke its target/,
    ],
    [
      'trust in the scheduler of any account',
      (all) => delete assumed(all).Statement[0]!.Condition,
      /trusts the scheduler of any account/,
    ],
    [
      'trust in the scheduler for any group of schedules',
      (all) => delete (assumed(all).Statement[0]!.Condition as Record<string, unknown>).ArnEquals,
      /trusts the scheduler for any group of schedules/,
    ],
    [
      'a schedule outside of the group',
      (all) => (schedule(all).Properties.GroupName = 'default'),
      /scheduler may not assume its role/,
    ],
    [
      'trust that nothing uses',
      (all) => assumed(all).Statement.push({ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }),
      /SchedulesRole trusts lambda.amazonaws.com for nothing/,
    ],
    [
      'a right beyond the contract',
      (all) => {
        const secret = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:mdm-stream/dev/*';
        policyOf(all, 'MdmSearchRole').Statement.push(allow('secretsmanager:PutSecretValue', secret));
      },
      /MdmSearchRole may secretsmanager:PutSecretValue on .* beyond its contract/,
    ],
    [
      'a right that the contract says, and the role lacks',
      (all) => policyOf(all, 'MdmSourceEnqueueRole').Statement.pop(),
      /MdmSourceEnqueueRole may not lambda:InvokeFunction on [^ ]*-stream-consumer/,
    ],
    [
      'a role with a managed policy',
      (all) => (all.StreamXaddRole!.Properties.ManagedPolicyArns = ['arn:aws:iam::aws:policy/AdministratorAccess']),
      /StreamXaddRole has managed policies/,
    ],
    [
      'a policy beside the roles',
      (all) => {
        const PolicyDocument = { Version: '2012-10-17', Statement: [allow('s3:GetObject', 'arn:aws:s3:::b/*')] };
        const Properties = { PolicyName: 'p', PolicyDocument, Roles: ['r'] };
        all.Further = { Type: 'AWS::IAM::Policy', Properties: Properties as never };
      },
      /Further gives rights beside the contracts/,
    ],
    [
      'a right on everything that could be narrowed',
      (all) => policyOf(all, 'StreamXaddRole').Statement.push(allow('ec2:DescribeInstances', '*')),
      /StreamXaddRole may ec2:DescribeInstances on everything/,
    ],
    [
      'an HTTP API without an access log',
      (all) => delete all.HttpApiStage!.Properties.AccessLogSettings,
      /HttpApiStage has no access log/,
    ],
    [
      'an access log with credentials',
      (all) => {
        const settings = all.HttpApiStage!.Properties.AccessLogSettings as { Format: string };
        settings.Format = settings.Format.replace('$context.routeKey', '$request.header.Authorization');
      },
      /HttpApiStage does not log route\nHttpApiStage logs headers/,
    ],
    [
      'an HTTP API that is open to other origins',
      (all) => (all.HttpApi!.Properties.CorsConfiguration = { AllowOrigins: ['*'] }),
      /HttpApi.CorsConfiguration is {"AllowOrigins":\["\*"\]}/,
    ],
    [
      'a route without sign-in',
      (all) => (first(all, 'AWS::ApiGatewayV2::Route').Properties.AuthorizationType = 'NONE'),
      /is behind NONE/,
    ],
    ['a misspelled property', (all) => (schedule(all).Properties.Flexible = {}), /Flexible is not known/],
    [
      'a property of the wrong type',
      (all) => (schedule(all).Properties.ScheduleExpression = 1),
      /ScheduleExpression is no string/,
    ],
    ['a missing property', (all) => delete schedule(all).Properties.FlexibleTimeWindow, /lacks FlexibleTimeWindow/],
    [
      'a name that is too long',
      (all) => (all.SchedulesRole!.Properties.RoleName = 'x'.repeat(65)),
      /RoleName is longer than 64/,
    ],
    [
      'more resources than a template may have',
      (all) => {
        for (let n = 0; n < 500; n++) all[`Queue${n}`] = structuredClone(all.SchedulesDeadLetterQueue!);
      },
      /resources are more than 500/,
    ],
    ['a reference to nothing', (all) => delete all.SchedulesDeadLetterQueue, /SchedulesDeadLetterQueue is referred to/],
    [
      'a function that anyone may invoke',
      (all) => (Object.values(all).find(({ Type }) => Type === 'AWS::Lambda::Permission')!.Properties.Principal = '*'),
      /lets others invoke/,
    ],
  ])('the check of templates finds a planted fault: %s', (_, plant, fault) => {
    const faultsIn = (one: Template) => [
      ...faultsOf(one),
      ...contractFaults(one, { stage: 'dev' }),
      ...httpApiFaults(one, { stage: 'dev' }),
    ];
    const planted = structuredClone(template());
    plant(planted.Resources);

    expect(faultsIn(planted).join('\n')).toMatch(fault);
    expect(faultsIn(template())).toEqual([]);
  });
});

import { isDeepStrictEqual } from 'node:util';
import { functions } from '#scripts/build/functions.ts';
import { iamOf, type Iam } from '../aws/iam.ts';
import type { PackageOptions, Properties, Template } from '../aws/packaged-template.ts';

/*
 * What contracts and parameters want of a template: the rights of each role, and the settings of the HTTP API. Written
 * out by value, apart from the code that makes the template, so that a fault there is none here.
 */

/** What the template was packaged for. */
type Asked = Pick<PackageOptions, 'stage' | 'region' | 'params'>;

const SERVICE = 'mdm-stream';
const NETWORK_INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];
/** Resources that grant rights in addition to a role's. */
const FURTHER_POLICY = /^AWS::IAM::(\w*Policy|User|Group)$/;

/** Every right that a role has beyond its contract, or lacks, each named with its role. */
export function contractFaults(template: Template, asked: Asked): string[] {
  const iam = iamOf(template, asked.region);
  const wanted = wantedRights(iam, asked);
  const roles = entriesOf(iam, 'AWS::IAM::Role').flatMap(([id, { ManagedPolicyArns }]) => {
    const rights = wanted.get(iam.arnOf(id));
    if (!rights) return [`${id} is the role of nothing`];
    const given = iam
      .statementsOf(iam.arnOf(id))
      .flatMap(({ Effect, Action, Resource, Condition }) =>
        rightsOf(Action, Resource).map((right) =>
          [...(Effect === 'Allow' ? [] : ['not']), right, ...conditionsOf(Condition)].join(' '),
        ),
      );
    return [
      ...given.filter((right) => !rights.includes(right)).map((right) => `${id} may ${right} beyond its contract`),
      ...rights.filter((right) => !given.includes(right)).map((right) => `${id} may not ${right}`),
      ...(ManagedPolicyArns ? [`${id} has managed policies`] : []),
    ];
  });
  const further = Object.entries(iam.resources).filter(([, { Type }]) => FURTHER_POLICY.test(Type));
  return [...roles, ...further.map(([id]) => `${id} gives rights beside the contracts`)];
}

const rightsOf = (actions: string | string[] = 'anything', resources: string | string[] = 'anything') =>
  [actions].flat().flatMap((action) => [resources].flat().map((resource) => `${action} on ${resource}`));

/** Conditions of a statement, in words. */
const conditionsOf = (conditions: object = {}) =>
  Object.values(conditions as Record<string, object>).flatMap((one) =>
    Object.entries(one).map(([name, value]) => `if ${name} is ${String(value)}`),
  );

const entriesOf = (iam: Iam, type: string): [string, Properties][] =>
  Object.entries(iam.resources).flatMap(([id, { Type, Properties }]) => (Type === type ? [[id, Properties]] : []));

/** The rights of each role, by its ARN. */
function wantedRights(iam: Iam, asked: Asked): Map<string, string[]> {
  const lambdas = entriesOf(iam, 'AWS::Lambda::Function');
  const schedules = entriesOf(iam, 'AWS::Scheduler::Schedule').map(([, { Target }]) => Target);
  const ofSchedules = schedules.map(({ RoleArn, Arn, DeadLetterConfig }): [string, string[]] => [
    RoleArn,
    [...rightsOf('lambda:InvokeFunction', Arn), ...rightsOf('sqs:SendMessage', DeadLetterConfig.Arn)],
  ]);
  const ofFunctions = lambdas.map(([, properties]): [string, string[]] => [
    properties.Role,
    functionRights(properties, asked),
  ]);
  return new Map([...ofSchedules, ...ofFunctions]);
}

function functionRights(
  { FunctionName }: Properties,
  { stage, region = 'eu-central-1', params = {} }: Asked,
): string[] {
  const prefix = `${SERVICE}-${stage}-`;
  const deploy = functions.find(({ name }) => FunctionName === prefix + name)?.operation?.deploy;
  const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:123456789012:${resource}`;
  const lambda = (name: string) => arn('lambda', `function:${prefix}${name}`);
  const reachesRedis = deploy !== undefined && (deploy.usesRedis || params.sharedSession === 'on');
  const redisRights = reachesRedis ? networkRights(params, arn('lambda', `function:${FunctionName}`)) : [];
  const secrets = arn('secretsmanager', `secret:mdm-stream/${stage}/*`);
  return [
    ...rightsOf(['logs:CreateLogStream', 'logs:PutLogEvents'], arn('logs', `log-group:/aws/lambda/${FunctionName}:*`)),
    ...rightsIf(deploy, 'secretsmanager:GetSecretValue', secrets),
    ...(deploy && params.kmsKeyArn
      ? [`kms:Decrypt on ${params.kmsKeyArn} if kms:ViaService is secretsmanager.${region}.amazonaws.com`]
      : []),
    ...rightsIf(deploy?.invokesTargets, 'lambda:InvokeFunction', [lambda('target-*'), lambda('target-*:*')]),
    ...rightsIf(deploy?.wakesConsumer, 'lambda:InvokeFunction', lambda('stream-consumer')),
    ...(params.deadLetterTopicArn && FunctionName === `${prefix}stream-consumer`
      ? rightsOf(['sns:Publish', 'events:PutEvents'], String(params.deadLetterTopicArn))
      : []),
    ...redisRights,
    ...rightsIf(params.tracing || params.otelLayerArn, ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*'),
  ];
}

const rightsIf = (isGranted: unknown, ...right: Parameters<typeof rightsOf>) => (isGranted ? rightsOf(...right) : []);

/** What a function needs to reach Redis; its own code must not use the rights on network interfaces. */
function networkRights({ redisIamArns, vpcSubnetIds }: NonNullable<Asked['params']>, functionArn: string): string[] {
  const interfaces = vpcSubnetIds ? rightsOf(NETWORK_INTERFACES, '*') : [];
  return [
    ...rightsIf(redisIamArns, 'elasticache:Connect', String(redisIamArns)),
    ...interfaces,
    ...interfaces.map((right) => `not ${right} if lambda:SourceFunctionArn is ${functionArn}`),
  ];
}

/** The cross-origin settings of `corsOrigins`. */
const CORS = {
  AllowOrigins: ['https://app.example'],
  AllowMethods: ['GET', 'POST'],
  AllowHeaders: [
    'content-type',
    'accept',
    'authorization',
    'traceparent',
    'tracestate',
    'x-correlation-id',
    'x-amz-date',
    'x-amz-security-token',
    'x-amz-content-sha256',
  ],
  ExposeHeaders: ['retry-after'],
  MaxAge: 3600,
};
const LOGGED = {
  requestId: '$context.requestId',
  callerArn: '$context.identity.userArn',
  callerSub: '$context.authorizer.claims.sub',
  route: '$context.routeKey',
  status: '$context.status',
  integrationError: '$context.integrationErrorMessage',
};

/** Every setting of the HTTP API that was not asked for, each named with its resource. */
export function httpApiFaults(template: Template, { stage, region, params = {} }: Asked): string[] {
  const iam = iamOf(template, region);
  const behind = { iam: 'AWS_IAM', jwt: 'JWT', none: 'NONE' }[String(params.authorizer ?? 'iam')];
  const faults = (type: string, wanted: (properties: Properties) => Record<string, unknown>) =>
    entriesOf(iam, type).flatMap(([id, properties]) =>
      Object.entries(wanted(properties)).flatMap(([name, value]) =>
        isDeepStrictEqual(properties[name], value) ? [] : [`${id}.${name} is ${JSON.stringify(properties[name])}`],
      ),
    );
  const isOpen = (key: unknown) => /^GET (?!\/{proxy)/.test(String(key)) && params.publicDocs === 'on';
  return [
    ...faults('AWS::ApiGatewayV2::Api', () => ({
      ProtocolType: 'HTTP',
      CorsConfiguration: params.corsOrigins ? CORS : undefined,
    })),
    ...faults('AWS::ApiGatewayV2::Stage', () => ({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 },
    })),
    ...entriesOf(iam, 'AWS::ApiGatewayV2::Stage').flatMap(([id, { AccessLogSettings }]) =>
      accessLogFaults(id, AccessLogSettings as AccessLog | undefined),
    ),
    ...faults('AWS::ApiGatewayV2::Integration', () => ({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' })),
    ...entriesOf(iam, 'AWS::ApiGatewayV2::Route').flatMap(([id, { RouteKey, AuthorizationType = 'NONE' }]) =>
      AuthorizationType === (isOpen(RouteKey) ? 'NONE' : behind)
        ? []
        : [`${id} is behind ${String(AuthorizationType)}`],
    ),
    ...faults('AWS::ApiGatewayV2::Authorizer', () => ({
      JwtConfiguration: behind === 'JWT' ? { Audience: ['a', 'b'], Issuer: 'https://idp.example/t' } : 'none',
    })),
    ...faults('AWS::Logs::LogGroup', ({ LogGroupName }) =>
      LogGroupName === `/aws/http-api/${SERVICE}-${stage}` ? { RetentionInDays: 30 } : {},
    ),
  ];
}

interface AccessLog {
  DestinationArn: string;
  Format: string;
}

/** Each line says which call failed where; none holds a header, since one may hold credentials. */
function accessLogFaults(id: string, settings: AccessLog | undefined): string[] {
  if (!settings) return [`${id} has no access log`];
  const { DestinationArn, Format } = settings;
  const line = JSON.parse(Format) as Record<string, unknown>;
  return [
    ...(DestinationArn.includes('HttpApiLogGroup') ? [] : [`${id} logs to ${DestinationArn}`]),
    ...Object.entries(LOGGED).flatMap(([name, value]) => (line[name] === value ? [] : [`${id} does not log ${name}`])),
    ...(/header|authorization|cookie/i.test(Format) ? [`${id} logs headers`] : []),
  ];
}

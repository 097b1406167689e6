import type { StoredParameters } from './parameter-changes.ts';
import { functionLogicalId } from './names.ts';

/** Name of our part of a template's `Metadata`. */
export const METADATA = 'MdmStreamFunctions';

type Properties = Record<string, unknown>;

/** As much of a CloudFormation template as is read here. */
export interface DeployedTemplate {
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: object }>>;
}

/** Whether a stack has functions. One whose first deployment was rolled back has the bucket of the deployment alone. */
export const isDeployed = ({ Resources }: DeployedTemplate): boolean =>
  Object.values(Resources).some(({ Type }) => Type === 'AWS::Lambda::Function');

/**
 * The parameters of a deployed stack. Version 1.0.0 stored none, so they are read from what it made of them.
 *
 * @param defaults the parameters of a deployment to which none were given
 */
export function parametersOf(template: DeployedTemplate, defaults: StoredParameters): StoredParameters {
  const stored = template.Metadata?.[METADATA] as StoredParameters | undefined;
  if (stored) return stored;
  const found = { ...defaults.effective, ...inferredFrom(template) };
  const effective = Object.fromEntries(Object.entries(found).filter(([, text]) => text)) as Record<string, string>;
  const given = Object.keys(effective).filter((name) => effective[name] !== defaults.effective[name]);
  return { effective, given };
}

function inferredFrom({ Resources }: DeployedTemplate): Record<string, string | undefined> {
  const ofType = (type: string) =>
    Object.values(Resources)
      .filter(({ Type }) => Type === type)
      .map(({ Properties }) => Properties as Properties);
  const first = <T>(type: string, property: string) =>
    ofType(type)
      .map((properties) => properties[property] as T | undefined)
      .find((value) => value !== undefined);
  const functions = ofType('AWS::Lambda::Function');
  const { Variables: variables = {} } =
    first<{ Variables?: Record<string, string> }>('AWS::Lambda::Function', 'Environment') ?? {};
  const vpc = first<{ SubnetIds: string[]; SecurityGroupIds: string[] }>('AWS::Lambda::Function', 'VpcConfig');
  const cors = first<{ AllowOrigins: string[] }>('AWS::ApiGatewayV2::Api', 'CorsConfiguration');
  const throttle = first<Record<string, number>>('AWS::ApiGatewayV2::Stage', 'DefaultRouteSettings');
  const token = first<{ Issuer: string; Audience: string[] }>('AWS::ApiGatewayV2::Authorizer', 'JwtConfiguration');
  const reserved = first<number>('AWS::Lambda::Function', 'ReservedConcurrentExecutions');
  const search = Resources[functionLogicalId('mdm-search')]?.Properties as Properties | undefined;
  const tracing = functions.some(({ TracingConfig }) => (TracingConfig as { Mode?: string })?.Mode === 'Active');
  return {
    secretPrefix: variables.CONNECTOR_SECRET_PREFIX,
    secretTtlMs: variables.CONNECTOR_SECRET_TTL_MS,
    monitoring: variables.CONNECTOR_METRICS,
    logLevel: variables.LOG_LEVEL,
    tracing: tracing ? 'on' : 'off',
    sharedSession: search?.VpcConfig ? 'on' : 'off', // without a VPC it changes nothing of the template
    vpcSubnetIds: vpc?.SubnetIds.join(','),
    vpcSecurityGroupIds: vpc?.SecurityGroupIds.join(','),
    permissionsBoundary: first<string>('AWS::IAM::Role', 'PermissionsBoundary'),
    alarmTopicArn: first<string[]>('AWS::CloudWatch::Alarm', 'AlarmActions')?.[0],
    logRetentionInDays: String(first<number>('AWS::Logs::LogGroup', 'RetentionInDays')),
    logKmsKeyArn: first<string>('AWS::Logs::LogGroup', 'KmsKeyId'),
    corsOrigins: cors?.AllowOrigins.join(','),
    throttleRate: throttle && String(throttle.ThrottlingRateLimit),
    throttleBurst: throttle && String(throttle.ThrottlingBurstLimit),
    jwtIssuer: token?.Issuer,
    jwtAudience: token?.Audience.join(','),
    consumerReservedConcurrency: reserved === undefined ? undefined : String(reserved),
    tags: tagsIn(functions[0]),
    ...fromRoutes(ofType('AWS::ApiGatewayV2::Route')),
    ...fromStatements(ofType('AWS::IAM::Role').flatMap(statementsIn)),
    ...fromSchedules(ofType('AWS::Scheduler::Schedule'), Resources),
  };
}

function tagsIn(properties: Properties = {}): string | undefined {
  const tags = (properties.Tags ?? []) as { Key: string; Value: string }[];
  const userTags = tags.filter(({ Key }) => !/^(mdm-stream:|STAGE$)/.test(Key));
  return userTags.length > 0
    ? JSON.stringify(Object.fromEntries(userTags.map(({ Key, Value }) => [Key, Value])))
    : undefined;
}

function fromRoutes(routes: Properties[]): Record<string, string | undefined> {
  const operation = routes.find(
    ({ RouteKey }) => String(RouteKey).startsWith('POST /stream/') || String(RouteKey).startsWith('POST /mdm/'),
  );
  if (!operation) return {};
  const authorizer = { AWS_IAM: 'iam', JWT: 'jwt', NONE: 'none' }[(operation.AuthorizationType ?? 'NONE') as 'NONE'];
  const docs = routes.find(({ RouteKey }) => RouteKey === 'GET /docs');
  const isPublic = docs !== undefined && (docs.AuthorizationType ?? 'NONE') === 'NONE' && authorizer !== 'none';
  const scopes = operation.AuthorizationScopes as string[] | undefined;
  return { authorizer, publicDocs: isPublic ? 'on' : 'off', jwtScopes: scopes?.join(',') };
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

function statementsIn({ Policies }: Properties): Statement[] {
  const policies = (Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

function fromStatements(statements: Statement[]): Record<string, string | undefined> {
  const resourcesOf = (action: string) =>
    statements.filter(({ Action }) => Action === action).map(({ Resource }) => Resource);
  const [caches] = resourcesOf('elasticache:Connect') as string[][];
  const targets = resourcesOf('lambda:InvokeFunction').find(
    (resource): resource is unknown[] =>
      Array.isArray(resource) && resource.some((one) => /:\*"?\}?$/.test(JSON.stringify(one))),
  );
  return {
    kmsKeyArn: resourcesOf('kms:Decrypt')[0] as string | undefined,
    redisIamArns: caches?.join(','),
    consumerTargets: targets
      ?.map(targetName)
      .filter((name) => !name.endsWith(':*'))
      .join(','),
  };
}

/** The name that was given for the ARN of a target: its function's, if it is of this account and region. */
function targetName(arn: unknown): string {
  if (typeof arn === 'string') return arn;
  return (arn as { 'Fn::Sub': string })['Fn::Sub'].replace(/^.*:function:/, '');
}

interface Target {
  readonly Arn: { readonly 'Fn::GetAtt': readonly [string, string] };
  readonly Input: string;
}

function fromSchedules(schedules: Properties[], resources: DeployedTemplate['Resources']) {
  const known = schedules.map((schedule) => {
    const { Arn, Input } = schedule.Target as Target;
    return {
      isFurther: String(schedule.Description).includes('schedules['),
      function: Arn['Fn::GetAtt'][0],
      rate: String(schedule.ScheduleExpression),
      input: JSON.parse(Input) as Record<string, unknown>,
    };
  });
  const usual = known.filter(({ isFurther }) => !isFurther);
  const configRefs = [...new Set(usual.map(({ input }) => String(input.configRef)))];
  const further = known.filter(({ isFurther }) => isFurther);
  const operationOf = (id: string) => nameOfFunction(id, resources);
  const schedulesGiven = further.map((one) => ({
    operation: operationOf(one.function),
    rate: one.rate,
    input: one.input,
  }));
  return {
    ...(usual.length > 0 && {
      configRefs: configRefs.join(','),
      consumers: String(usual.length / configRefs.length),
      consumerRate: usual[0]!.rate,
    }),
    schedules: further.length > 0 ? JSON.stringify(schedulesGiven) : undefined,
  };
}

/** Name of the function that has this logical id. */
function nameOfFunction(id: string, resources: DeployedTemplate['Resources']): string {
  const { Handler } = resources[id]!.Properties as { Handler: string };
  const [, name = ''] = /^dist\/([^/]+)\//.exec(Handler) ?? [];
  return functionLogicalId(name) === id ? name : id;
}

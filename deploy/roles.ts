import type { DeployedFunction } from '#scripts/build/functions.ts';
import { arnOf, functionName, logicalName } from './names.ts';
import { CONSUMER, isDeployed } from './operations.ts';
import type { Deployment } from './parameters.ts';
import type { TemplateResource } from './tags.ts';

/** A statement of an IAM policy. */
export interface Statement {
  readonly Effect: 'Allow';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/**
 * The role of a function: the rights that its contract needs, on resources of this deployment only. Two rights cannot
 * be narrowed to a resource: the network interfaces of a VPC, and X-Ray.
 */
export function functionRole(deployed: DeployedFunction, deployment: Deployment) {
  const { name } = deployed;
  const statements = statementsOf(deployed, deployment);
  return roleOf(deployment, { who: name, principal: 'lambda.amazonaws.com', policy: logicalName(name), statements });
}

interface Role {
  /** Who has the role. */
  readonly who: string;
  /** The service that assumes it. */
  readonly principal: string;
  /** When it may do so. Default: always. */
  readonly condition?: object;
  /** Name of its policy. */
  readonly policy: string;
  readonly statements: readonly Statement[];
}

/** A role with one policy, and with the permissions boundary of the deployment. */
export function roleOf(
  { permissionsBoundary }: Deployment,
  { who, principal, condition, policy, statements }: Role,
): TemplateResource {
  const trust = { Effect: 'Allow', Principal: { Service: principal }, Action: 'sts:AssumeRole' };
  const documentOf = (Statement: readonly object[]) => ({ Version: '2012-10-17', Statement });
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      Description: `What ${who} may do`,
      ...(permissionsBoundary && { PermissionsBoundary: permissionsBoundary }),
      AssumeRolePolicyDocument: documentOf([{ ...trust, ...(condition && { Condition: condition }) }]),
      Policies: [{ PolicyName: policy, PolicyDocument: documentOf(statements) }],
    },
  };
}

function statementsOf({ name, operation }: DeployedFunction, deployment: Deployment): Statement[] {
  const { kmsKeyArn, redisIamArns, tracing } = deployment;
  const { invokesTargets, wakesConsumer } = operation?.deploy ?? {};
  const logGroup = `log-group:/aws/lambda/${functionName(deployment, name)}:*`;
  return [
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], arnOf('logs', logGroup)),
    ...(operation
      ? [allow('secretsmanager:GetSecretValue', arnOf('secretsmanager', `secret:${deployment.secretPrefix}*`))]
      : []),
    ...(operation && kmsKeyArn ? [allow('kms:Decrypt', kmsKeyArn)] : []),
    ...(invokesTargets ? [allow('lambda:InvokeFunction', targetArns(deployment))] : []),
    ...(wakesConsumer && isDeployed(CONSUMER, deployment)
      ? [allow('lambda:InvokeFunction', arnOf('lambda', `function:${functionName(deployment, CONSUMER)}`))]
      : []),
    ...(redisIamArns && reachesRedis(operation, deployment) ? [allow('elasticache:Connect', redisIamArns)] : []),
    ...(isInVpc(operation, deployment) ? [allow(NETWORK_INTERFACES, '*')] : []),
    ...(tracing ? [allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*')] : []),
  ];
}

export const allow = (Action: Statement['Action'], Resource: unknown): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

/** The rights that Lambda needs to put a function into a VPC. */
const NETWORK_INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

type Contract = DeployedFunction['operation'];

export function reachesRedis(operation: Contract, { sharedSession }: Deployment): boolean {
  return operation !== undefined && (operation.deploy.usesRedis || sharedSession);
}

/** Whether a function runs in the VPC: only those that connect to Redis do. */
export function isInVpc(operation: Contract, deployment: Deployment): boolean {
  return deployment.vpcSubnetIds !== undefined && reachesRedis(operation, deployment);
}

/** The targets, and their versions and aliases. */
function targetArns({ consumerTargets }: Deployment): unknown[] {
  return consumerTargets.flatMap((target) => {
    const isQualified = /^(arn:.*:function:)?[^:]+:[^:]+$/.test(target);
    const toArn = (name: string) => (target.startsWith('arn:') ? name : arnOf('lambda', `function:${name}`));
    return isQualified ? [toArn(target)] : [toArn(target), toArn(`${target}:*`)];
  });
}

import type { DeployedFunction } from '#scripts/build/functions.ts';
import { asynchronousOf } from './asynchronous.ts';
import { arnOf, functionName, logicalName } from './names.ts';
import { CONSUMER, isDeployed } from './operations.ts';
import type { Deployment } from './parameters.ts';
import { allow, roleOf, type Statement } from './role.ts';

/**
 * The role of a function: the rights that its contract needs, on resources of this deployment only. Two rights cannot
 * be narrowed to a resource: the network interfaces of a VPC, and X-Ray.
 */
export function functionRole(deployed: DeployedFunction, deployment: Deployment) {
  const { name } = deployed;
  const statements = statementsOf(deployed, deployment);
  return roleOf(deployment, { who: name, principal: 'lambda.amazonaws.com', policy: logicalName(name), statements });
}

function statementsOf(deployed: DeployedFunction, deployment: Deployment): Statement[] {
  const { name, operation } = deployed;
  const { failures } = asynchronousOf(deployed, deployment);
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
    ...(failures ? [allow(failures.right, failures.arn)] : []),
    ...(redisIamArns && reachesRedis(operation, deployment) ? [allow('elasticache:Connect', redisIamArns)] : []),
    ...(isInVpc(operation, deployment) ? [allow(NETWORK_INTERFACES, '*')] : []),
    ...(tracing ? [allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*')] : []),
  ];
}

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

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
  const { failures } = asynchronousOf(deployed, deployment);
  const statements = needsOf(deployed, deployment).flatMap((need) => NEEDS[need].statements(deployed.name, deployment));
  return [...new Set(statements), ...(failures ? [allow(failures.right, failures.arn)] : [])];
}

/** What a function may need. */
interface Need {
  /** The parameter without which nothing is needed. */
  readonly when?: keyof Deployment;
  /** The function without which nothing is needed. */
  readonly beside?: string;
  /** The rights of a function, by its name. */
  readonly statements: (name: string, deployment: Deployment) => Statement[];
}

/** Lambda's tracing and a layer need the same. */
const TO_XRAY = allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*');

/** Every need, with its rights. */
export const NEEDS = {
  log: {
    statements: (name, deployment) => {
      const group = arnOf('logs', `log-group:/aws/lambda/${functionName(deployment, name)}:*`);
      return [allow(['logs:CreateLogStream', 'logs:PutLogEvents'], group)];
    },
  },
  configuration: {
    statements: (_, { secretPrefix }) => [
      allow('secretsmanager:GetSecretValue', arnOf('secretsmanager', `secret:${secretPrefix}*`)),
    ],
  },
  key: {
    when: 'kmsKeyArn',
    statements: (_, { kmsKeyArn }) => [allow('kms:Decrypt', kmsKeyArn, BY_SECRETS_MANAGER)],
  },
  targets: { statements: (_, deployment) => [allow('lambda:InvokeFunction', targetArns(deployment))] },
  wake: {
    beside: CONSUMER,
    statements: (_, deployment) => [
      allow('lambda:InvokeFunction', arnOf('lambda', `function:${functionName(deployment, CONSUMER)}`)),
    ],
  },
  cache: {
    when: 'redisIamArns',
    statements: (_, { redisIamArns }) => [allow('elasticache:Connect', redisIamArns)],
  },
  network: {
    when: 'vpcSubnetIds',
    statements: (name, deployment) => [allow(NETWORK_INTERFACES, '*'), denyToCode(functionName(deployment, name))],
  },
  letters: {
    when: 'deadLetterTopicArn',
    statements: (_, { deadLetterTopicArn }) => [allow(['sns:Publish', 'events:PutEvents'], deadLetterTopicArn)],
  },
  traces: { when: 'tracing', statements: () => [TO_XRAY] },
  spans: { when: 'otelLayerArn', statements: () => [TO_XRAY] },
} as const satisfies Record<string, Need>;

export type NeedName = keyof typeof NEEDS;

/** What a function of this deployment needs, by its contract. */
export function needsOf({ name, operation }: DeployedFunction, deployment: Deployment): NeedName[] {
  const { invokesTargets, wakesConsumer } = operation?.deploy ?? {};
  const isRedis = reachesRedis(operation, deployment);
  const needs: [need: NeedName, isNeeded: boolean | undefined][] = [
    ['log', true],
    ['configuration', operation !== undefined],
    ['key', operation !== undefined],
    ['targets', invokesTargets],
    ['wake', wakesConsumer],
    ['letters', name === CONSUMER],
    ['cache', isRedis],
    ['network', isRedis],
    ['traces', true],
    ['spans', true],
  ];
  return needs.filter(([need, isNeeded]) => isNeeded && isMet(NEEDS[need], deployment)).map(([need]) => need);
}

/** Whether a deployment has what a need is for. */
function isMet({ when, beside }: Need, deployment: Deployment): boolean {
  const hasParameter = when === undefined || Boolean(deployment[when]);
  return hasParameter && (beside === undefined || isDeployed(beside, deployment));
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

/** Secrets Manager decrypts, in the name of the function; the function itself may not. */
const BY_SECRETS_MANAGER = {
  StringEquals: { 'kms:ViaService': { 'Fn::Sub': 'secretsmanager.${AWS::Region}.${AWS::URLSuffix}' } },
};

/** Lambda makes the interfaces. The code of the function has the same role, and no use for these rights. */
const denyToCode = (name: string): Statement => ({
  Effect: 'Deny',
  Action: NETWORK_INTERFACES,
  Resource: '*',
  Condition: { ArnEquals: { 'lambda:SourceFunctionArn': arnOf('lambda', `function:${name}`) } },
});

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

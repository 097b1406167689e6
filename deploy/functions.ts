import { ON_DEMAND } from '#scripts/build/forms.ts';
import { functions, REST, type DeployedFunction } from '#scripts/build/functions.ts';
import { asynchronousOf } from './asynchronous.ts';
import { layersOf } from './layers.ts';
import { functionName, LOCAL_STAGE, roleLogicalId } from './names.ts';
import { CONSUMER, knowsOperations, namesMatching } from './operations.ts';
import { isInVpc, reachesRedis } from './roles.ts';
import { schedulesOf } from './schedules.ts';
import type { Deployment } from './parameters.ts';

/** What a deployment adds to the entry of a function in functions.yml. */
interface FunctionEntry extends Readonly<Record<string, unknown>> {
  readonly events: readonly object[];
}

/** Functions that serve documents are part of the HTTP API. */
export function deployedFunctions({ operations, httpApi }: Deployment): readonly DeployedFunction[] {
  const names = namesMatching(operations);
  return functions.filter(({ name, operation }) => names.includes(name) && (httpApi || operation !== undefined));
}

/** What the deployment adds to functions.yml, by function. */
export function functionEntries(deployment: Deployment): Record<string, FunctionEntry> {
  return Object.fromEntries(deployedFunctions(deployment).map((one) => [one.name, entryOf(one, deployment)]));
}

/** Whether the deployment has an HTTP API. */
export function hasRoutes(deployment: Deployment): boolean {
  return deployedFunctions(deployment).some((one) => routesOf(one, deployment).length > 0);
}

function entryOf(deployed: DeployedFunction, deployment: Deployment): FunctionEntry {
  const { name, operation } = deployed;
  const { retries, seconds, failures } = asynchronousOf(deployed, deployment);
  return {
    name: functionName(deployment, name),
    ...(deployment.stage === LOCAL_STAGE && { handler: `${ON_DEMAND}.${name}` }),
    package: { patterns: patternsOf(deployed, deployment) },
    role: roleLogicalId(name),
    ...(isInVpc(operation, deployment) && {
      vpc: { subnetIds: deployment.vpcSubnetIds, securityGroupIds: deployment.vpcSecurityGroupIds },
    }),
    ...(name === CONSUMER && { memorySize: deployment.consumerMemory }),
    reservedConcurrency: reservedOf(deployed, deployment),
    ...(layersOf(deployment).length > 0 && { layers: layersOf(deployment) }),
    maximumRetryAttempts: retries,
    maximumEventAge: seconds,
    destinations: failures && { onFailure: destinationOf(failures.arn) },
    ...(knowsOperations(name) && { environment: { CONNECTOR_OPERATIONS: deployment.operations.join(',') } }),
    events: [...routesOf(deployed, deployment), ...localSchedules(name, deployment)],
  };
}

/** Concurrency that is reserved for a function; undefined if none is. */
function reservedOf(deployed: DeployedFunction, deployment: Deployment): number | undefined {
  const { name, operation } = deployed;
  if (name === CONSUMER) return deployment.consumerReservedConcurrency;
  const hasRoute = operation !== undefined && routesOf(deployed, deployment).length > 0;
  return hasRoute ? deployment.apiReservedConcurrency : undefined;
}

/** The framework takes an ARN as text, or with the kind of its resource. */
const destinationOf = (arn: unknown) => (typeof arn === 'string' ? arn : { arn, type: 'sqs' });

/** Ships the store of shared sessions, 180 kB with its Redis client, only to functions that reach Redis. */
function patternsOf({ name, operation }: DeployedFunction, deployment: Deployment): string[] {
  const shipped = [`dist/${name}/*`, `!dist/${name}/*.map`];
  return reachesRedis(operation, deployment) ? shipped : [...shipped, `!dist/${name}/redis-session-store-*`];
}

/** The framework's events of a function's routes. */
export function routesOf({ operation, routes = [] }: DeployedFunction, deployment: Deployment) {
  const { authorizer, jwtScopes, publicDocs, httpApi } = deployment;
  if (!httpApi) return [];
  const behind = {
    iam: { authorizer: { type: 'aws_iam' } },
    jwt: { authorizer: { name: 'jwt', ...(jwtScopes && { scopes: jwtScopes }) } },
    none: {},
  }[authorizer];
  const operationRoute = { httpApi: { method: 'POST', path: operation?.route, ...behind } };
  const documentRoutes = routes.map((route) => {
    const [method, path] = route.split(' ');
    return { httpApi: { method, path, ...((!publicDocs || path === REST) && behind) } };
  });
  return operation?.deploy.http ? [operationRoute] : documentRoutes;
}

/** The local stack runs the framework's schedules; deployed ones are resources with their own role. */
function localSchedules(name: string, deployment: Deployment) {
  if (deployment.stage !== LOCAL_STAGE) return [];
  const ofFunction = schedulesOf(deployment).filter((schedule) => schedule.name === name);
  return ofFunction.map(({ rate, input }) => ({ schedule: { method: 'scheduler', rate: [rate], input } }));
}

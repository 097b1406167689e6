import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alarmResources } from './alarms.ts';
import { commitOfCheckout } from './commit.ts';
import { dashboardResource } from './dashboard.ts';
import { METADATA } from './deployed-parameters.ts';
import { furtherVariables } from './environment.ts';
import { deployedFunctions, functionEntries, hasRoutes } from './functions.ts';
import { accessLogs, httpApi, httpApiExtensions } from './http-api.ts';
import { functionArn, functionLogicalId, functionName, LOCAL_STAGE, logicalName, roleLogicalId } from './names.ts';
import { CONSUMER, isDeployed } from './operations.ts';
import { storedParametersOf } from './parameter-changes.ts';
import type { Deployment } from './parameters.ts';
import { functionRole } from './roles.ts';
import { savedQueries } from './saved-queries.ts';
import { idleLogGroups, logGroupExtensions } from './log-groups.ts';
import { scheduleResources, SCHEDULES_DEAD_LETTERS } from './schedules.ts';
import { tagsOf, withTags, type TemplateResource } from './tags.ts';

const PACKAGE = join(import.meta.dirname, '../package.json');
export const { version: VERSION } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

/** The parts of serverless.yml that are made from contracts and parameters. */
export function templateOf(deployment: Deployment) {
  return {
    functions: functionEntries(deployment),
    environment: { ...environmentOf(deployment), ...furtherVariables(deployment) },
    httpApi: httpApi(deployment),
    accessLogs,
    logRetentionInDays: deployment.logRetentionInDays,
    tracing: deployment.tracing,
    terminationProtection: deployment.terminationProtection && deployment.stage !== LOCAL_STAGE,
    tags: tagsOf(deployment),
    resources: resourcesOf(deployment),
  };
}

export function environmentOf(deployment: Deployment): Record<string, string> {
  return {
    CONNECTOR_SECRET_PREFIX: deployment.secretPrefix,
    CONNECTOR_SECRET_TTL_MS: String(deployment.secretTtlMs),
    ...(isDeployed(CONSUMER, deployment) &&
      deployment.consumerState && { CONNECTOR_CONSUMER_FUNCTION: functionName(deployment, CONSUMER) }),
    CONNECTOR_METRICS: deployment.monitoring,
    LOG_LEVEL: deployment.logLevel,
    CONNECTOR_SERVICE: deployment.service,
    CONNECTOR_STAGE: deployment.stage,
    CONNECTOR_VERSION: VERSION,
  };
}

/** Resources that the framework does not make, by their ids. */
export function furtherResources(deployment: Deployment): Record<string, TemplateResource> {
  if (deployment.stage === LOCAL_STAGE) return {};
  const roles = deployedFunctions(deployment).map(
    (one) => [roleLogicalId(one.name), functionRole(one, deployment)] as const,
  );
  return {
    ...Object.fromEntries(roles),
    ...scheduleResources(deployment),
    ...idleLogGroups(deployment),
    ...alarmResources(deployment),
    ...(deployment.monitoring === 'full' && { Dashboard: dashboardResource(deployment) }),
    ...(deployment.monitoring === 'full' && savedQueries(deployment)),
  };
}

export function resourcesOf(deployment: Deployment) {
  if (deployment.stage === LOCAL_STAGE) return {};
  const resources = Object.entries(furtherResources(deployment));
  return {
    Metadata: { [METADATA]: storedParametersOf(deployment, { version: VERSION, commit: commitOfCheckout() }) },
    Resources: Object.fromEntries(resources.map(([id, one]) => [id, withTags(one, deployment)])),
    Outputs: outputsOf(deployment),
    extensions: {
      ...(hasRoutes(deployment) && httpApiExtensions(deployment)),
      ...consumerExtensions(deployment),
      ...logGroupExtensions(deployment),
    },
  };
}

/**
 * A run that reaches its deadline with entries unread invokes the next one, so a long backlog needs a long chain.
 * Lambda would stop it after 16 invocations. Each works for the function's whole time, and the chain ends when nothing
 * is left to read.
 */
function consumerExtensions(deployment: Deployment): Record<string, object> {
  if (!isDeployed(CONSUMER, deployment)) return {};
  return { [functionLogicalId(CONSUMER)]: { Properties: { RecursiveLoop: 'Allow' } } };
}

/**
 * Outputs with ARNs without a version, so that stacks that import them never block a deployment. Each is exported as
 * `<stack>-<output>`.
 */
function outputsOf(deployment: Deployment): Record<string, unknown> {
  const functions = deployedFunctions(deployment).map(
    ({ name, description }) =>
      [`${logicalName(name)}FunctionArn`, { Description: description, Value: functionArn(name) }] as const,
  );
  const hasSchedules = SCHEDULES_DEAD_LETTERS in scheduleResources(deployment);
  const outputs: Record<string, object> = {
    ...Object.fromEntries(functions),
    FunctionPrefix: { Description: 'Prefix of function names', Value: functionName(deployment, '') },
    ...(hasSchedules && {
      SchedulesDeadLetterQueueUrl: {
        Description: 'Scheduled invocations that failed for good, or that Lambda did not accept',
        Value: { Ref: SCHEDULES_DEAD_LETTERS },
      },
    }),
  };
  const exported = Object.entries(outputs).map(([id, output]) => [
    id,
    { ...output, Export: { Name: functionName(deployment, id) } },
  ]);
  return Object.fromEntries(exported) as Record<string, unknown>;
}

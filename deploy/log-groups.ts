import { functions, type DeployedFunction } from '#scripts/build/functions.ts';
import { deployedFunctions, hasRoutes } from './functions.ts';
import { functionName, logGroupLogicalId } from './names.ts';
import type { Deployment } from './parameters.ts';
import { tagList, type TemplateResource } from './tags.ts';

const API_LOG_GROUP = 'HttpApiLogGroup';

/**
 * Log groups of functions that this deployment omits: a narrower `operations` removes functions, but their logs stay
 * until their retention ends. The framework makes the log groups of deployed functions, with the same logical ids.
 */
export function idleLogGroups(deployment: Deployment): Record<string, TemplateResource> {
  const deployed = deployedFunctions(deployment);
  const idle = functions.filter((one) => !deployed.includes(one));
  const { service, stage } = deployment;
  return Object.fromEntries([
    ...idle.map((one) => [
      logGroupLogicalId(one.name),
      logGroup(`/aws/lambda/${functionName(deployment, one.name)}`, retentionOf(one, deployment), deployment),
    ]),
    ...(hasRoutes(deployment)
      ? []
      : [[API_LOG_GROUP, logGroup(`/aws/http-api/${service}-${stage}`, deployment.logRetentionInDays, deployment)]]),
  ]) as Record<string, TemplateResource>;
}

/**
 * How long to keep a function's log. That of a function that changes something holds its part of the audit trail, in a
 * log group of its own: AWS has no way to move single lines to another group without a copy that may lag or fail.
 */
function retentionOf({ operation }: DeployedFunction, deployment: Deployment): number {
  const { logRetentionInDays, auditRetentionInDays } = deployment;
  const isAudited = operation !== undefined && !operation.readOnly;
  return isAudited ? Math.max(logRetentionInDays, auditRetentionInDays) : logRetentionInDays;
}

function logGroup(LogGroupName: string, RetentionInDays: number, deployment: Deployment): TemplateResource {
  const { logKmsKeyArn } = deployment;
  const Properties = {
    LogGroupName,
    RetentionInDays,
    ...(logKmsKeyArn && { KmsKeyId: logKmsKeyArn }),
  };
  return { Type: 'AWS::Logs::LogGroup', ...policiesOf(deployment), Properties };
}

/** Log groups outlive the stack; those of a stack whose creation failed do not. */
function policiesOf({ keepLogs }: Deployment): object {
  return keepLogs ? { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' } : {};
}

/** Retention, key, tags and policies of the framework's log groups, for which it has no setting of each. */
export function logGroupExtensions(deployment: Deployment): Record<string, object> {
  const { logKmsKeyArn, logRetentionInDays } = deployment;
  const extension = (RetentionInDays: number) => ({
    ...policiesOf(deployment),
    Properties: { RetentionInDays, ...(logKmsKeyArn && { KmsKeyId: logKmsKeyArn }), Tags: tagList(deployment) },
  });
  const ofFunctions = deployedFunctions(deployment).map(
    (one) => [logGroupLogicalId(one.name), extension(retentionOf(one, deployment))] as const,
  );
  return {
    ...Object.fromEntries(ofFunctions),
    ...(hasRoutes(deployment) && { [API_LOG_GROUP]: extension(logRetentionInDays) }),
  };
}

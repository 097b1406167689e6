import { functions } from '#scripts/build/functions.ts';
import { deployedFunctions, hasRoutes } from './functions.ts';
import { functionName, logGroupLogicalId } from './names.ts';
import type { Deployment } from './parameters.ts';
import { tagList, type TemplateResource } from './tags.ts';

const OF_HTTP_API = 'HttpApiLogGroup';

/**
 * Log groups of functions that this deployment omits: a narrower `operations` removes functions, but their logs stay
 * until their retention ends. The framework makes the log groups of deployed functions, with the same logical ids.
 */
export function idleLogGroups(deployment: Deployment): Record<string, TemplateResource> {
  const deployed = deployedFunctions(deployment);
  const idle = functions.filter((one) => !deployed.includes(one));
  const { service, stage } = deployment;
  return Object.fromEntries([
    ...idle.map(({ name }) => [
      logGroupLogicalId(name),
      logGroup(`/aws/lambda/${functionName(deployment, name)}`, deployment),
    ]),
    ...(hasRoutes(deployment) ? [] : [[OF_HTTP_API, logGroup(`/aws/http-api/${service}-${stage}`, deployment)]]),
  ]) as Record<string, TemplateResource>;
}

function logGroup(LogGroupName: string, deployment: Deployment): TemplateResource {
  const { logRetentionInDays, logKmsKeyArn } = deployment;
  const Properties = {
    LogGroupName,
    RetentionInDays: logRetentionInDays,
    ...(logKmsKeyArn && { KmsKeyId: logKmsKeyArn }),
  };
  return { Type: 'AWS::Logs::LogGroup', ...policiesOf(deployment), Properties };
}

/** Log groups outlive the stack; those of a stack whose creation failed do not. */
function policiesOf({ keepLogs }: Deployment): object {
  return keepLogs ? { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' } : {};
}

/** Key, tags and policies of the framework's log groups, for which it has no setting. */
export function logGroupExtensions(deployment: Deployment): Record<string, object> {
  const { logKmsKeyArn } = deployment;
  const extension = {
    ...policiesOf(deployment),
    Properties: { ...(logKmsKeyArn && { KmsKeyId: logKmsKeyArn }), Tags: tagList(deployment) },
  };
  const ids = [
    ...deployedFunctions(deployment).map(({ name }) => logGroupLogicalId(name)),
    ...(hasRoutes(deployment) ? [OF_HTTP_API] : []),
  ];
  return Object.fromEntries(ids.map((id) => [id, extension]));
}

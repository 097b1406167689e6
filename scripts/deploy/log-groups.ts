import { functions } from '../functions.ts';
import { deployedFunctions, hasRoutes } from './functions.ts';
import { functionName, logGroupLogicalId } from './names.ts';
import type { Deployment } from './parameters.ts';
import { tagList, type TemplateResource } from './tags.ts';

const OF_HTTP_API = 'HttpApiLogGroup';

/**
 * Log groups of what this deployment leaves out: a narrower `operations` ends functions, and what they have written stays
 * for as long as it was to be kept. The framework makes those of what is deployed, under the same logical ids.
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

function logGroup(LogGroupName: string, { logRetentionInDays, logKmsKeyArn }: Deployment): TemplateResource {
  const Properties = {
    LogGroupName,
    RetentionInDays: logRetentionInDays,
    ...(logKmsKeyArn && { KmsKeyId: logKmsKeyArn }),
  };
  return { Type: 'AWS::Logs::LogGroup', Properties };
}

/** What the framework has no setting for: key and tags of the log groups that it makes. */
export function logGroupExtensions(deployment: Deployment): Record<string, object> {
  const { logKmsKeyArn } = deployment;
  const extension = { Properties: { ...(logKmsKeyArn && { KmsKeyId: logKmsKeyArn }), Tags: tagList(deployment) } };
  const ids = [
    ...deployedFunctions(deployment).map(({ name }) => logGroupLogicalId(name)),
    ...(hasRoutes(deployment) ? [OF_HTTP_API] : []),
  ];
  return Object.fromEntries(ids.map((id) => [id, extension]));
}

import type { Deployment } from './parameters.ts';

/** The tag by which policies recognise a stack's resources. */
const STACK_TAG = 'mdm-stream:stack';

/** Resource types made here that can have tags. The framework tags functions, the API and the bucket. */
const TAGGED = new Set([
  'AWS::CloudWatch::Alarm',
  'AWS::IAM::Role',
  'AWS::Logs::LogGroup',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::SQS::Queue',
]);

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: object;
}

/** The tags of a deployment's resources. */
export const tagsOf = ({ service, stage, tags }: Deployment): Record<string, string> => ({
  [STACK_TAG]: `${service}-${stage}`,
  ...tags,
});

/** A resource with the deployment's tags, if it can have tags. */
export function withTags(resource: TemplateResource, deployment: Deployment): TemplateResource {
  if (!TAGGED.has(resource.Type)) return resource;
  return { ...resource, Properties: { ...resource.Properties, Tags: tagList(deployment) } };
}

/** The usual form of tags. */
export const tagList = (deployment: Deployment) =>
  Object.entries(tagsOf(deployment)).map(([Key, Value]) => ({ Key, Value }));

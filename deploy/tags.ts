import { textOf } from './parameter-values.ts';
import type { Deployment } from './parameters.ts';

/** The tag by which policies recognise a stack's resources. */
const STACK_TAG = 'mdm-stream:stack';
const ALLOWED = 'is allowed in the parameters file only: an object of names and values';
const NAME = /^(?!aws:|mdm-stream:)[\p{L}\p{N} _.:/=+@-]{1,128}$/iu;
const VALUE = /^[\p{L}\p{N} _.:/=+@-]{1,256}$/u;
/** AWS allows 50; CloudFormation and the framework add some of their own. */
export const MOST_TAGS = 40;

/** The tags of the parameters file, and their faults. */
export function checkTags(value: unknown): { tags: Record<string, string>; faults: string[] } {
  if (value === undefined) return { tags: {}, faults: [] };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { tags: {}, faults: [`tags ${ALLOWED}`] };
  }
  const tags = Object.entries(value).map(
    ([name, text]) => [name, Array.isArray(text) ? undefined : textOf(text)] as const,
  );
  const faults = tags.flatMap(([name, text]) => [
    ...(NAME.test(name)
      ? []
      : [`tags: the name ${name} is not allowed: 1 to 128 of AWS's characters, neither aws: nor mdm-stream: first`]),
    ...(text !== undefined && VALUE.test(text)
      ? []
      : [`tags.${name} is not allowed: text of 1 to 256 of AWS's characters`]),
  ]);
  if (tags.length > MOST_TAGS) faults.push(`tags are at most ${MOST_TAGS}`);
  return { tags: Object.fromEntries(tags) as Record<string, string>, faults };
}

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

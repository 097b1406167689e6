import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { isDeployed, type DeployedTemplate } from '#deploy/deployed-parameters.ts';
import { ScriptError } from '../arguments.ts';
import { reasonOf } from './invoke.ts';
import { cureOf, type NamedStack } from './stack-state.ts';

/**
 * The template of the stack that a deployment would update; undefined if nothing is deployed yet.
 *
 * @throws {ScriptError} if CloudFormation cannot update the stack in its state, or AWS refuses a call
 */
export async function deployedTemplate(stack: NamedStack): Promise<DeployedTemplate | undefined> {
  const { name, region } = stack;
  const orReason = (error: Error) => {
    throw new ScriptError(`The stack ${name} cannot be read: ${reasonOf(error)}`);
  };
  const described = await describeStack(name, region).catch(orReason);
  if (!described) return undefined;
  const { StackStatus: status = '', StackStatusReason: reason } = described;
  const cure = cureOf(status, stack);
  if (cure) throw new ScriptError(`The stack ${name} is in ${status}${reason ? ` (${reason})` : ''}.\n${cure}`);
  const template = await readTemplate(name, region).catch(orReason);
  return template && isDeployed(template) ? template : undefined;
}

/** A stack as CloudFormation describes it; undefined if there is none of this name. Throws AWS' own errors. */
export const describeStack = (name: string, region: string | undefined): Promise<Stack | undefined> =>
  unlessMissing(async (client) => {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return stack;
  }, region);

/** The template of a stack; undefined if it has none, because its creation never began. Throws AWS' own errors. */
export const readTemplate = (name: string, region: string | undefined): Promise<DeployedTemplate | undefined> =>
  unlessMissing(async (client) => {
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' }));
    return TemplateBody ? (JSON.parse(TemplateBody) as DeployedTemplate) : undefined;
  }, region);

async function unlessMissing<T>(
  call: (client: CloudFormationClient) => Promise<T>,
  region: string | undefined,
): Promise<T | undefined> {
  try {
    return await call(new CloudFormationClient({ region, maxAttempts: 2 }));
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined;
    throw error;
  }
}

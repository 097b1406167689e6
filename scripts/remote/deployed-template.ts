import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { isDeployed, type DeployedTemplate } from '#deploy/deployed-parameters.ts';
import { ScriptError } from '../arguments.ts';
import { cureOf } from './stack-state.ts';

interface Named {
  /** Name of the stack. */
  readonly name: string;
  readonly stage: string;
  readonly region: string;
}

/**
 * The template of the stack that a deployment would update; undefined if nothing is deployed yet.
 *
 * @throws {ScriptError} if CloudFormation cannot update the stack in its state, or AWS refuses a call
 */
export async function deployedTemplate({ name, stage, region }: Named): Promise<DeployedTemplate | undefined> {
  const orReason = ({ name: error, message }: Error) => {
    throw new ScriptError(`The stack ${name} cannot be read: ${error}: ${message}`);
  };
  const stack = await describeStack(name, region).catch(orReason);
  if (!stack) return undefined;
  const { StackStatus: status = '', StackStatusReason: reason } = stack;
  const cure = cureOf(status, { name, stage, region });
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

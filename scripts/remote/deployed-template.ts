import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import type { DeployedTemplate } from '#deploy/deployed-parameters.ts';
import { ScriptError } from '../arguments.ts';

/**
 * The template of a stack; undefined if there is no such stack yet.
 *
 * @throws {ScriptError} if AWS refuses the call
 */
export async function deployedTemplate(stack: string, region: string): Promise<DeployedTemplate | undefined> {
  return readTemplate(stack, region).catch(({ name, message }: Error) => {
    throw new ScriptError(`The parameters of the stack ${stack} cannot be read: ${name}: ${message}`);
  });
}

/** The same, with AWS' own errors. */
export async function readTemplate(stack: string, region: string | undefined): Promise<DeployedTemplate | undefined> {
  const client = new CloudFormationClient({ region, maxAttempts: 2 });
  try {
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }));
    return JSON.parse(TemplateBody!) as DeployedTemplate;
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'ValidationError' && message.includes('does not exist')) return undefined;
    throw error;
  }
}

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { functionName } from '#deploy/names.ts';
import type { FailedInvocation } from '#lib/core/problem.ts';
import { FunctionFailure } from '#sandbox/stack/lambda.ts';
import { ScriptError } from '../arguments.ts';
import { regionOf } from './region.ts';
import { SERVICE, type Remote } from './remote.ts';

/**
 * Invokes a deployed function with the credentials of the environment or the profile; returns its output as text.
 *
 * @throws {FunctionFailure} if the function fails
 * @throws {ScriptError} if AWS refuses the call
 */
export async function invokeRemote(
  { stage, region, service = SERVICE }: Remote,
  name: string,
  payload: string,
): Promise<string> {
  // a lost call may have been carried out
  const client = new LambdaClient({ region: await regionOf(region), maxAttempts: 1 });
  const command = new InvokeCommand({
    FunctionName: functionName({ service, stage }, name),
    Payload: payload,
  });
  const { FunctionError, Payload } = await client.send(command).catch((error: Error) => {
    throw new ScriptError(reasonOf(error, name));
  });
  const text = Payload?.transformToString() ?? '';
  if (FunctionError === undefined) return text;
  const failure = JSON.parse(text) as FailedInvocation;
  throw new FunctionFailure(name, { ...failure, errorMessage: failure.errorMessage ?? text }, FunctionError);
}

/** What AWS' error means, with the cure where it is known. */
export function reasonOf({ name, message }: Error, functionName?: string): string {
  if (/^Region (is missing|not accepted)/.test(message))
    return 'Name the region of the deployment: --region eu-central-1, or AWS_REGION';
  if (name === 'CredentialsProviderError') {
    return 'AWS credentials are missing: sign in (aws sso login, aws configure), or set AWS_PROFILE';
  }
  if (name === 'ResourceNotFoundException' && functionName !== undefined) {
    const cure = 'check --stage and --region, and the operations that were deployed';
    return `There is no function ${functionName} of this stage in this region: ${cure}. ${message}`;
  }
  return `${name}: ${message}`;
}

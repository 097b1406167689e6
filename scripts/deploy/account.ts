import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ScriptError } from '../arguments.ts';

/** Region of a deployment that names none, as in serverless.yml. */
const USUAL_REGION = 'eu-central-1';
const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;

/** The region that the framework deploys to. */
export function regionOf(given: string | undefined): string {
  const region = given ?? (process.env.AWS_REGION || USUAL_REGION);
  if (REGION.test(region)) return region;
  throw new ScriptError(`The region ${region} is not allowed: a region of AWS, such as ${USUAL_REGION}`);
}

/**
 * The account that the credentials of the environment or the profile belong to.
 *
 * @throws {ScriptError} where there are none, AWS refuses them, or the region cannot be reached
 */
export async function accountOf(region: string): Promise<string> {
  try {
    const { Account } = await new STSClient({ region, maxAttempts: 2 }).send(new GetCallerIdentityCommand());
    return Account!;
  } catch (error) {
    const { name, message } = error as Error;
    throw new ScriptError(`AWS does not take the credentials of this shell in ${region}: ${name}: ${message}`);
  }
}

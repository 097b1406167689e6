import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ScriptError } from '../arguments.ts';

/**
 * The account of the credentials in the environment or the profile.
 *
 * @throws {ScriptError} if there are none, AWS refuses them, or the region is out of reach
 */
export async function accountOf(region: string): Promise<string> {
  try {
    const { Account } = await new STSClient({ region, maxAttempts: 2 }).send(new GetCallerIdentityCommand());
    return Account!;
  } catch (error) {
    const { name, message } = error as Error;
    throw new ScriptError(`AWS does not accept the credentials of this shell in ${region}: ${name}: ${message}`);
  }
}

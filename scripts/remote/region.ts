import { STSClient } from '@aws-sdk/client-sts';
import { isRegion, REGION_ALLOWED } from '#deploy/parameter-values.ts';
import { ScriptError } from '../arguments.ts';

/** The option of scripts that make or remove a deployment. */
export const REGION_OPTION = {
  type: 'string',
  value: '<region>',
  about: 'AWS region; default: AWS_REGION, AWS_DEFAULT_REGION, or that of the profile',
} as const;

/**
 * The region of a deployment, as the AWS CLI finds it: the option, `AWS_REGION`, `AWS_DEFAULT_REGION`, or the
 * profile's.
 *
 * @throws {ScriptError} if there is none, or AWS has no such region
 */
export async function regionOf(option?: string): Promise<string> {
  const region = await findRegion(option);
  if (!isRegion(region)) throw new ScriptError(`The region is ${REGION_ALLOWED}, not '${region}'`);
  return region;
}

/** The same for a deployment, which checks the region with its other parameters. */
export async function findRegion(option?: string): Promise<string> {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const region = (option ?? AWS_REGION) || AWS_DEFAULT_REGION || (await regionOfProfile());
  if (region !== undefined) return region;
  throw new ScriptError('Name the region of the deployment: --region eu-central-1, AWS_REGION, or that of a profile');
}

/** The SDK reads the profile that `AWS_PROFILE` names, in the same files as the AWS CLI. */
const regionOfProfile = () => new STSClient().config.region().catch(() => undefined);

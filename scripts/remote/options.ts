import { isRegion, REGION_ALLOWED } from '#deploy/parameter-values.ts';
import { ScriptError } from '../arguments.ts';
import { SERVICE, type Remote } from './remote.ts';

/** Of a deployment by the CDK or Terraform, which can have another service. */
export const SERVICE_OPTION = {
  type: 'string',
  value: '<name>',
  about: `first part of the names of the deployment; default: ${SERVICE}`,
} as const;

/** The options of scripts that call a deployed function. */
export const REMOTE_OPTIONS = {
  remote: { type: 'boolean', about: 'call the deployed function, with your AWS credentials; needs --stage' },
  stage: { type: 'string', value: '<stage>', about: 'stage of the deployment' },
  region: {
    type: 'string',
    value: '<region>',
    about: 'region of the deployment; default: that of the environment or profile',
  },
  service: SERVICE_OPTION,
} as const;

/**
 * The deployment to call; undefined without `--remote`.
 *
 * @throws {ScriptError} if options are missing or contradict each other
 */
export function readRemote(values: Partial<Remote> & { remote?: boolean }): Remote | undefined {
  const { remote, stage, region, service } = values;
  if (!remote && (stage ?? region ?? service) !== undefined)
    throw new ScriptError('--stage, --region and --service need --remote');
  if (!remote) return undefined;
  if (!stage) throw new ScriptError('A deployed function needs --stage');
  if (region !== undefined && !isRegion(region)) {
    throw new ScriptError(`--region takes ${REGION_ALLOWED}, not '${region}'`);
  }
  return { stage, region, service };
}

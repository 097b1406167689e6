import { isRegion, REGION_ALLOWED } from '#deploy/parameter-values.ts';
import { ScriptError } from '../arguments.ts';
import type { Remote } from './invoke.ts';

/** The options of scripts that call a deployed function. */
export const REMOTE_OPTIONS = {
  remote: { type: 'boolean', about: 'call the deployed function, with your AWS credentials; needs --stage' },
  stage: { type: 'string', value: '<stage>', about: 'stage of the deployment' },
  region: {
    type: 'string',
    value: '<region>',
    about: 'region of the deployment; default: that of the environment or profile',
  },
} as const;

/**
 * The deployment to call; undefined without `--remote`.
 *
 * @throws {ScriptError} if options are missing or contradict each other
 */
export function readRemote(values: { remote?: boolean; stage?: string; region?: string }): Remote | undefined {
  const { remote, stage, region } = values;
  if (!remote && (stage ?? region) !== undefined) throw new ScriptError('--stage and --region need --remote');
  if (!remote) return undefined;
  if (!stage) throw new ScriptError('A deployed function needs --stage');
  if (region !== undefined && !isRegion(region)) {
    throw new ScriptError(`--region takes ${REGION_ALLOWED}, not '${region}'`);
  }
  return { stage, region };
}

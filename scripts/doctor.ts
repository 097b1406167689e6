import { readArguments, ScriptError, stop } from './arguments.ts';
import { examineDeployment } from './doctor/deployment.ts';
import { examineSecret } from './doctor/secret.ts';
import { print, type Section } from './doctor/print.ts';
import { isRegion, REGION_ALLOWED } from '#deploy/parameter-values.ts';

/*
 * npm run doctor -- --secret FILE: checks a connector configuration against the real tenant and the real Redis, from this
 * machine; with --remote --stage, a deployment. Ends with 0, 1 if a check failed, or 2 if one warned.
 */

const { values } = readArguments({
  command: 'npm run doctor',
  about: 'Checks a configuration, or with --remote a deployment, step by step; says what to do about each fault.',
  options: {
    secret: { type: 'string', value: '<file>', about: 'a configuration to try from this machine, before any AWS' },
    remote: { type: 'boolean', about: 'a deployment, with your AWS credentials; needs --stage' },
    stage: { type: 'string', value: '<stage>', about: 'stage of the deployment' },
    region: { type: 'string', value: '<region>', about: 'region of the deployment' },
    'config-ref': { type: 'string', value: '<names>', about: 'comma list of configurations; default: default' },
    'business-entity': { type: 'string', value: '<id>', about: 'business entity to look at, for example c360.person' },
  },
  examples: [
    'npm run doctor -- --secret secret.json --business-entity c360.person',
    'npm run doctor -- --remote --stage prod --region eu-central-1',
  ],
  notes: 'Ends with 0 if every check passed, 1 if one failed, and 2 if one warned. It only reads.',
});

try {
  const { secret, remote, stage, region, 'business-entity': businessEntity } = values;
  const configRefs = (values['config-ref'] ?? 'default').split(',');
  if ((secret === undefined) === !remote)
    throw new ScriptError('Give either --secret <file> or --remote --stage <stage>');
  if (remote && stage === undefined) throw new ScriptError('A deployment needs --stage');
  if (!remote && (stage ?? region ?? values['config-ref']) !== undefined)
    throw new ScriptError('--stage, --region and --config-ref need --remote');
  if (region !== undefined && !isRegion(region))
    throw new ScriptError(`--region takes ${REGION_ALLOWED}, not '${region}'`);
  const examined: AsyncIterable<Section> = secret
    ? examineSecret(secret, businessEntity)
    : examineDeployment({ stage: stage!, region }, configRefs, businessEntity);
  process.exit(await print(examined));
} catch (error) {
  stop(error);
}

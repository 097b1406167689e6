import { resolve } from 'node:path';
import './build/import-lua.ts';
import { readArguments, ScriptError, stop } from './arguments.ts';
import { examineDeployment } from './doctor/deployment.ts';
import { print } from './doctor/print.ts';
import { writeRecording } from '#sandbox/mdm/recording/recording.ts';
import { readSecret } from './secret/read-secret.ts';
import { isRegion, REGION_ALLOWED } from '#deploy/parameter-values.ts';
import { SERVICE_OPTION } from './remote/options.ts';
import { readDeployment } from './remote/read-deployment.ts';

/*
 * npm run doctor -- --secret FILE: checks a connector configuration against the real tenant and the real Redis, from
 * this machine; with --remote --stage, a deployment. Ends with 0, 1 if a check failed, or 2 if one warned.
 */

const { values } = readArguments({
  command: 'npm run doctor',
  about: 'Checks a configuration, or with --remote a deployed stack, step by step; says what to do about each fault.',
  options: {
    secret: { type: 'string', value: '<file>', about: 'a configuration to try from this machine, before any AWS' },
    remote: { type: 'boolean', about: 'a deployment, with your AWS credentials; needs --stage' },
    stage: { type: 'string', value: '<stage>', about: 'stage of the deployment' },
    region: { type: 'string', value: '<region>', about: 'region of the deployment' },
    service: SERVICE_OPTION,
    'config-ref': { type: 'string', value: '<names>', about: "comma list of configurations; default: the stack's" },
    parameters: {
      type: 'string',
      value: '<file>',
      about: 'the parameters that the deployment should have; default: deploy/<stage>.yml, if it exists',
    },
    param: { type: 'string', multiple: true, value: '<name>=<value>', about: 'one of them' },
    record: { type: 'string', value: '<dir>', about: 'keep how the tenant answers, without values; with --secret' },
    write: {
      type: 'string',
      value: '<entity>',
      about: 'with --record: also submit, read, change and delete a record of this business entity',
    },
    compare: { type: 'string', value: '<dir>', about: 'say where a recorded tenant differs from the sandbox' },
    'business-entity': { type: 'string', value: '<id>', about: 'business entity to look at, for example c360.person' },
  },
  examples: [
    'npm run doctor -- --secret secret.json --business-entity c360.person',
    'npm run doctor -- --remote --stage prod --region eu-central-1',
    'npm run doctor -- --secret secret.json --record tenant --write c360.person',
    'npm run doctor -- --compare tenant',
  ],
  notes: 'Ends with 0 if every check passed, 1 if one failed, and 2 if one warned. It only reads, but for --write.',
});

const EITHER = 'Give either --secret <file> or --remote --stage <stage>';
const REMOTE_OPTIONS = ['stage', 'region', 'service', 'config-ref', 'parameters', 'param'] as const;

try {
  const code = await examine();
  process.exit(code);
} catch (error) {
  stop(error);
}

async function examine(): Promise<number> {
  checkOptions();
  const { secret: path, remote, stage, compare: recording } = values;
  if (remote) return print(examineRemote(stage!));
  const code = path === undefined ? 0 : await examineFile(path);
  if (recording === undefined) return code;
  const { compareRecording } = await import('./doctor/recording/compare-recording.ts'); // reads every handler
  return (await compareRecording(recording)) ? Math.max(code, code === 1 ? 1 : 2) : code;
}

/** Refuses options that do not go together. */
function checkOptions(): void {
  const { secret: path, remote, stage, region, record, write, compare: recording } = values;
  if (path !== undefined && remote) throw new ScriptError(EITHER);
  if (path === undefined && !remote && recording === undefined) throw new ScriptError(EITHER);
  if (remote && stage === undefined) throw new ScriptError('A deployment needs --stage');
  if (!remote && REMOTE_OPTIONS.some((name) => values[name] !== undefined))
    throw new ScriptError('--stage, --region, --service, --config-ref, --parameters and --param need --remote');
  if (region !== undefined && !isRegion(region))
    throw new ScriptError(`--region takes ${REGION_ALLOWED}, not '${region}'`);
  if (record !== undefined && path === undefined) throw new ScriptError('--record needs --secret');
  if (write !== undefined && record === undefined) throw new ScriptError('--write needs --record');
}

async function examineFile(path: string): Promise<number> {
  const { record, write, 'business-entity': businessEntity } = values;
  const secret = await readSecret(path);
  const { examineSecret } = await import('./doctor/secret.ts'); // its scripts need the import of Lua
  const code = await print(examineSecret(path, secret, businessEntity));
  if (record === undefined) return code;
  if (!secret.mdm) throw new ScriptError(`${path} has no mdm part to record`);
  const { recordTenant } = await import('./doctor/recording/record.ts');
  const recording = await recordTenant(secret.mdm, write);
  writeRecording(record, recording);
  console.log(
    `Recorded ${Object.keys(recording).join(', ')} in ${record}: shapes, no values. Read it before you share it.`,
  );
  return code;
}

function examineRemote(stage: string) {
  const {
    region,
    service,
    parameters,
    param = [],
    'config-ref': configRef,
    'business-entity': businessEntity,
  } = values;
  const expected = readDeployment({
    stage,
    region,
    service,
    commandLine: param,
    parameters: parameters && resolve(parameters),
  });
  return examineDeployment({ stage, region, service }, expected, { configRefs: configRef?.split(','), businessEntity });
}

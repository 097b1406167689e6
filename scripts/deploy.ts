import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { attempt, readArguments, ScriptError } from './arguments.ts';
import { accountOf } from './remote/account.ts';
import { deployedFunctions } from '#deploy/functions.ts';
import { LOCAL_STAGE } from '#deploy/names.ts';
import { runOnOwnNode } from './remote/own-node.ts';
import type { Deployment } from '#deploy/parameters.ts';
import { readParameters, type GivenParameters } from '#deploy/read-parameters.ts';
import { buildBundles } from './build/bundles.ts';

/*
 * npm run deploy -- --stage prod: checks the deployment, its region and its credentials, then builds, packages and
 * deploys its functions.
 */

const ROOT = join(import.meta.dirname, '..');
const SERVERLESS = join(ROOT, 'node_modules/serverless/bin/serverless.js');

const { values } = readArguments({
  command: 'npm run deploy',
  about: 'Checks, builds, packages and deploys the functions with their API, schedules and alarms.',
  options: {
    stage: { type: 'string', value: '<stage>', about: 'name of the deployment, such as prod' },
    region: { type: 'string', value: '<region>', about: "AWS region; default: the environment's, else eu-central-1" },
    param: { type: 'string', multiple: true, value: '<name>=<value>', about: 'a parameter of docs/deploy.md' },
    'dry-run': { type: 'boolean', about: 'stop before AWS is called; needs no credentials' },
  },
  examples: ['npm run deploy -- --stage prod --region eu-central-1 --param consumers=4'],
});

const { stage, param = [] } = values;
const region = values.region ?? (process.env.AWS_REGION || 'eu-central-1'); // as in serverless.yml
if (!stage) throw new ScriptError('Name the stage: npm run deploy -- --stage prod');
if (stage === LOCAL_STAGE) throw new ScriptError(`The stage ${LOCAL_STAGE} is that of npm start: choose another`);
const isDryRun = values['dry-run'] ?? false;
const deployment = deploymentOf(stage, param);
if (!isDryRun) {
  runOnOwnNode();
  const account = await accountOf(region);
  console.log(`Deploying ${deployment.service}-${stage} to account ${account} in ${region}`);
}
if (deployment.authorizer === 'none') {
  console.log('authorizer=none: anyone who knows the address of the API may call every deployed operation');
}
const deployed = deployedFunctions(deployment).map(({ name }) => name);
const directory = join('.build', 'deploy', stage); // not under .serverless: the framework copies that folder into it
const args = [
  ...['--stage', stage, '--package', directory],
  ...['--region', region],
  ...param.flatMap((pair) => ['--param', pair]),
];
buildBundles(deployed);
run(SERVERLESS, 'package', ...args);
if (isDryRun) console.log(`Packaged into ${directory}; nothing was deployed`);
else run(SERVERLESS, 'deploy', ...args);

/** Names every invalid parameter before anything is built. Packaging checks them too. */
function deploymentOf(stage: string, commandLine: string[]): Deployment {
  const file = parse(readFileSync(join(ROOT, 'serverless.yml'), 'utf8')) as Pick<GivenParameters, 'service'> & {
    params?: GivenParameters['blocks'];
  };
  const { service, params: blocks = {} } = file;
  return attempt(() => readParameters({ service, stage, region, commandLine, blocks }));
}

function run(...args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new ScriptError('Nothing further was done');
}

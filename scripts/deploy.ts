import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { attempt, readArguments, ScriptError } from './arguments.ts';
import { accountOf } from './remote/account.ts';
import { deployedFunctions } from '#deploy/functions.ts';
import { parametersOf } from '#deploy/deployed-parameters.ts';
import { LOCAL_STAGE } from '#deploy/names.ts';
import { changesOf, storedParametersOf } from '#deploy/parameter-changes.ts';
import { FILE_VARIABLE, readParametersFile } from '#deploy/parameters-file.ts';
import { deployedTemplate } from './remote/deployed-template.ts';
import { runOnOwnNode } from './remote/own-node.ts';
import { PARAMETER_NAMES, type Deployment } from '#deploy/parameters.ts';
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
    parameters: {
      type: 'string',
      value: '<file>',
      about: 'parameters as YAML; default: deploy/<stage>.yml, if it exists',
    },
    param: { type: 'string', multiple: true, value: '<name>=<value>', about: 'a parameter of docs/deploy.md' },
    reset: {
      type: 'string',
      multiple: true,
      value: '<name>',
      about: 'let a parameter of the deployed stack return to its default',
    },
    'dry-run': { type: 'boolean', about: 'stop before AWS is called; needs no credentials' },
  },
  examples: [
    'npm run deploy -- --stage prod --region eu-central-1 --param consumers=4',
    'npm run deploy -- --stage prod --parameters ../operations/prod.yml',
    'npm run deploy -- --stage prod --reset alarmTopicArn',
  ],
});

const { stage, param = [], reset = [] } = values;
const region = values.region ?? (process.env.AWS_REGION || 'eu-central-1'); // as in serverless.yml
if (!stage) throw new ScriptError('Name the stage: npm run deploy -- --stage prod');
if (stage === LOCAL_STAGE) throw new ScriptError(`The stage ${LOCAL_STAGE} is that of npm start: choose another`);
const isDryRun = values['dry-run'] ?? false;
const file = values.parameters === undefined ? undefined : resolve(values.parameters);
const unknown = reset.find((name) => !PARAMETER_NAMES.includes(name));
if (unknown !== undefined) throw new ScriptError(`--reset takes the name of a parameter, not '${unknown}'`);
const deployment = deploymentOf({ commandLine: param, file: attempt(() => readParametersFile(stage, file)) });
if (!isDryRun) {
  runOnOwnNode();
  const account = await accountOf(region);
  console.log(`Deploying ${deployment.service}-${stage} to account ${account} in ${region}`);
  await compareWithStack();
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
function deploymentOf({
  commandLine = [],
  file = {},
}: Partial<Pick<GivenParameters, 'commandLine' | 'file'>>): Deployment {
  const config = parse(readFileSync(join(ROOT, 'serverless.yml'), 'utf8')) as Pick<GivenParameters, 'service'> & {
    params?: GivenParameters['blocks'];
  };
  const { service, params: blocks = {} } = config;
  return attempt(() => readParameters({ service, stage: stage!, region, commandLine, file, blocks }));
}

/** Says what changes of the stack's parameters, and refuses to lose one that was given. */
async function compareWithStack(): Promise<void> {
  const { service } = deployment;
  const template = await deployedTemplate(`${service}-${stage}`, region);
  if (!template) return;
  const defaults = storedParametersOf(readParameters({ service, stage: stage!, commandLine: [], blocks: {} }), '');
  const changes = changesOf(parametersOf(template, defaults), storedParametersOf(deployment, ''));
  for (const { name, from = 'none', to = 'none' } of changes) console.log(`  ${name}: ${from} → ${to}`);
  const lost = changes.filter(({ name, isReset }) => isReset && !reset.includes(name)).map(({ name }) => name);
  if (lost.length === 0) return;
  throw new ScriptError(
    [
      `The stack was deployed with parameters that are not given now: ${lost.join(', ')}.`,
      `Give them again in deploy/${stage}.yml, with --parameters or with --param. To let them return to their defaults:`,
      lost.map((name) => `--reset ${name}`).join(' '),
    ].join('\n'),
  );
}

function run(...args: string[]): void {
  const env = { ...process.env, ...(file !== undefined && { [FILE_VARIABLE]: file }) };
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  if (status !== 0) throw new ScriptError('Nothing further was done');
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readArguments, ScriptError } from './arguments.ts';
import { accountOf } from './remote/account.ts';
import { deployedFunctions } from '#deploy/functions.ts';
import { LOCAL_STAGE } from '#deploy/names.ts';
import { changesOf, storedParametersOf } from '#deploy/parameter-changes.ts';
import { FILE_VARIABLE } from '#deploy/parameters-file.ts';
import { deployedTemplate } from './remote/deployed-template.ts';
import { readDeployment, storedParametersIn } from './remote/read-deployment.ts';
import { describePlan, planOf } from './remote/plan.ts';
import { findRegion, REGION_OPTION } from './remote/region.ts';
import { tagsOf } from '#deploy/tags.ts';
import { runOnMachineNode } from './remote/machine-node.ts';
import { PARAMETER_NAMES } from '#deploy/parameters.ts';
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
    region: REGION_OPTION,
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
    plan: { type: 'boolean', about: 'print what would be added, changed, replaced and removed; deploys nothing' },
    'dry-run': { type: 'boolean', about: 'stop before AWS is called; needs no credentials' },
  },
  examples: [
    'npm run deploy -- --stage prod --region eu-central-1 --param consumers=4',
    'npm run deploy -- --stage prod --parameters ../operations/prod.yml',
    'npm run deploy -- --stage prod --plan',
    'npm run deploy -- --stage prod --reset alarmTopicArn',
  ],
});

const { stage, param = [], reset = [] } = values;
if (!stage) throw new ScriptError('Name the stage: npm run deploy -- --stage prod');
if (stage === LOCAL_STAGE) throw new ScriptError(`The stage ${LOCAL_STAGE} is that of npm start: choose another`);
const region = await findRegion(values.region);
const { plan: isPlan = false, 'dry-run': isDryRun = false } = values;
const file = values.parameters === undefined ? undefined : resolve(values.parameters);
const unknown = reset.find((name) => !PARAMETER_NAMES.includes(name));
if (unknown !== undefined) throw new ScriptError(`--reset takes the name of a parameter, not '${unknown}'`);
const deployment = readDeployment({ stage, region, commandLine: param, parameters: file });
const { service } = deployment;
const stack = { name: `${service}-${stage}`, stage, region };
let isDeployedAlready = false;
if (!isDryRun) {
  runOnMachineNode();
  const account = await accountOf(region);
  console.log(`${isPlan ? 'Planning' : 'Deploying'} ${stack.name} to account ${account} in ${region}`);
  isDeployedAlready = await compareWithStack();
}
if (deployment.authorizer === 'none') {
  console.log('authorizer=none: anyone who knows the address of the API may call every deployed operation');
}
const deployed = deployedFunctions(deployment).map(({ name }) => name);
const directory = join('.build', 'deploy', stage); // not under .serverless: the framework copies that folder into it
const args = [
  '--stage',
  stage,
  '--package',
  directory,
  '--region',
  region,
  ...param.flatMap((pair) => ['--param', pair]),
];
buildBundles(deployed);
run(SERVERLESS, 'package', ...args);
if (isDryRun) console.log(`Packaged into ${directory}; nothing was deployed`);
else if (isPlan) await printPlan();
else run(SERVERLESS, 'deploy', ...args);

/** Prints what the packaged template would change. Nothing exists of a new stack, so AWS is not asked. */
async function printPlan(): Promise<void> {
  const template = readFileSync(join(ROOT, directory, 'cloudformation-template-update-stack.json'), 'utf8');
  if (!isDeployedAlready) {
    const { Resources } = JSON.parse(template) as { Resources: object };
    return console.log(`Nothing is deployed yet: the stack would have ${Object.keys(Resources).length} resources`);
  }
  const folder = `serverless/${service}/${stage}`;
  const tags = { STAGE: stack.stage, ...tagsOf(deployment) };
  const changes = await planOf({ stack: stack.name, region, template, tags, folder });
  console.log([...describePlan(changes), `${changes.length} resources would change; nothing was deployed`].join('\n'));
}

/**
 * Says what changes of the stack's parameters, and refuses to lose one that was given, or to update a stack in a state
 * that does not let it. Returns whether anything is deployed.
 */
async function compareWithStack(): Promise<boolean> {
  const template = await deployedTemplate(stack);
  if (!template) return false;
  const changes = changesOf(storedParametersIn(template, deployment), storedParametersOf(deployment));
  for (const { name, from = 'none', to = 'none' } of changes) console.log(`  ${name}: ${from} → ${to}`);
  const lost = changes.filter(({ name, isReset }) => isReset && !reset.includes(name)).map(({ name }) => name);
  if (lost.length === 0) return true;
  throw new ScriptError(
    [
      `The stack was deployed with parameters that are not given now: ${lost.join(', ')}.`,
      `Give them again in deploy/${stage}.yml, with --parameters or with --param.`,
      'To let them return to their defaults:',
      lost.map((name) => `--reset ${name}`).join(' '),
    ].join('\n'),
  );
}

function run(...args: string[]): void {
  const env = { ...process.env, ...(file !== undefined && { [FILE_VARIABLE]: file }) };
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  if (status !== 0) throw new ScriptError('Nothing further was done');
}

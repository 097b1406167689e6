import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { FILE_VARIABLE } from '#deploy/parameters-file.ts';
import { readArguments, ScriptError } from '../arguments.ts';
import { ROOT } from '../build/root.ts';
import { callOfGuide, readModule, synthesise, typesOfGuide, type Network } from './stack/construct.ts';
import { findingsIn, type Finding } from './stack/findings.ts';
import { planOf, understoodOf, variableOf } from './stack/terraform.ts';
import { ensureTools } from './stack/tools.ts';

/*
 * npm run prove -- stack: cdk-nag's packs and the validator of aws-cdk-lib on the packaged templates of several
 * deployments. Each finding has an answer in docs/security.md, by its id. Then it compares one deployment three ways:
 * by Serverless, by the CDK construct, by the Terraform module.
 */

const ACCOUNT = 'eu-central-1:123456789012';
const KEY = `arn:aws:kms:${ACCOUNT}:key/11111111-2222-3333-4444-555555555555`;

/** The deployments: the usual, one with everything that a strict account asks for, and a small one without an API. */
const DEPLOYMENTS = {
  usual: {},
  strict: {
    kmsKeyArn: KEY,
    logKmsKeyArn: KEY,
    tracing: 'on',
    authorizer: 'jwt',
    jwtIssuer: 'https://idp.example/t',
    jwtAudience: 'mdm',
    jwtScopes: 'mdm/write',
    defaultEndpoint: 'off',
    sharedSession: 'on',
    checkRate: 'rate(1 hour)',
    vpcSubnetIds: 'subnet-0a1b2c3d,subnet-0a1b2c3e',
    vpcSecurityGroupIds: 'sg-0a1b2c3d',
    consumers: 2,
    alarmTopicArn: `arn:aws:sns:${ACCOUNT}:on-call`,
    asyncFailureArn: `arn:aws:sqs:${ACCOUNT}:failures`,
    consumerReservedConcurrency: 10,
    apiReservedConcurrency: 5,
    corsOrigins: 'https://app.example',
    permissionsBoundary: 'arn:aws:iam::123456789012:policy/mdm-stream-boundary',
    redisIamArns: `arn:aws:elasticache:${ACCOUNT}:serverlesscache:mdm`,
  },
  networked: {
    kmsKeyArn: KEY,
    tracing: 'on',
    checkRate: 'rate(1 hour)',
    consumers: 2,
    configRefs: 'default,emea',
    vpcSubnetIds: 'subnet-0a1b2c3d,subnet-0a1b2c3e',
    vpcSecurityGroupIds: 'sg-0a1b2c3d',
    publicDocs: 'on',
    redisIamArns: `arn:aws:elasticache:${ACCOUNT}:serverlesscache:mdm`,
    consumerTargets: 'billing,orders-*,arn:aws:lambda:eu-west-1:210987654321:function:ledger',
    consumerMemory: 1024,
    consumerReservedConcurrency: 10,
    apiReservedConcurrency: 5,
    deadLetterTopicArn: `arn:aws:sns:${ACCOUNT}:letters`,
    otelLayerArn: 'arn:aws:lambda:eu-central-1:615299751070:layer:AWSOpenTelemetryDistroJs:9',
    layers: `arn:aws:lambda:${ACCOUNT}:layer:further:9`,
    environment: { OTEL_TRACES_SAMPLER: 'always_on' },
  },
  small: { operations: 'core,mdm-m*', httpApi: 'off', monitoring: 'off', consumerState: 'off' },
};

const { redisIamArns, consumerTargets, configRefs, layers, vpcSubnetIds, vpcSecurityGroupIds, ...given } =
  DEPLOYMENTS.networked;

/** The deployment `networked` but for its network, with values as CDK and Terraform have them. */
const NETWORKED = {
  ...given,
  stage: 'networked',
  tracing: true,
  publicDocs: true,
  redisIamArns: [redisIamArns],
  consumerTargets: consumerTargets.split(','),
  configRefs: configRefs.split(','),
  layers: [layers],
};

/** A value that is not allowed, for each kind of parameter. */
const WRONG = {
  kmsKeyArn: `arn:aws:kms:${ACCOUNT}:alias/mdm`,
  consumers: 0,
  consumerRate: '1 minute',
  consumerMemory: 512.5,
  configRefs: ['EMEA'],
  consumerTargets: [],
  logRetentionInDays: 31,
  monitoring: 'some',
  operations: ['stream-consumer', 'stream-xad', 'mdm-x*'],
};

readArguments({
  command: 'npm run prove -- stack',
  about: 'Checks packaged templates with cdk-nag and the validator of aws-cdk-lib; takes minutes.',
  examples: ['npm run prove -- stack'],
});
ensureTools();
const answered = answersIn(readFileSync(join(ROOT, 'docs/security.md'), 'utf8'));
const found = new Map<string, string>();
for (const [name, parameters] of Object.entries(DEPLOYMENTS)) {
  const findings = findingsIn(packageFor(name, parameters));
  for (const finding of findings) found.set(finding.id, describe(name, finding));
  console.log(`${name}: ${findings.length} kinds of findings`);
}
await compareThreeWays();
const open = [...found].filter(([id]) => !answered.includes(id));
const outdated = answered.filter((id) => !found.has(id));
for (const [, text] of open) console.error(`No answer: ${text}`);
for (const id of outdated) console.error(`Answered, but not found any more: ${id}`);
if (open.length + outdated.length > 0) throw new ScriptError('docs/security.md does not answer what is found');
console.log(`Each of ${found.size} kinds of findings has an answer in docs/security.md`);

/** Synthesises the CDK construct, reads the Terraform module, and compares both with what Serverless packaged. */
async function compareThreeWays(): Promise<void> {
  const folder = join(ROOT, '.build/stack/networked');
  const assets = join(folder, 'package');
  writeFileSync(join(folder, 'cdk.json'), JSON.stringify(await synthesise(assets, networkedProps)));
  writeFileSync(join(ROOT, '.build/stack/terraform.json'), JSON.stringify(await readModule(join(ROOT, 'terraform'))));
  const plan = await planOf(terraformVariables(assets));
  writeFileSync(join(ROOT, '.build/stack/plan.json'), JSON.stringify(plan ?? null));
  if (!plan) console.log('Neither OpenTofu nor Terraform plans the module here: it is read alone');
  const wrongProps = (network: Network) => ({ ...networkedProps(network), ...WRONG });
  const faults = {
    cdk: await refusalOf(synthesise(assets, wrongProps)),
    terraform: (await understoodOf({ ...terraformVariables(assets), ...asVariables(WRONG) }))?.faults,
    right: (await understoodOf(terraformVariables(assets)))?.faults,
  };
  writeFileSync(join(ROOT, '.build/stack/faults.json'), JSON.stringify(faults));
  const operations = DEPLOYMENTS.small.operations.split(',');
  const some = {
    cdk: await synthesise(assets, (network) => ({ ...networkedProps(network), operations })),
    terraform: (await understoodOf({ ...terraformVariables(assets), operations }))?.deployed,
  };
  writeFileSync(join(ROOT, '.build/stack/some.json'), JSON.stringify(some));
  const guides = { cdk: await typesOfGuide(assets), terraform: await callOfGuide() };
  writeFileSync(join(ROOT, '.build/stack/guides.json'), JSON.stringify(guides));
  const args = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', 'test/stack'];
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, STACK: '1' },
  });
  if (status !== 0) throw new ScriptError('Serverless, CDK and Terraform do not deploy the same');
}

/** The deployment as properties of the construct. */
function networkedProps(network: Network): object {
  return { ...NETWORKED, ...network(vpcSubnetIds.split(',')) };
}

/** The same deployment, as variables of the Terraform module. */
function terraformVariables(assets: string): object {
  const network = { subnetIds: vpcSubnetIds.split(','), securityGroupIds: [vpcSecurityGroupIds] };
  return asVariables({ ...NETWORKED, ...network, assets });
}

function asVariables(values: object): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [variableOf(name), value as unknown]));
}

/** The faults that the message of a failure names, each in a line of its own. */
async function refusalOf(made: Promise<unknown>): Promise<string[]> {
  return made.then(
    () => [],
    (error: Error) => error.message.split('\n- ').slice(1),
  );
}

/** The template of a deployment; its folder holds the zips. */
function packageFor(name: string, parameters: object): string {
  const folder = join(ROOT, '.build/stack', name);
  const file = join(folder, 'parameters.yml');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, stringify(parameters));
  const args = ['package', '--stage', name, '--region', 'eu-central-1', '--package', join(folder, 'package')];
  const { status, stdout, stderr } = spawnSync('serverless', args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, [FILE_VARIABLE]: file },
  });
  if (status !== 0) throw new ScriptError(`${name} cannot be packaged:\n${stdout}${stderr}`);
  return join(folder, 'package/cloudformation-template-update-stack.json');
}

/** The ids that the page answers, of these packs and of the validator. */
function answersIn(page: string): string[] {
  const [, table = ''] = /<!-- findings: npm run prove -- stack -->([^]*?)<!-- \/findings -->/.exec(page) ?? [];
  return [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, id]) => id!),
  );
}

function describe(deployment: string, { id, description, resources }: Finding): string {
  return `${id} in ${deployment}: ${description.slice(0, 200)} (${resources.slice(0, 3).join(', ')})`;
}

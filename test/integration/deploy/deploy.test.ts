import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { startAwsEndpoint } from '../../support/aws/aws-endpoint.ts';
import { BUCKET_ALONE } from '../../support/aws/deployed-stack.ts';
import { use } from '../../support/jest/use.ts';
import { BARE_ENVIRONMENT } from '../../support/bare-environment.ts';

/*
 * `npm run deploy` from beginning to end, in a checkout of its own: it builds, and other tests use the bundles of this
 * one. The framework and its AWS SDK are the real ones; STS, CloudFormation, S3 and Lambda are a local endpoint.
 */

/** What a deployment asks AWS first. */
const ASKED = ['STS GetCallerIdentity', 'CloudFormation DescribeStacks'];
const OPERATIONS = 'stream-xadd,stream-consumer';
const checkout = mkdtempSync(join(tmpdir(), 'a checkout-'));

for (const part of [
  'functions',
  'lib',
  'deploy',
  'sandbox',
  'scripts',
  'events',
  'docs',
  'package.json',
  'package-lock.json',
  'serverless.yml',
  'functions.yml',
  'tsconfig.json',
]) {
  cpSync(part, join(checkout, part), { recursive: true });
}
symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
const aws = await use(startAwsEndpoint());
afterAll(() => rmSync(checkout, { recursive: true }));

interface Call {
  script?: 'deploy' | 'remove';
  args?: string[];
  env?: Record<string, string | undefined>;
}

async function deploy({ script = 'deploy', args = [], env: more = {} }: Call = {}) {
  aws.calls.length = 0;
  const env = {
    ...BARE_ENVIRONMENT,
    NODE_COMPILE_CACHE: join(checkout, '.compiled'),
    HOME: checkout,
    AWS_ENDPOINT_URL: aws.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    SLS_AWS_MONITORING_FREQUENCY: '50',
    ...more,
  };
  const params = script === 'deploy' ? ['--param', `operations=${OPERATIONS}`] : [];
  const command = [`scripts/${script}.ts`, '--stage', 'prod', ...params, ...args];
  const child = spawn(process.execPath, command, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, printed: out + err };
}

const typesIn = () => Object.values(aws.template()!.Resources).map(({ Type }) => Type);

describe('faults that npm run deploy finds before it builds', () => {
  afterEach(() => expect(existsSync(join(checkout, 'dist'))).toBe(false));

  it('npm run deploy refuses missing credentials before it builds', async () => {
    const env = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' };

    expect(await deploy({ env })).toMatchObject({
      code: 1,
      printed: expect.stringMatching(
        /AWS does not accept the credentials of this shell in eu-central-1: CredentialsProviderError/,
      ),
    });
    expect(aws.calls).toEqual([]);
  });

  it.each([
    [
      'a region that AWS does not have',
      { AWS_REGION: 'eu-centrl-1' },
      /region eu-centrl-1 must be a region that AWS has/,
    ],
    ['no region at all', { AWS_REGION: '' }, /^Name the region of the deployment: --region/m],
  ])('npm run deploy refuses %s before it builds', async (_, env, message) => {
    expect(await deploy({ env })).toMatchObject({ code: 1, printed: expect.stringMatching(message) });
    expect(aws.calls).toEqual([]);
  });

  it('npm run deploy refuses a Node.js on this machine that is too old', async () => {
    const old = join(checkout, 'old-node');
    writeFileSync(old, '#!/bin/sh\necho v20.20.2\n', { mode: 0o755 });

    expect(await deploy({ env: { npm_node_execpath: old } })).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/machine's own Node.js, and v20.20.2 is older than 22.18/),
    });
  });
});

describe('npm run deploy, before it builds', () => {
  afterEach(() => expect(existsSync(join(checkout, 'dist'))).toBe(false));

  it('npm run deploy refuses to drop parameters of a 1.0.0 stack, and names each of them', async () => {
    const older = await startAwsEndpoint();
    older.deployed(JSON.parse(gunzipSync(readFileSync('test/fixtures/template-1.0.0.json.gz')).toString()) as never);

    const { code, printed } = await deploy({ env: { AWS_ENDPOINT_URL: older.url }, args: ['--reset', 'consumers'] });
    await older.close();

    expect([code, printed]).toEqual([
      1,
      expect.stringContaining('  vpcSubnetIds: subnet-0a1b2c3d,subnet-0a1b2c3e → none'),
    ]);
    expect(printed).toContain('  operations: * → stream-xadd,stream-consumer');
    const [, lost] = /parameters that are not given now: (.*)\.$/m.exec(printed)!;
    expect(lost!.split(', ')).toEqual(
      expect.arrayContaining(['permissionsBoundary', 'alarmTopicArn', 'schedules', 'tags']),
    );
    expect(lost!.split(', ')).not.toContain('consumers');
    expect(older.calls).toEqual([...ASKED, 'CloudFormation GetTemplate']);
  });

  it('npm run deploy says what to do about a stack that CloudFormation does not update', async () => {
    const broken = await startAwsEndpoint();
    broken.deployed(BUCKET_ALONE, 'ROLLBACK_COMPLETE');

    const { code, printed } = await deploy({ env: { AWS_ENDPOINT_URL: broken.url } });
    await broken.close();

    expect([code, printed]).toEqual([1, expect.stringContaining('The stack mdm-stream-prod is in ROLLBACK_COMPLETE')]);
    expect(broken.calls).toEqual(ASKED);
  });

  it('npm run deploy names a missing parameters file, and an unknown parameter of --reset', async () => {
    expect(await deploy({ args: ['--parameters', 'none.yml'] })).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/none.yml cannot be read: ENOENT/),
    });
    expect(await deploy({ args: ['--reset', 'vpc'] })).toMatchObject({
      code: 1,
      printed: expect.stringContaining("--reset takes the name of a parameter, not 'vpc'"),
    });
  });
});

describe('the region of a deployment', () => {
  const credentials = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' };
  const config = join(checkout, 'aws-config');
  writeFileSync(config, '[profile emea]\nregion = eu-west-3\n');
  const ofProfile = { AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: config, AWS_PROFILE: 'emea' };
  const both = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2', ...ofProfile };

  it.each([
    ['the option', ['--region', 'us-east-1'], both, 'us-east-1'],
    ['AWS_REGION', [], both, 'eu-west-1'],
    ['AWS_DEFAULT_REGION', [], { ...both, AWS_REGION: '' }, 'eu-west-2'],
    ['that of the profile', [], { ...ofProfile, AWS_REGION: undefined }, 'eu-west-3'],
  ])('the region of a deployment is %s, and removing the stack uses the same', async (_, args, env, region) => {
    const { printed } = await deploy({ args, env: { ...credentials, ...env } });
    const removed = await deploy({ script: 'remove', args, env: { ...credentials, ...env } });

    expect(printed).toContain(`the credentials of this shell in ${region}: `);
    expect(removed.printed).toContain(`the credentials of this shell in ${region}: `);
  });
});

describe('npm run deploy', () => {
  it('npm run deploy packages everything in a dry run without calling AWS', async () => {
    const { code, printed } = await deploy({ args: ['--dry-run'] });

    expect([code, printed]).toEqual([0, expect.stringMatching(/Packaged into \S+prod; nothing was deployed/)]);
    expect(printed).toMatch(/^Bundled 2 functions into dist\/ in \d+ s$[^]*^Bundling 2 functions… .* 2 of 2$/m);
    expect(aws.calls).toEqual([]);
    expect(readdirSync(join(checkout, '.build/deploy/prod'))).toEqual(
      expect.arrayContaining(['stream-xadd.zip', 'stream-consumer.zip', 'cloudformation-template-update-stack.json']),
    );
    expect(readdirSync(join(checkout, 'dist')).sort()).toEqual(['stream-consumer', 'stream-xadd']);
  }, 400_000);

  it('npm run deploy creates the stack, uploads the packages, and says where the functions are', async () => {
    writeFileSync(join(checkout, 'deploy/prod.yml'), 'consumers: 3\ntags: { team: master-data }\n');
    const { code, printed } = await deploy();

    expect([code, printed]).toEqual([0, expect.stringContaining('Service deployed to stack mdm-stream-prod')]);
    expect(printed).toContain('Deploying mdm-stream-prod to account 123456789012 in eu-central-1');
    expect(aws.calls).toEqual(
      expect.arrayContaining([
        'CloudFormation CreateChangeSet',
        'CloudFormation ExecuteChangeSet',
        'CloudFormation UpdateTerminationProtection',
      ]),
    );
    const uploaded = [...aws.objects.keys()].map((key) => key.split('/').at(-1));
    expect(uploaded).toEqual(expect.arrayContaining(['stream-xadd.zip', 'stream-consumer.zip']));
    expect(typesIn()).toEqual(expect.arrayContaining(['AWS::Lambda::Function', 'AWS::Scheduler::Schedule']));
    expect(typesIn().filter((type) => type === 'AWS::Lambda::Function')).toHaveLength(2);
    expect(typesIn().filter((type) => type === 'AWS::Scheduler::Schedule')).toHaveLength(3);
  }, 400_000);

  it('npm run deploy -- --plan prints what would be added, changed, replaced and removed', async () => {
    const changed = aws.template()!;
    const [schedule] = Object.entries(changed.Resources).find(([, { Type }]) => Type === 'AWS::Scheduler::Schedule')!;
    const deployed = structuredClone(changed);
    Reflect.deleteProperty(deployed.Resources, schedule);
    deployed.Resources.Old = { Type: 'AWS::SQS::Queue', Properties: {} };
    deployed.Resources.StreamDashxaddLambdaFunction!.Properties.FunctionName = 'another';
    const other = await startAwsEndpoint();
    other.deployed(deployed);

    const { code, printed } = await deploy({ env: { AWS_ENDPOINT_URL: other.url }, args: ['--plan'] });
    await other.close();

    expect([code, printed]).toEqual([0, expect.stringContaining('Planning mdm-stream-prod to account 123456789012')]);
    const lines = printed
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => line.trim());
    expect(lines[0]).toMatch(/^REPLACES AWS::Lambda::Function StreamDashxaddLambdaFunction: .*FunctionName/);
    expect(lines[1]).toBe('removes AWS::SQS::Queue Old');
    expect(lines).toContain(`adds AWS::Scheduler::Schedule ${schedule}`);
    expect(printed).toMatch(/\d+ resources would change; nothing was deployed/);
    expect(other.template()).toEqual(deployed);
    expect(other.calls).toContain('CloudFormation DeleteChangeSet');
    expect(other.calls).not.toContain('CloudFormation ExecuteChangeSet');
    const [, kept] = other.calls.find((call) => call.startsWith('S3 PUT'))!.split('S3 PUT ');
    expect(kept).toMatch(/^serverless\/mdm-stream\/prod\/plans\//);
    expect([...other.objects.keys()]).toEqual([]);
  }, 400_000);

  it("npm run deploy refuses to reset what the stage's file sets, and says what else would change", async () => {
    writeFileSync(join(checkout, 'deploy/prod.yml'), 'logLevel: debug\n');
    const { code, printed } = await deploy();

    expect([code, printed]).toEqual([1, expect.stringContaining('  consumers: 3 → 1\n')]);
    expect(printed).toContain('  logLevel: info → debug\n');
    expect(printed).toMatch(/are not given now: consumers, tags\.$[^]*^--reset consumers --reset tags$/m);
    expect(aws.calls).toEqual([...ASKED, 'CloudFormation GetTemplate']);
  });
});

describe('serverless rollback', () => {
  const guide = readFileSync('docs/upgrade.md', 'utf8');
  const [command] = /^MDM_STREAM_PARAMETERS=\S+ npx serverless rollback .*$/m.exec(guide) ?? [''];

  async function serverless(args: string[], env: Record<string, string>) {
    const program = ['node_modules/serverless/bin/serverless.js', ...args];
    const child = spawn(process.execPath, program, {
      cwd: checkout,
      env: {
        ...BARE_ENVIRONMENT,
        HOME: checkout,
        AWS_ENDPOINT_URL: aws.url,
        SLS_AWS_MONITORING_FREQUENCY: '50',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, printed: out + err };
  }

  it('returns to a kept deployment without a build, and keeps the tags of the stack, as the guide has it', async () => {
    const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
    const kept = structuredClone(aws.template()!);
    aws.deployed({ ...kept, Resources: {} });
    rmSync(join(checkout, 'dist'), { recursive: true });
    rmSync(join(checkout, 'deploy/prod.yml'));
    writeFileSync(join(checkout, 'parameters.yml'), 'tags: { team: master-data }\n');

    const list = await serverless(['deploy', 'list', '--stage', 'prod', '--region', 'eu-central-1'], credentials);
    const [, timestamp = ''] = /Timestamp: (\d+)/.exec(list.printed) ?? [];
    const args = command.split(' ').slice(3).with(-1, timestamp);
    const { code, printed } = await serverless(args, { ...credentials, MDM_STREAM_PARAMETERS: 'parameters.yml' });

    expect([code, printed]).toEqual([0, expect.stringContaining('Service rolled back to timestamp')]);
    expect(aws.template()).toEqual(kept);
    expect(aws.tags()).toMatchObject({ 'mdm-stream:stack': 'mdm-stream-prod', team: 'master-data' });
    expect(existsSync(join(checkout, 'dist'))).toBe(false);
  }, 400_000);
});

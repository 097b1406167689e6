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
import { use } from '../../support/jest/use.ts';

/*
 * `npm run deploy` from beginning to end, in a checkout of its own: it builds, and other tests use the bundles of this
 * one. The framework and its AWS SDK are the real ones; STS, CloudFormation, S3 and Lambda are a local endpoint.
 */

const OPERATIONS = 'stream-xadd,stream-consumer';
const checkout = mkdtempSync(join(tmpdir(), 'checkout-'));

for (const part of [
  ...['functions', 'lib', 'deploy', 'sandbox', 'scripts', 'events', 'docs', 'package.json', 'package-lock.json'],
  ...['serverless.yml', 'functions.yml', 'tsconfig.json'],
]) {
  cpSync(part, join(checkout, part), { recursive: true });
}
symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
const aws = await use(startAwsEndpoint());
afterAll(() => rmSync(checkout, { recursive: true }));

async function deploy({ args = [], env: more = {} }: { args?: string[]; env?: Record<string, string> } = {}) {
  aws.calls.length = 0;
  const env = {
    ...{ PATH: process.env.PATH, HOME: checkout, AWS_ENDPOINT_URL: aws.url, AWS_REGION: 'eu-central-1' },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', SLS_AWS_MONITORING_FREQUENCY: '50' },
    ...more,
  };
  const command = ['scripts/deploy.ts', '--stage', 'prod', '--param', `operations=${OPERATIONS}`, ...args];
  const child = spawn(process.execPath, command, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, printed: out + err };
}

const typesIn = () => Object.values(aws.template()!.Resources).map(({ Type }) => Type);

describe('what npm run deploy says no to, before it builds', () => {
  afterEach(() => expect(existsSync(join(checkout, 'dist'))).toBe(false));

  it('credentials that are missing', async () => {
    const env = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' };

    expect(await deploy({ env })).toMatchObject({
      code: 1,
      printed: expect.stringMatching(
        /AWS does not accept the credentials of this shell in eu-central-1: CredentialsProviderError/,
      ),
    });
    expect(aws.calls).toEqual([]);
  });

  it('a Node.js of the machine that is too old', async () => {
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

  it('refuses to drop what a stack of 1.0.0 was deployed with, and names each parameter', async () => {
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
    expect(older.calls).toEqual(['STS GetCallerIdentity', 'CloudFormation GetTemplate']);
  });

  it('names a parameters file that is missing, and a name that --reset does not know', async () => {
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

describe('npm run deploy', () => {
  it('stops before AWS is called in a dry run, with everything packaged', async () => {
    const { code, printed } = await deploy({ args: ['--dry-run'] });

    expect([code, printed]).toEqual([0, expect.stringMatching(/Packaged into \S+prod; nothing was deployed/)]);
    expect(printed).toMatch(/^Bundled 2 functions into dist\/ in \d+ s$[^]*^Bundling 2 functions… .* 2 of 2$/m);
    expect(aws.calls).toEqual([]);
    expect(readdirSync(join(checkout, '.build/deploy/prod'))).toEqual(
      expect.arrayContaining(['stream-xadd.zip', 'stream-consumer.zip', 'cloudformation-template-update-stack.json']),
    );
    expect(readdirSync(join(checkout, 'dist')).sort()).toEqual(['stream-consumer', 'stream-xadd']);
  }, 400_000);

  it('creates the stack, uploads what was packaged, and says where the functions are', async () => {
    writeFileSync(join(checkout, 'deploy/prod.yml'), 'consumers: 3\ntags: { team: master-data }\n');
    const { code, printed } = await deploy();

    expect([code, printed]).toEqual([0, expect.stringContaining('Service deployed to stack mdm-stream-prod')]);
    expect(printed).toContain('Deploying mdm-stream-prod to account 123456789012 in eu-central-1');
    expect(aws.calls).toEqual(
      expect.arrayContaining([
        ...['CloudFormation CreateChangeSet', 'CloudFormation ExecuteChangeSet'],
        'CloudFormation UpdateTerminationProtection',
      ]),
    );
    const uploaded = [...aws.objects.keys()].map((key) => key.split('/').at(-1));
    expect(uploaded).toEqual(expect.arrayContaining(['stream-xadd.zip', 'stream-consumer.zip']));
    expect(typesIn()).toEqual(expect.arrayContaining(['AWS::Lambda::Function', 'AWS::Scheduler::Schedule']));
    expect(typesIn().filter((type) => type === 'AWS::Lambda::Function')).toHaveLength(2);
    expect(typesIn().filter((type) => type === 'AWS::Scheduler::Schedule')).toHaveLength(3);
  }, 400_000);

  it('refuses to reset what the file of the stage gave, and says what else changes', async () => {
    writeFileSync(join(checkout, 'deploy/prod.yml'), 'logLevel: debug\n');
    const { code, printed } = await deploy();

    expect([code, printed]).toEqual([1, expect.stringContaining('  consumers: 3 → 1\n')]);
    expect(printed).toContain('  logLevel: info → debug\n');
    expect(printed).toMatch(/are not given now: consumers, tags\.$[^]*^--reset consumers --reset tags$/m);
    expect(aws.calls).toEqual(['STS GetCallerIdentity', 'CloudFormation GetTemplate']);
  });
});

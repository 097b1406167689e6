import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { createDocumentedUser } from '../../support/redis/documented-user.ts';
import { healthyStack, startDeployedStack } from '../../support/aws/deployed-stack.ts';
import { startContainer } from '../../support/aws/container.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { use } from '../../support/jest/use.ts';

const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
const lambda = await use(startContainer(stack.secrets));
await createDocumentedUser(redis, 'functions', 'secret');
const url = redis.url.replace('//', '//functions:secret@');
afterEach(() => stack.mdm.behave());
afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const { AWS_ENDPOINT_URL_SECRETS_MANAGER: _url, CONNECTOR_SECRET_PREFIX: _prefix, ...rest } = process.env;
    const options = { env: { ...rest, NO_COLOR: '1', ...env }, timeout: 60_000 };
    execFile(process.execPath, ['scripts/doctor.ts', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

function fileOf(secret: unknown): string {
  const path = join(folder, 'secret.json');
  writeFileSync(path, typeof secret === 'string' ? secret : JSON.stringify(secret));
  return path;
}

describe('npm run doctor -- --secret', () => {
  it('npm run doctor -- --secret exits with 0 if tenant and Redis are healthy, and writes to neither', async () => {
    const secret = {
      mdm: { ...stack.mdm.secret, sessionStore: 'redis' },
      redis: { url },
      access: { operations: ['mdm-search'] },
    };
    const { code, output } = await run(['--secret', fileOf(secret), '--business-entity', 'c360.city']);

    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(output).toMatch(/✓ business-entity City; source systems: /);
    expect(output).toMatch(/✓ rights +The user functions may do what \d+ operations need/);
    expect(output).not.toMatch(/secret@|failed/);
    expect(await redis.command('KEYS', '*')).toEqual([]);
  });

  it('npm run doctor -- --secret exits with 1 if a check failed, and says why', async () => {
    const mdm = { ...stack.mdm.secret, auth: { ...(stack.mdm.secret.auth as object), password: 'wrong-password' } };
    const { code, output } = await run(['--secret', fileOf({ mdm, redis: { url } })]);

    expect(code).toBe(1);
    expect(output).toMatch(/✗ login .*refused/);
    expect(output).toMatch(/– search +Not checked, because login failed/);
    expect(output).toMatch(/✓ connection/);
    expect(output).not.toContain('wrong-password');
  });

  it('npm run doctor -- --secret exits with 2 if a check only warned, and says what to do', async () => {
    await redis.command('CONFIG', 'SET', 'maxmemory', '500mb', 'maxmemory-policy', 'volatile-lru');
    const { code, output } = await run(['--secret', fileOf({ redis: { url } })]);
    await redis.command('CONFIG', 'SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction');

    expect(code).toBe(2);
    expect(output).toMatch(/! memory .*volatile-lru.*\n +→ Set maxmemory-policy to noeviction/);
    expect(output).not.toContain('The master data API');
  });

  it('npm run doctor -- --secret names every fault of a file before it connects anywhere', async () => {
    const before = stack.mdm.requests.length;
    const { code, output } = await run([
      '--secret',
      fileOf({ mdm: { ...stack.mdm.secret, timeoutMs: 'x' }, redis: {} }),
    ]);

    expect(code).toBe(1);
    expect(output).toMatch(/\/mdm\/timeoutMs must be an integer[\s\S]*\/redis\/url is required/);
    expect(stack.mdm.requests.length).toBe(before);
  });

  it('npm run doctor -- --secret says that a file without mdm and redis has nothing to check', async () => {
    const { code, output } = await run(['--secret', fileOf({})]);

    expect([code, /✗ file It has neither an mdm nor a redis part/.test(output)]).toEqual([1, true]);
  });
});

describe('npm run doctor -- --remote', () => {
  it('npm run doctor -- --remote shows the checks of the deployed functions, for each configuration', async () => {
    stack.secrets.set('test/emea', { mdm: stack.mdm.secret, redis: { url: `redis://127.0.0.1:${await freePort()}` } });
    stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url } });
    const aws = await startDeployedStack({ operations: 'core' }, () => ({
      ...healthyStack(),
      invoke: (name, payload) => lambda.invoke(name, payload),
    }));
    const env = { AWS_ENDPOINT_URL: aws.url, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
    const options = ['--remote', '--stage', 'prod', '--region', 'eu-central-1', '--config-ref', 'default,emea,absent'];
    const { code, output } = await run(options, env);
    await aws.close();

    expect(code).toBe(1);
    const [healthy, broken, absent] = output.split(/^(?=The master data API, configRef)/m).slice(1);
    expect(healthy).toMatch(/configRef default[\s\S]*✓ search[\s\S]*✓ dead-letters/);
    expect(healthy).not.toContain('✗');
    expect(broken).toMatch(/configRef emea[\s\S]*✓ search[\s\S]*✗ connection/);
    expect(absent).toMatch(/✗ secret .*names no connector configuration/);
  });

  it.each([
    [[], /^Give either --secret <file> or --remote --stage <stage>/],
    [['--secret', 'a', '--remote'], /^Give either/],
    [['--remote'], /^A deployment needs --stage/],
    [
      ['--secret', 'a', '--stage', 'prod'],
      /^--stage, --region, --service, --config-ref, --parameters and --param need --remote/,
    ],
  ])('npm run doctor %j prints one sentence and exits with 1', async (args, sentence) => {
    const { code, output } = await run(args);

    expect(code).toBe(1);
    expect(output.trim()).toMatch(sentence);
    expect(output.trim().split('\n').length).toBe(1);
  });
});

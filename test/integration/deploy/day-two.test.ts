import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { estimate } from '#deploy/cost/estimate.ts';
import prices from '#deploy/cost/prices.json' with { type: 'json' };
import { SIZES } from '#deploy/cost/sizes.ts';
import { startLambdaEndpoint, type LambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { BARE_ENVIRONMENT } from '../../support/bare-environment.ts';

const work = mkdtempSync(join(tmpdir(), 'day-two-'));
afterAll(() => rmSync(work, { recursive: true }));

async function script(name: string, args: string[], env: Record<string, string | undefined> = {}) {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...args], { env: { ...BARE_ENVIRONMENT, ...env } });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { out, err, code: child.exitCode };
}

describe('npm run secret -- new', () => {
  const file = join(work, 'new-secret.json');

  it("npm run secret -- new writes the guide's configuration, which is valid, for its owner alone", async () => {
    const { code, out } = await script('secret', ['new', file]);
    const [, sample] = /^```json\n([^]*?)^```/m.exec(readFileSync('docs/deploy.md', 'utf8'))!;

    expect([code, out.trim()]).toEqual([0, expect.stringMatching(/^\S+ is written: replace its addresses/)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(sample!));
    expect(JSON.parse(sample!)).toMatchObject({ ingest: { consumer: { trim: true } } });
    expect(await script('secret', ['check', file])).toMatchObject({ code: 0, err: '' });
  });

  it('npm run secret -- new overwrites nothing', async () => {
    writeFileSync(file, 'mine');

    expect(await script('secret', ['new', file])).toMatchObject({ code: 1, err: expect.stringMatching(/ exists\n$/) });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describe('npm run secret -- check', () => {
  const check = (contents: string) => {
    const file = join(work, 'secret.json');
    writeFileSync(file, contents);
    return script('secret', ['check', file]);
  };

  it('npm run secret -- check accepts a valid configuration', async () => {
    const auth = { type: 'login-v3', loginUrl: 'https://idp.example', username: 'u', password: 'hunter2' };

    expect(await check(JSON.stringify({ mdm: { auth }, redis: { url: 'rediss://u:p@host:6379' } }))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/secret.json is valid/),
    });
  });

  it('npm run secret -- check names every fault on its own line, without its value', async () => {
    const { err, code } = await check(
      '{"mdm": {"auth": {"type": "session"}}, "redis": {"url": "http://u:hunter2@host"}, "redsi": {}}',
    );

    const [title, ...faults] = err.trim().split('\n');
    expect([code, title]).toEqual([1, expect.stringMatching(/secret.json is invalid:$/)]);
    for (const pointer of ['/mdm/auth/sessionId', '/redis/url', '/redsi'])
      expect(faults).toContainEqual(expect.stringMatching(`^- ${pointer} `));
    expect(err).not.toContain('hunter2');
  });

  it('npm run secret -- check says that a file is not JSON without repeating it', async () => {
    const { err, code } = await check('{"password": "hunter2"');

    expect([code, err.trim()]).toEqual([1, expect.stringMatching(/secret.json is not JSON \(line 1 column 23\)$/)]);
  });

  it.each([
    ['an empty file', '', 1, /secret.json is empty: npm run secret -- new /],
    ['a file without mdm and redis', '{}', 1, /secret.json has neither an mdm nor a redis part/],
    [
      'an operation that does not exist',
      '{"redis": {"url": "rediss://h"}, "access": {"operations": ["stream-*", "mdm-serach"]}}',
      1,
      /^- \/access\/operations\/1 matches no operation$/m,
    ],
    ['a password with a #', '{"redis": {"url": "rediss://u:pa#ss@h:6379"}}', 1, /^- \/redis\/url .*write # as %23$/m],
    ['a byte order mark', '\uFEFF{"redis": {"url": "rediss://u:pa%23ss@h:6379"}}', 0, /^$/],
  ])('npm run secret -- check names %s', async (_, text, exitCode, message) => {
    const { err, code } = await check(text);

    expect([code, err.trim()]).toEqual([exitCode, expect.stringMatching(message)]);
  });
});

describe('npm run status -- --remote', () => {
  it('npm run status -- --remote shows the status of a deployed stack as a table', async () => {
    const lambda = await startLambdaEndpoint();
    const row = {
      stream: 'source-submit:0',
      group: 'mdm',
      length: 5,
      lag: 2,
      oldestUnreadMs: 450,
      pending: 1,
      oldestPendingMs: null,
      run: 'idle',
      pausedUntil: null,
      breaker: 'closed',
      restMs: 0,
      ratePerSecond: null,
      deadLetters: [{ count: 2, errorType: 'MDM:CLIENT_ERROR', reason: '/record must be JSON' }],
    };
    lambda.respond = () => ({ returns: [row] });

    const { out, err, code } = await script('status', ['--remote', '--stage', 'prod', '--group', 'mdm'], {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_LAMBDA: lambda.url,
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    await lambda.close();

    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/source-submit:0 +5 +mdm +2 +450 ms +1 +– +idle +closed +– +2/);
    expect(out).toContain('/record must be JSON');
    expect(lambda.invocations).toMatchObject([
      { name: 'mdm-stream-prod-stream-status', payload: { group: 'mdm', configRef: 'default' } },
    ]);
  });

  it.each([
    [['--remote'], 'A deployed function needs --stage'],
    [['--stage', 'prod'], '--stage, --region and --service need --remote'],
    [['--remote', '--stage', 'prod', '--redis-url', 'redis://localhost'], 'Give --remote or --redis-url, not both'],
  ])('npm run status refuses %j', async (args, message) => {
    expect(await script('status', args)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  });
});

describe('npm run invoke -- --remote', () => {
  let lambda: LambdaEndpoint;
  beforeAll(async () => {
    lambda = await startLambdaEndpoint();
  });
  afterAll(() => lambda.close());

  const invoke = (...args: string[]) =>
    script('invoke', ['--remote', '--stage', 'prod', ...args], {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_LAMBDA: lambda.url,
    });

  it("npm run invoke -- --remote invokes the stage's function", async () => {
    const { code } = await invoke('stream-xack', '{"key":"k","group":"g","ids":["1-1"]}');

    expect(code).toBe(0);
    expect(lambda.invocations.at(-1)).toMatchObject({
      name: 'mdm-stream-prod-stream-xack',
      payload: { key: 'k', group: 'g', ids: ['1-1'] },
    });
  });

  it('npm run invoke -- --remote --service invokes the function of a deployment with another first name', async () => {
    const { code } = await invoke('--service', 'orders', 'stream-xlen', '{"key":"k"}');

    expect([code, lambda.invocations.at(-1)?.name]).toEqual([0, 'orders-prod-stream-xlen']);
  });

  it("npm run invoke -- --remote fails with the function's error, or with AWS's", async () => {
    lambda.respond = () => ({ functionError: { errorType: 'STREAM:COMMAND', errorMessage: 'no group' } });
    expect(await invoke('stream-xack', '{}')).toMatchObject({ code: 1, err: 'STREAM:COMMAND: no group\n' });

    lambda.respond = () => ({ status: 404, error: 'ResourceNotFoundException' });
    expect(await invoke('stream-xack', '{}')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^There is no function stream-xack of this stage in this region: check --stage and --region, and the operations/,
      ),
    });
  });

  it.each([
    ['a region', { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined }, /^Name the region of the deployment: /],
    [
      'credentials',
      { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined },
      /^AWS credentials are missing: /,
    ],
  ])('npm run invoke -- --remote says in one sentence that it needs %s', async (_, env, message) => {
    const nowhere = {
      AWS_CONFIG_FILE: '/none',
      AWS_SHARED_CREDENTIALS_FILE: '/none',
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    const shell = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

    const { code, err } = await script('invoke', ['--remote', '--stage', 'prod', 'stream-xack', '{}'], {
      ...shell,
      ...nowhere,
      ...env,
    });

    expect([code, err.trim().split('\n')]).toEqual([1, [expect.stringMatching(message)]]);
  });

  it("npm run invoke -- --remote requires a payload instead of using the contract's example", async () => {
    expect(await invoke('stream-redrive')).toMatchObject({ code: 1, err: expect.stringMatching(/payload of yours/) });
  });
});

it('npm scripts say in one sentence that Node is too old, before they are read', () => {
  const pretend = (version: string) =>
    spawnSync(process.execPath, [
      '-e',
      `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./scripts/check-node.cjs')`,
    ]);

  const old = pretend('20.20.2');

  expect([old.status, String(old.stderr).trim().split('\n')]).toEqual([
    1,
    [expect.stringMatching(/^Node 20\.20\.2 is too old: this project needs 22\.18 or newer\. Install Node 24/)],
  ]);
  expect(pretend('22.17.0').status).toBe(1);
  expect(pretend('22.18.0').status).toBe(0);
});

it('every npm script that runs TypeScript checks Node first', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const running = Object.entries(scripts).filter(([, command]) => /node [\w/-]+\.ts/.test(command));

  expect(running.length).toBeGreaterThan(0);
  expect(running.filter(([, command]) => !command.startsWith('node scripts/check-node.cjs && '))).toEqual([]);
});

describe('npm run cost', () => {
  it('npm run cost counts every part, and more use costs more', () => {
    const [small, medium, large] = [SIZES.small, SIZES.medium, SIZES.large].map((use) => estimate(use));
    const total = (costs = small) => costs!.reduce((sum, { usd }) => sum + usd, 0);
    const parts = large!.map(({ part }) => part).join();

    for (const part of [
      'Lambda',
      'HTTP API',
      'Logs',
      'Metrics',
      'Alarms',
      'Secrets',
      'KMS',
      'NAT',
      'endpoints',
      'ElastiCache',
    ]) {
      expect(parts).toContain(part);
    }
    expect(total(small)).toBeLessThan(total(medium));
    expect(total(medium)).toBeLessThan(total(large));
  });

  it('npm run cost takes prices from a dated file that an operator can replace', async () => {
    const file = join(work, 'prices.json');
    writeFileSync(
      file,
      JSON.stringify({
        ...prices,
        asOf: '2031-01-01',
        regions: { mars: { ...prices.regions['us-east-1'], dashboard: 1000 } },
      }),
    );

    const { out } = await script('cost', ['--size', 'small', '--prices', file, '--region', 'mars']);

    expect(out).toMatch(/Dashboard +1000\.00/);
    expect(out).toContain('Prices of mars, USD, as of 2031-01-01');
  });

  it.each(['eu-central-1', 'us-east-1'] as const)(
    'npm run cost shows the price of each kind of monitoring in %s',
    (region) => {
      const total = (monitoring: 'off' | 'basic' | 'full') =>
        estimate(SIZES.small, prices.regions[region], monitoring).reduce((sum, { usd }) => sum + usd, 0);

      expect(total('basic')).toBeLessThanOrEqual(10);
      expect(total('off')).toBeLessThan(total('basic'));
      expect(total('full')).toBeGreaterThan(2 * total('basic'));
    },
  );

  it('npm run cost charges for the scheduler once its free invocations are used up', () => {
    const use = { ...SIZES.large, consumers: 50, configRefs: 10 };

    expect(estimate(use, prices.regions['us-east-1']).find(({ part }) => part === 'Scheduler')!.usd).toBeCloseTo(
      (50 * 10 * 730 * 60) / 1e6 - 14,
      1,
    );
  });
});

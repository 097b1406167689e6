import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The file that each npm script of ours runs, last of its commands. */
const files = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /(?:^|&& )node ((?:scripts|test)\/[\w./-]+\.ts)(?: --[\w-]+)*$/.exec(command)?.[1];
  return file ? [[name, file] as const] : [];
});
const NONE = '65535'; // nothing of ours listens there
const compiled = mkdtempSync(join(tmpdir(), 'compiled-')); // each script starts more than once
afterAll(() => rmSync(compiled, { recursive: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(file: string, args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
  const { REDIS_URL: _redis, CONNECTOR_SECRET_PREFIX: _prefix, ...rest } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file, ...args],
      { env: { ...rest, NODE_COMPILE_CACHE: compiled, ...env }, timeout: 200_000 },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr: withoutWarnings(stderr) }),
    );
  });
}

const withoutWarnings = (text: string) => text.replaceAll(/^\(.*Warning:.*\n|^\(Use `node --trace.*\n/gm, '').trim();

it('every npm script of ours is in the table', () => {
  expect(files.map(([name]) => name)).toEqual(
    expect.arrayContaining(['start', 'test', 'generate', 'build', 'invoke', 'types', 'consumer', 'chaos', 'bench', 'load', 'simulate', 'mcp']), // prettier-ignore
  );
});

describe.each(files)('npm run %s', (name, file) => {
  it('says how it is used, with an example, and ends with 0', async () => {
    const { code, stdout, stderr } = await run(file, ['--help']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      name === 'start' || name === 'test' ? `npm ${name}` : new RegExp(`npm run (--silent )?${name}`),
    );
    expect(stdout).toMatch(/^Examples?:\n {2}\S/m);
  });

  if (name === 'test') return; // its arguments are jest's
  it('refuses an option that it does not know in one sentence, and ends with 1', async () => {
    const { code, stdout, stderr } = await run(file, ['--no-such-option']);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^.*--no-such-option.*--help$/);
  });
});

describe('bad values are one sentence, and 1', () => {
  it.each([
    ['scripts/start.ts', ['--records', 'many'], /^--records takes a whole number from 1 to \d+, not 'many'$/],
    ['scripts/start.ts', ['--port', '99999'], /^--port takes a whole number/],
    ['scripts/invoke.ts', [], /^Name a function: npm run invoke -- --help lists them$/],
    ['scripts/invoke.ts', ['stream-xfoo'], /^There is no function 'stream-xfoo'/],
    ['scripts/invoke.ts', ['stream-xadd', '{'], /^The payload is not JSON/],
    [
      'scripts/invoke.ts',
      ['stream-xadd', '--event', 'no/such/file'],
      /^The file no\/such\/file cannot be read \(ENOENT\)$/,
    ],
    ['scripts/invoke.ts', ['stream-xadd', '{}', '--event', 'x'], /^Give a payload or --event, not both$/],
    ['scripts/invoke.ts', ['stream-xadd', '--lambda-port', NONE], /^No Lambda endpoint .*npm start runs one$/],
    ['scripts/types.ts', ['--lambda-port', NONE], /^CLIENT:TRANSPORT: /],
    ['scripts/types.ts', ['--entity', 'c360.city', '--operation', 'write'], /^--operation takes one of master-read, /],
    ['scripts/types.ts', ['--entity', 'c360.city', '--lambda-port', NONE], /^CLIENT:TRANSPORT: /],
    ['scripts/consumer.ts', [], /^--status is needed/],
    ['scripts/consumer.ts', ['--status', 'orders', '--shards', '0'], /^--shards takes a whole number/],
    ['scripts/consumer.ts', ['--status', '--lambda-port', NONE], /^No Lambda endpoint/],
    ['scripts/consumer.ts', ['--status', 'x', '--redis-url', 'foo'], /^--redis-url must be an address such as redis:/],
    ['scripts/consumer.ts', ['--status', 'x', '--redis-url', 'redis://127.0.0.1:1'], /^Redis is out of reach$/],
    ['scripts/build.ts', ['--only', 'stream-xfoo'], /^There is no function 'stream-xfoo'$/],
    ['scripts/deploy.ts', [], /^Name the stage/],
    ['scripts/deploy.ts', ['--stage', 'local'], /^The stage local is that of npm start/],
    ['scripts/secret.ts', ['check', 'no/such/file'], /^no\/such\/file cannot be read$/],
    ['scripts/trace.ts', ['stream-xfoo'], /^There is no bundle dist\/stream-xfoo/],
    ['scripts/release.ts', ['1'], /^1 is not a version such as 1\.2\.3$/],
    ['scripts/release.ts', ['0.0.1'], /^0\.0\.1 is not later than /],
    ['scripts/pack.ts', ['--destination'], /^Option '--destination <value>' argument missing/],
    ['scripts/screenshots.ts', ['docs'], /^It takes no argument 'docs'/],
    ['scripts/cost.ts', ['many'], /^It takes no argument 'many'/],
    ['scripts/cost.ts', ['--size', 'huge'], /^--size takes one of /],
    ['scripts/test-servers.ts', ['--only', 'Redis 1'], /^--only takes one of /],
    ['scripts/mcp.ts', ['--url', 'nonsense'], /^--url takes an address/],
    ['test/chaos/chaos.ts', ['--scenario', 'flood'], /^--scenario takes one of /],
    ['test/bench/bench.ts', ['--only', 'speed'], /^--only takes one of /],
    ['test/simulation/simulate.ts', ['--rate', '-'], /^--rate takes a whole number/],
    ['test/load/load.ts', ['--clients', 'all'], /^--clients takes a whole number/],
  ])('%s %j', async (file, args, message) => {
    const { code, stdout, stderr } = await run(file, args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('\n');
  });

  it('npm run deploy names every parameter that does not fit, before it builds anything', async () => {
    const args = ['--stage', 'PROD', '--param', 'consumers=many', '--param', 'colour=red'];
    const { code, stdout, stderr } = await run('scripts/deploy.ts', args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^- stage is not allowed/m);
    expect(stderr).toMatch(/^- consumers is not allowed/m);
    expect(stderr).toMatch(/^- colour is no parameter/m);
  });

  it('REDIS_URL=nonsense npm start', async () => {
    const { code, stderr } = await run('scripts/start.ts', ['--port', '45671', '--lambda-port', '45672'], {
      REDIS_URL: 'nonsense',
    });

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'REDIS_URL must be an address such as redis://localhost:6379',
    });
  });
});

it('npm run simulate writes no file unasked, and draws where it is asked to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulate-'));
  const tracked = () => createHash('sha256').update(readFileSync('docs/consumer-day.svg')).digest('hex');
  const before = tracked();

  const { code } = await run('test/simulation/simulate.ts', ['--rate', '8', '--plot', join(folder, 'day.svg')]);

  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'day.svg'), 'utf8')).toContain('<svg');
  expect(tracked()).toBe(before);
  rmSync(folder, { recursive: true });
}, 240_000); // two days of the engine

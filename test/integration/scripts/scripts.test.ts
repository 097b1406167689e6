import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PROOFS } from '#scripts/check/proofs.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Other names: of `npm run prove -- interop`, and of `npm run status` as 1.0 promised it. */
const ALIASES = ['test:interop', 'consumer'];

/** The file that each npm script and each proof of ours runs, last of its commands, with its options of Node. */
const files = [
  ...Object.entries(scripts).filter(([name]) => name !== 'help' && !ALIASES.includes(name)),
  ...Object.entries(PROOFS).map(([name, { command }]) => [`prove -- ${name}`, command] as const),
].flatMap(([name, command]) => {
  const file = /(?:^|&& )node ((?:--[\w=./-]+ )*(?:scripts|test)\/[\w./-]+\.ts)(?: --[\w-]+)*$/.exec(command)?.[1];
  return file ? [[name, file] as const] : [];
});
const NONE = '65535'; // nothing of ours listens there

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(file: string, args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
  const { CONNECTOR_SECRET_PREFIX: _prefix, ...rest } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...file.split(' '), ...args],
      { env: { ...rest, ...env }, timeout: 200_000 },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr: withoutWarnings(stderr) }),
    );
  });
}

const withoutWarnings = (text: string) => text.replaceAll(/^\(.*Warning:.*\n|^\(Use `node --trace.*\n/gm, '').trim();

it('npm run help lists every npm script except aliases, and there are at most 20', async () => {
  const { stdout } = await run('scripts/help.ts', []);

  const listed = [...stdout.matchAll(/^ {2}([\w-]+) {2}/gm)].map(([, name]) => name);
  expect([...listed, 'help', ...ALIASES].sort()).toEqual(Object.keys(scripts).sort());
  expect(listed.length).toBeLessThan(20);
});

it('every npm script of this project is in the table', () => {
  expect(files.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'start',
      'test',
      'generate',
      'build',
      'invoke',
      'types',
      'status',
      'prove -- faults',
      'prove -- bench',
      'prove -- load',
      'prove -- simulate',
      'mcp',
      'doctor',
      'migrate',
    ]),
  );
});

it.each(files)('npm run %s says how it is used, with an example, and exits with 0', async (name, file) => {
  const { code, stdout, stderr } = await run(file, ['--help']);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    name === 'start' || name === 'test' ? `npm ${name}` : new RegExp(`npm run (--silent )?${name}`),
  );
  expect(stdout).toMatch(/^Examples?:\n {2}\S/m);
});

describe('invalid arguments', () => {
  it.each([
    ['scripts/start.ts', ['--records', 'many'], /^--records takes 1 to 10,000,000 \(a whole number\), not 'many'$/],
    ['scripts/start.ts', ['--records', '-5'], /^--records takes 1 to 10,000,000 \(a whole number\), not '-5'$/],
    ['scripts/start.ts', ['--records', '--once'], /^--records needs a value, <n>: see npm start -- --help$/],
    ['scripts/start.ts', ['--once=yes'], /^--once takes no value: see/],
    ['scripts/start.ts', ['--recrods', '5'], /^There is no option --recrods; there are --once, --records, /],
    ['scripts/start.ts', ['--port', '99999'], /^--port takes 1 to 65,535/],
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
    ['scripts/invoke.ts', ['stream-xlen', '{}', '--stage', 'prod'], /^--stage, --region and --service need --remote$/],
    [
      'scripts/invoke.ts',
      ['stream-xlen', '{}', '--remote', '--stage', 'prod', '--region', 'mars'],
      /^--region takes a region that AWS has, such as eu-central-1, not 'mars'$/,
    ],
    ['scripts/types.ts', ['--lambda-port', NONE], /^CLIENT:TRANSPORT: /],
    ['scripts/types.ts', ['--entity', 'c360.city', '--operation', 'write'], /^--operation takes one of master-read, /],
    ['scripts/types.ts', ['--entity', 'c360.city', '--lambda-port', NONE], /^CLIENT:TRANSPORT: /],
    ['scripts/status.ts', ['orders', '--shards', '0'], /^--shards takes 1 to 1,024/],
    ['scripts/status.ts', ['--lambda-port', NONE], /^No Lambda endpoint/],
    ['scripts/status.ts', ['x', '--redis-url', 'foo'], /^--redis-url must be an address such as redis:/],
    ['scripts/status.ts', ['x', '--redis-url', 'redis://127.0.0.1:1'], /^Redis is out of reach: /],
    [
      'scripts/build.ts',
      ['--only', 'stream-xfoo'],
      /^--only takes the name of a function such as stream-xadd, not 'stream-xfoo'$/,
    ],
    ['scripts/deploy.ts', [], /^Name the stage/],
    ['scripts/deploy.ts', ['--stage', 'local'], /^The stage local is that of npm start/],
    ['scripts/secret.ts', ['verify', 'secret.json'], /^The command is new or check, not 'verify'$/],
    ['scripts/secret.ts', ['check'], /^Name the file: npm run secret -- check <file>$/],
    ['scripts/secret.ts', ['check', 'LICENSE'], /^LICENSE is not JSON$/],
    ['scripts/secret.ts', ['check', 'no/such/file'], /^no\/such\/file cannot be read$/],
    ['scripts/trace.ts', ['stream-xfoo'], /^There is no bundle dist\/stream-xfoo/],
    ['scripts/release.ts', ['1'], /^1 is not a version such as 1\.2\.3$/],
    ['scripts/release.ts', ['0.0.1'], /^0\.0\.1 is not next after \d/],
    ['scripts/pack.ts', ['--destination'], /^--destination needs a value, <folder>: see/],
    ['scripts/screenshots.ts', ['docs'], /^It takes no argument 'docs'/],
    ['scripts/cost.ts', ['many'], /^It takes no argument 'many'/],
    ['scripts/cost.ts', ['--size', 'huge'], /^--size takes one of /],
    ['scripts/test-servers.ts', ['--only', 'Redis 1'], /^--only takes one of /],
    ['scripts/mcp.ts', ['--url', 'localhost:3000'], /^--url takes an address such as https:/],
    ['--import=./scripts/build/import-lua.ts test/faults/faults.ts', ['--worlds', 'all'], /^--worlds takes 1 to /],
    ['test/bench/bench.ts', ['--only', 'speed'], /^--only takes one of /],
    ['test/model/simulate.ts', ['--rate', '-'], /^--rate takes 1 to 100,000/],
    ['test/faults/load.ts', ['--clients', 'all'], /^--clients takes 1 to 10,000/],
  ])('a script prints one sentence and exits with 1: %s %j', async (file, args, message) => {
    const { code, stdout, stderr } = await run(file, args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('\n');
  });

  it('npm run deploy names every invalid parameter before it builds anything', async () => {
    const args = [
      '--stage',
      'PROD',
      '--region',
      'mars',
      '--param',
      'consumers=many',
      '--param',
      'colour=red',
      '--param',
      'vpc',
    ];
    const { code, stdout, stderr } = await run('scripts/deploy.ts', args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^- stage must be/m);
    expect(stderr).toMatch(/^- region mars must be a region that AWS has, such as eu-central-1$/m);
    expect(stderr).toMatch(/^- --param takes <name>=<value>, not 'vpc'$/m);
    expect(stderr).toMatch(/^- consumers must be/m);
    expect(stderr).toMatch(/^- colour is not known/m);
  });

  it('npm start refuses an invalid REDIS_URL in one sentence', async () => {
    const { code, stderr } = await run('scripts/start.ts', ['--port', '45671', '--lambda-port', '45672'], {
      REDIS_URL: 'nonsense',
    });

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'REDIS_URL must be an address such as redis://localhost:6379',
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';
import { faultsOfSecret } from '#lib/config/config.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';

/* What the guides of operators say to do, done on real servers, or read by what would read it. */

const guide = (name: string) => readFileSync(`docs/guides/${name}.md`, 'utf8');
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block]) => block!);

describe('the guide to a cluster', () => {
  let [before, after]: RedisServer[] = [];
  beforeAll(async () => {
    [before, after] = await Promise.all([startRedisServer(), startRedisServer()]);
  });
  afterAll(() => Promise.all([before!.stop(), after!.stop()]));

  it('the cluster guide has a valid secret', () => {
    for (const block of blocks(guide('move-to-a-cluster'), 'json')) {
      expect(faultsOfSecret(JSON.parse(block))).toEqual([]);
    }
  });

  it('the commands of the cluster guide copy a shard and its dead letters, groups and pending entries', async () => {
    const keys = ['source-submit:0', '{source-submit:0}:dead:mdm'];
    const [command] = /redis-cli -u .*/.exec(guide('move-to-a-cluster'))!;
    for (const key of keys) {
      for (const n of ['1-1', '2-1', '3-1']) await before!.command('XADD', key, n, 'n', n, 'bytes', '\u0000\r\nä');
      await before!.command('XGROUP', 'CREATE', key, 'mdm', '0');
      await before!.command('XREADGROUP', 'GROUP', 'mdm', 'c', 'COUNT', '2', 'STREAMS', key, '>');
      await before!.command('XACK', key, 'mdm', '1-1');
    }

    const copy = keys.map((key) => command.replaceAll('source-submit:0', `'${key}'`)).join('\n');
    const env = { PATH: process.env.PATH, OLD: before!.url, NEW: after!.url };
    await promisify(execFile)('bash', ['-euc', copy], { env });

    for (const key of keys) {
      for (const question of [
        ['XRANGE', key, '-', '+'],
        ['XINFO', 'GROUPS', key],
        ['XPENDING', key, 'mdm'],
      ]) {
        expect(await after!.command(...question)).toEqual(await before!.command(...question));
      }
    }
    const next = await after!.command('XREADGROUP', 'GROUP', 'mdm', 'c', 'STREAMS', keys[0]!, '>');
    expect(JSON.stringify(next)).toContain('3-1');
  });
});

describe('the guide to rotation', () => {
  it('the Redis password can be rotated as the guide says, under open connections', async () => {
    const steps = [...guide('rotate-credentials').matchAll(/`(?:ACL SETUSER connector )?([><])(\w+)-password`/g)];
    expect(steps.map(([, sign, which]) => `${sign}${which}`)).toEqual(['>new', '<old']);
    const server = await startRedisServer();
    const run = (...rules: string[]) => server.command('ACL', 'SETUSER', 'connector', ...rules);
    const auth = (password: string) =>
      server.command('AUTH', 'connector', password).then(
        () => true,
        () => false,
      );

    await run('on', '>old-password', '+@all', '~*');
    await run('>new-password');
    const during = [await auth('old-password'), await auth('new-password')];
    await run('<old-password');
    const later = [await server.command('PING'), await auth('old-password'), await auth('new-password')];
    await server.stop();

    expect(during).toEqual([true, true]);
    expect(later).toEqual(['PONG', false, true]);
  });

  it('the rotation guide has valid shell commands', async () => {
    for (const block of blocks(guide('rotate-credentials'), 'text')) {
      await promisify(execFile)('bash', ['-n', '-c', block]);
      expect(block).toMatch(/^(aws secretsmanager put-secret-value|npm run secret -- check)/);
    }
  });
});

it("the guide to your own Lambda has a deployable stage block, with a run's input", () => {
  const [block] = blocks(guide('your-own-lambda'), 'yaml');
  const params = parse(block!) as Record<string, Record<string, unknown>>;

  const deployment = readParameters({ service: 'mdm-stream', stage: 'prod', commandLine: [], blocks: params });

  expect(deployment.schedules).toHaveLength(1);
  const consumer = registry.find(({ name }) => name === 'stream-consumer')!;
  expect(validate(consumer.input, structuredClone(deployment.schedules[0]!.input))).toEqual([]);
});

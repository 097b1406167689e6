import { describe, expect, it } from '@jest/globals';
import type { CheckReport } from '#lib/contract/parameters/check.ts';
import { callStream } from '../../support/stream/call-stream.ts';
import { startRedisSentinel } from '../../support/redis/redis-sentinel.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

const sentinel = await use(startRedisSentinel({ password: 'of-the-servers' }));
const { url, name: sentinelName } = sentinel;
const redis = { mode: 'sentinel', url, nodes: ['redis://127.0.0.1:1', ...sentinel.nodes], sentinelName };
const secrets = await use(
  startSecretsManager({
    'test/default': { redis },
    'test/other': { redis: { ...redis, sentinelName: 'other' } },
  }),
);
const lambda = await use(startContainer(secrets));

const call = (operation: string, parameters: object) => callStream(lambda, 'HTTP', operation, parameters);
const add = (id = '*') => call('xadd', { key: 's', id, entry: { a: '1' } });

describe('under Sentinel', () => {
  it('an unknown sentinelName is named in the error', async () => {
    const { status, error } = await call('xadd', { configRef: 'other', key: 's', entry: { a: '1' } });

    expect(error).toEqual({ type: 'CONNECTOR:CONFIGURATION', message: 'No sentinel knows redis.sentinelName' });
    expect(status).toBe(500);
  });

  it('stream-check says that a Sentinel is none of the servers that it watches', async () => {
    secrets.set('test/mistaken', { redis: { url: sentinel.nodes[0] } });

    const { checks } = (await call('check', { configRef: 'mistaken' })).output as CheckReport;

    expect(checks.find(({ status }) => status === 'failed')).toMatchObject({
      name: 'server',
      hint: expect.stringContaining('needs redis.mode "sentinel"'),
    });
  });

  it('a call reaches the primary even if the first sentinel is unreachable', async () => {
    expect((await add('1-0')).output).toBe('1-0');
    expect(await sentinel.master.command('XLEN', 's')).toBe(1);
  });

  it('a call reaches the new primary after a failover, and adds each entry once', async () => {
    await until(async () => (await sentinel.replica.command('XLEN', 's')) === 1);

    await sentinel.master.kill();
    const { status, error } = await add('2-0');
    await until(async () => (await add('3-0')).status === 200);

    expect(status).toBe(503);
    expect(error?.type).toBe('STREAM:COMMAND');
    expect((await call('xrange', { key: 's', start: '-', end: '+' })).output).toEqual({
      '1-0': { a: '1' },
      '3-0': { a: '1' },
    });
  });
});

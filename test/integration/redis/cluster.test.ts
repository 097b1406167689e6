import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckReport } from '#lib/contract/parameters/check.ts';
import { readTrace, type FailedInvocation } from '#lib/core/problem.ts';
import { slotOf } from '#lib/redis/slot.ts';
import { callStream, type Outcome } from '../../support/stream/call-stream.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startTcpProxy } from '../../support/redis/tcp-proxy.ts';
import { moveSlot, startRedisCluster } from '../../support/redis/redis-cluster.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { shortest } from '../../support/shortest.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

const cluster = await use(startRedisCluster());
const secrets = await use(
  startSecretsManager({ 'test/default': { redis: { mode: 'cluster', nodes: cluster.nodes } } }),
);
const lambda = await use(startContainer(secrets));

const call = (operation: string, parameters: object): Promise<Outcome> =>
  callStream(lambda, 'HTTP', operation, parameters);
const PARTIAL = ['--cluster-require-full-coverage', 'no'];
const add = (key: string, id: string) => call('xadd', { key, id, entry: { a: id } });
const entryOf = (id: string) => ({ id, entry: { a: id } });

/** Keys in the slots of the first, the second and the third master. */
const keysOn = (name: string) => {
  const masterOf = (key: string) => Math.floor((slotOf(key) * 3) / 16_384);
  return [0, 1, 2].map((master) => {
    for (let at = 0; ; at++) if (masterOf(`${name}:${at}`) === master) return `${name}:${at}`;
  }) as [string, string, string];
};

describe('on a Redis Cluster', () => {
  it.each(['', 'orders', '{orders}:eu', '{}orders{eu}', '{{a}}', 'ключ', '}{', '{a'])(
    "the slot of %j is the server's",
    async (key) => {
      expect(slotOf(key)).toBe(await cluster.masters[0]!.command('CLUSTER', 'KEYSLOT', key));
    },
  );

  it('every command finds the node of its key', async () => {
    for (const key of [...keysOn('every'), '']) {
      expect((await call('xgroup-create', { key, group: 'g', mkstream: true, lastEntryId: '0' })).status).toBe(204);
      expect((await add(key, '1-0')).output).toBe('1-0');
      expect((await call('xrange', { key, start: '-', end: '+' })).output).toEqual({ '1-0': { a: '1-0' } });
      const streamWatermarks = [{ key, id: '>' }];
      expect((await call('xreadgroup', { group: 'g', consumer: 'c', streamWatermarks })).output).toEqual({
        [key]: [entryOf('1-0')],
      });
      expect((await call('xack', { key, group: 'g', ids: ['1-0'] })).output).toBe(1);
      expect((await call('xinfo-groups', { key })).output).toMatchObject([{ name: 'g', pending: 0 }]);
      expect((await call('xdel', { key, ids: ['1-0'] })).output).toBe(1);
      expect((await call('xtrim', { key, evictionOption: { maxLength: 0 } })).output).toBe(0);
      expect((await call('xgroup-destroy', { key, group: 'g' })).output).toBe(true);
      expect((await call('xread', { streamWatermarks: [{ key, id: '0' }] })).output).toEqual({});
    }
  });

  it('XREAD reads streams in several slots, in the order given', async () => {
    const keys = keysOn('several');
    for (const key of keys) await add(key, '1-0');
    await add(keys[1], '2-0');

    const { output } = await call('xread', { count: 1, streamWatermarks: keys.map((key) => ({ key, id: '0' })) });

    expect(Object.entries(output as object)).toEqual(keys.map((key) => [key, [entryOf('1-0')]]));
  });

  it('a blocking XREAD of several slots returns only what is added after the call, to any of them', async () => {
    const keys = keysOn('blocking');
    await add(keys[0], '1-0');
    const startedAt = performance.now();

    let isOver = false;
    const reading = call('xread', { block: 25_000, streamWatermarks: keys.map((key) => ({ key, id: '$' })) });
    void reading.finally(() => (isOver = true));
    for (let at = 2; !isOver; at++) {
      await sleep(100); // the call reads where the streams end
      await add(keys[2], `${at}-0`);
    }

    const { [keys[2]]: added = [], ...others } = (await reading).output as Record<string, { id: string }[]>;
    expect(others).toEqual({});
    expect(added).toEqual(added.map(({ id }) => entryOf(id)));
    expect(added.length).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeLessThan(20_000); // on a busy machine too
  });

  it('a blocking read of several slots ends in time', async () => {
    const streamWatermarks = keysOn('in-time').map((key) => ({ key, id: '$' }));

    const took = await shortest(async () => {
      expect((await call('xread', { block: 200, streamWatermarks })).output).toEqual({});
    });

    expect(took).toBeGreaterThanOrEqual(199);
    expect(took).toBeLessThan(10_000);
  });

  it('XREADGROUP delivers from several slots', async () => {
    const keys = keysOn('group');
    for (const key of keys) {
      await call('xgroup-create', { key, group: 'g', mkstream: true });
      await add(key, '3-0');
    }

    const streamWatermarks = keys.map((key) => ({ key, id: '>' }));
    const { output } = await call('xreadgroup', { group: 'g', consumer: 'c', block: 1000, streamWatermarks });

    expect(output).toEqual(Object.fromEntries(keys.map((key) => [key, [entryOf('3-0')]])));
  });

  it('a call follows a slot that moved to another primary', async () => {
    const [, key] = keysOn('moved');
    await add(key, '1-0');
    await call('xtrim', { key, evictionOption: { maxLength: 0 } });
    const to = (await cluster.masters[2]!.command('CLUSTER', 'MYID')) as string;
    await cluster.masters[1]!.command('DEL', key);

    for (const master of [2, 1, 0]) {
      await cluster.masters[master]!.command('CLUSTER', 'SETSLOT', String(slotOf(key)), 'NODE', to);
    }

    expect((await add(key, '2-0')).output).toBe('2-0');
    expect(await cluster.masters[2]!.command('XLEN', key)).toBe(1);
  });

  it('a command with several keys waits while their slot migrates', async () => {
    const [, , key] = keysOn('on-its-way');
    const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const keys = [`{${key}}:a`, `{${key}}:b`];
    for (const each of keys) await add(each, '1-0');
    let reading: Promise<Outcome> | undefined;
    const pause = async () => {
      const streamWatermarks = keys.map((each) => ({ key: each, id: '0' }));
      const isInTwo = Number(await third.command('EXISTS', ...keys).catch(() => 1)) === 1;
      if (isInTwo) reading ??= call('xread', { streamWatermarks });
      await sleep(200);
    };

    await moveSlot(slotOf(key), second, third, pause);

    expect(await reading).toMatchObject({ status: 200, output: { [keys[0]!]: [entryOf('1-0')] } });
  });

  it('a call fails with a typed error while its slot is migrating for long, and succeeds afterwards', async () => {
    const [, , key] = keysOn('half-way');
    const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const keys = [`{${key}}:a`, `{${key}}:b`];
    for (const each of keys) await add(each, '1-0');
    const streamWatermarks = keys.map((each) => ({ key: each, id: '0' }));
    const outcomes: Outcome[] = [];

    await moveSlot(slotOf(key), second, third, async () => outcomes.push(await call('xread', { streamWatermarks })));

    const refused = outcomes.find(({ status }) => status !== 200);
    expect(refused?.error).toEqual({ type: 'STREAM:COMMAND', message: expect.stringMatching(/^TRYAGAIN/) });
    expect((await call('xread', { streamWatermarks })).status).toBe(200);
  });

  it('an error names the master that is out of reach, not the first of the configured nodes', async () => {
    const [, , key] = keysOn('away');
    const [, , third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    expect((await call('xlen', { key })).status).toBe(200);

    await third.kill();
    const { status, error } = await call('xlen', { key });
    await third.start();

    expect(status).toBe(503);
    expect(error?.message).toContain(`127.0.0.1:${third.port}`);
    const failed = lambda.log.findLast((line) => line.includes('"message":"failed"'))!;
    expect(JSON.parse(failed)).toMatchObject({ causes: [expect.stringContaining('Error: ')] });
    await until(async () => (await call('xlen', { key })).status === 200);
  });

  /** A configuration by which the second and the third master are reached through proxies. */
  const throughProxies = async (configRef: string) => {
    const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const [toSecond, toThird] = [await startTcpProxy(second.port), await startTcpProxy(third.port)];
    const nodeAddressMap = {
      [`127.0.0.1:${second.port}`]: `127.0.0.1:${toSecond.port}`,
      [`127.0.0.1:${third.port}`]: `127.0.0.1:${toThird.port}`,
    };
    secrets.set(`test/${configRef}`, { redis: { mode: 'cluster', nodes: cluster.nodes, nodeAddressMap } });
    const lengthOf = (key: string, timeoutMs?: number) =>
      lambda.invoke('stream-xlen', { configRef, key }, { timeoutMs }).catch((error: unknown) => error);
    return { toSecond, toThird, lengthOf, close: () => Promise.all([toSecond.close(), toThird.close()]) };
  };

  it('a master that does not answer in time ends no command that another one is about to answer', async () => {
    const [, slow, silent] = keysOn('apart');
    const { toSecond, toThird, lengthOf, close } = await throughProxies('apart');
    for (const key of [slow, silent]) expect(await lengthOf(key)).toBe(0);

    toSecond.delay(3000);
    toThird.stall();
    const length = lengthOf(slow);
    expect(await lengthOf(silent, 1000)).toMatchObject({ errorType: 'STREAM:COMMAND' });

    expect(await length).toBe(0);
    toThird.pass();
    toSecond.delay(0);
    await until(async () => (await lengthOf(silent)) === 0);
    await close();
  });

  it('commands of a key keep their order while another master goes away', async () => {
    const [, slow, gone] = keysOn('in-order');
    const { toSecond, toThird, close } = await throughProxies('in-order');
    const addTo = (key: string, order: string) =>
      lambda.invoke('stream-xadd', { configRef: 'in-order', key, entry: { order } });
    for (const key of [slow, gone]) await addTo(key, 'before');

    toSecond.delay(1000);
    const first = addTo(slow, 'first');
    await toThird.close();
    await expect(addTo(gone, 'never')).rejects.toMatchObject({ errorType: 'STREAM:COMMAND' });
    toSecond.delay(0);
    await Promise.all([first, addTo(slow, 'second'), addTo(slow, 'third')]);

    const { output } = await call('xrange', { key: slow, start: '-', end: '+' });
    const orders = Object.values(output as Record<string, { order: string }>).map(({ order }) => order);
    expect(orders).toEqual(['before', 'first', 'second', 'third']);
    await close();
  });

  it('a call for a slot that no master has is refused, and served as soon as one has it', async () => {
    const partial = await startRedisServer({
      args: ({ otherPort }) => ['--cluster-enabled', 'yes', '--cluster-port', String(otherPort), ...PARTIAL],
    });
    await partial.command('CLUSTER', 'ADDSLOTSRANGE', '0', '8191');
    await until(async () => String(await partial.command('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    secrets.set('test/partial', { redis: { mode: 'cluster', nodes: [partial.url] } });
    const [served, , unserved] = keysOn('partial');
    const addTo = (key: string) =>
      lambda.invoke('stream-xadd', { configRef: 'partial', key, id: '1-0', entry: { a: '' } });

    expect(await addTo(served)).toBe('1-0');
    const refusal: unknown = await addTo(unserved).catch((error: unknown) => error);
    await partial.command('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383');

    expect(refusal).toMatchObject({ errorMessage: 'CLUSTERDOWN Hash slot not served' });
    expect(readTrace(refusal as FailedInvocation)).toMatchObject({ status: 503, outcome: 'refused', retryable: true });
    expect(await addTo(unserved)).toBe('1-0');
    await partial.stop();
  });

  it('a command without a key goes to the master that the call is about, not to any', async () => {
    const [, key] = keysOn('keyless');
    const [first, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    for (const server of [first, second, third]) {
      const right = server === second ? '+time' : '-time';
      await server.command('ACL', 'SETUSER', 'timed', 'reset', 'on', '>secret', '~*', '+@all', right);
    }
    const nodes = cluster.nodes.map((url) => url.replace(/\/\/.*@/, '//timed:secret@'));
    secrets.set('test/timed', { redis: { mode: 'cluster', nodes } });
    lambda.log.length = 0;

    for (let at = 0; at < 6; at++) await call('status', { configRef: 'timed', stream: key });

    expect(lambda.log.join('\n')).not.toContain('the clock of Redis is unknown');
  });

  it('stream-check looks at every master that has a shard, and names the one at fault', async () => {
    const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const user = ['ACL', 'SETUSER', 'checked', 'reset', 'on', '>secret', '~*', '+@all'];
    for (const server of [...cluster.masters, cluster.replica]) await server.command(...user);
    await second.command('CONFIG', 'SET', 'maxmemory', '500mb', 'maxmemory-policy', 'allkeys-lru');
    await third.command('CONFIG', 'SET', 'maxmemory', '500mb', 'maxmemory-policy', 'volatile-lru'); // a warning
    await third.command('ACL', 'SETUSER', 'checked', '-xack');
    const nodes = cluster.nodes.map((url) => url.replace(/\/\/.*@/, '//checked:secret@'));
    secrets.set('test/checked', { redis: { mode: 'cluster', nodes } });

    const { output } = await call('check', { configRef: 'checked' });
    for (const one of [second, third])
      await one.command('CONFIG', 'SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction');

    const { checks } = output as CheckReport;
    expect(checks.filter(({ status }) => status !== 'passed')).toMatchObject([
      { name: 'memory', status: 'failed', detail: expect.stringMatching(`^127.0.0.1:${second.port}: .*allkeys-lru$`) },
      { name: 'rights', status: 'failed', detail: expect.stringContaining(`127.0.0.1:${third.port}: `) },
    ]);
  });

  it('a call fails with a typed error while a primary is down, and succeeds after the failover', async () => {
    const [key] = keysOn('failover');
    await add(key, '1-0');
    await until(async () => Number(await cluster.replica.command('DBSIZE')) > 0);
    const range = () => call('xrange', { key, start: '-', end: '1' });

    await cluster.masters[0]!.kill();
    const { error, status } = await add(key, '2-0');
    await until(async () => (await add(key, '3-0')).status === 200);

    expect(error?.type).toBe('STREAM:COMMAND');
    expect(status).toBe(503);
    let found: Outcome | undefined;
    await until(async () => (found = await range()).status === 200); // soon every node knows of it
    expect(found?.output).toEqual({ '1-0': { a: '1-0' } });
  });
});

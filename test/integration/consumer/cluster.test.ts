import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { slotOf } from '#lib/redis/slot.ts';
import type { GroupStatus } from '#lib/contract/parameters/status.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { shardNames } from '#lib/consumer/scope.ts';
import type { Report } from '#lib/consumer/report.ts';
import type { RedisServer } from '#sandbox/redis/redis-server.ts';
import { startTcpProxy, type TcpProxy } from '../../support/redis/tcp-proxy.ts';
import { moveSlot, startRedisCluster } from '../../support/redis/redis-cluster.ts';
import { startLambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { use } from '../../support/jest/use.ts';
import { until } from '../../support/until.ts';
import { startContainer } from '../../support/aws/container.ts';

const SHARDS = 16;

const cluster = await use(startRedisCluster());
const mdm = await use(startSandboxMdm());
const endpoint = await use(startLambdaEndpoint());
const redis = { mode: 'cluster', nodes: cluster.nodes };
const secrets = await use(
  startSecretsManager({ 'test/default': { redis, mdm: mdm.secret, ingest: { shards: SHARDS } } }),
);
const lambda = await use(
  startContainer(secrets, { AWS_ENDPOINT_URL_LAMBDA: endpoint.url, CONNECTOR_CONSUMER_FUNCTION: 'consumer' }),
);

const source = { businessEntity: 'c360.city', sourceSystem: 'geonames' };

const consume = (stream: string, more: object = {}) =>
  lambda.invoke<Report>('stream-consumer', { stream, group: 'mdm', ...more }, { timeoutMs: 60_000 });

const third = cluster.masters[2]!;
const isOnThird = (key: string) => slotOf(key) >= 10_923;

/** The configRef of a secret by which the third master is reached through a proxy. */
function through(proxy: TcpProxy): string {
  const nodeAddressMap = { [`127.0.0.1:${third.port}`]: `127.0.0.1:${proxy.port}` };
  const proxied = { ...redis, nodeAddressMap, connectTimeoutMs: 3000, commandTimeoutMs: 3000 };
  secrets.set(`test/through-${proxy.port}`, { redis: proxied, mdm: mdm.secret });
  return `through-${proxy.port}`;
}

const status = () => lambda.invoke<GroupStatus[]>('stream-status', {});

describe('on a cluster', () => {
  const record = { name: 'Bonn', country: { Code: 'DE' }, population: 313125 };

  it('a batch spreads over shards on all nodes, wakes the consumer once, and is carried whole', async () => {
    const records = Array.from({ length: 500 }, (_, index) => ({ sourcePKey: `k${index}`, record }));
    const { ids } = await lambda.invoke<{ ids: object[] }>('mdm-source-enqueue-batch', { ...source, records });

    const rows = await status();
    const reports = await Promise.all(rows.map(({ stream }) => consume(stream)));

    expect([ids.length, rows.length, endpoint.invocations.length]).toEqual([500, SHARDS, 1]);
    expect(new Set(rows.map(({ stream }) => Math.floor(slotOf(stream) / 5462))).size).toBe(3);
    expect(reports.map(({ processed }) => processed)).toEqual(rows.map(({ length }) => length));
    expect(reports.reduce((sum, { processed }) => sum + processed, 0)).toBe(500);
    expect(reports.every(({ pending, lag }) => pending === 0 && lag === 0)).toBe(true);
  });

  it('stream-pause pauses and resumes shards on all nodes', async () => {
    await lambda.invoke('stream-pause', { forMs: 60_000 });
    const paused = await status();
    await lambda.invoke('stream-pause', { resume: true });

    expect(new Set(paused.map(({ run }) => run))).toEqual(new Set(['paused']));
    expect(new Set((await status()).map(({ run }) => run))).toEqual(new Set(['idle']));
  });

  it("a redrive on a cluster works in the stream's slot, except for superseded letters", async () => {
    const [stream, dead] = ['letters:0', '{letters:0}:dead:mdm'];
    const bury = (sourcePKey: string) =>
      lambda.invoke('stream-xadd', {
        key: dead,
        entry: { ...source, sourcePKey, record: '{}', 'dl-stream': stream, 'dl-group': 'mdm', 'dl-source-id': '5-0' },
      });
    await bury('old');
    await bury('alone');
    await lambda.invoke('stream-xadd', { key: stream, entry: { ...source, sourcePKey: 'old', record: '{}' } });

    const report = await lambda.invoke<object>('stream-redrive', { stream, group: 'mdm' });

    expect(report).toMatchObject({ redriven: 1, superseded: 1, remaining: 1 });
    expect(slotOf(deadLetterStreamOf(stream, 'mdm'))).toBe(slotOf(stream));
  });

  it('a redrive puts each dead letter back once while its slot moves to another node', async () => {
    const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const stream = ['a', 'b', 'c', 'd', 'e', 'f'].find((name) => slotOf(name) >= 5462)!;
    const notes = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(notes.map((note) => lambda.invoke('stream-xadd', { key: stream, entry: { note } })));
    await consume(stream);
    const redrive = () => lambda.invoke<{ redriven: number }>('stream-redrive', { stream, group: 'mdm' });
    const errors: unknown[] = [];

    let moved = 0;
    const pause = async () => moved++ > 0 && (await redrive().catch((error: unknown) => errors.push(error)));
    const owner = await moveSlot(slotOf(stream), second, third, pause);
    await redrive();

    const entries = (await owner.command('XRANGE', stream, '-', '+')) as [string, [string, string]][];
    expect(entries.map(([, [, note]]) => note).sort()).toEqual([...notes, ...notes].sort());
    expect(await owner.command('XLEN', deadLetterStreamOf(stream, 'mdm'))).toBe(0);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatchObject({ errorType: 'STREAM:COMMAND' });
  });

  it.each([
    ['before a run', 0],
    ['during a run', 500],
  ])(
    'a slot that begins to move to another node %s keeps its shard alone waiting, and no entry is processed twice',
    async (when, ms) => {
      const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
      const stream = `moving-${ms}`;
      const shards = shardNames(stream, 4);
      const moving = shards.find((shard) => slotOf(shard) >= 5462)!;
      const keys = shards.flatMap((shard, at) =>
        Array.from({ length: 20 }, (_, index) => [shard, `${at}-${ms}-${index}`]),
      );
      await Promise.all(
        keys.map(([key, sourcePKey]) =>
          lambda.invoke('stream-xadd', { key, entry: { ...source, sourcePKey, record: JSON.stringify(record) } }),
        ),
      );
      const run = () => consume(stream, { shards: 4, ratePerSecond: 40 });

      const first = run().catch((error: unknown) => error);
      await sleep(ms);
      let isBegun = false;
      await moveSlot(slotOf(moving), second, third, async () => {
        if (!isBegun) await Promise.race([first, sleep(3000)]);
        isBegun = true;
      });
      const failure = await first;
      const rows = await lambda.invoke<GroupStatus[]>('stream-status', { stream, shards: 4 });
      const report = await run();

      expect(failure).toMatchObject({ errorType: 'STREAM:COMMAND', errorMessage: expect.stringMatching(/^TRYAGAIN/) });
      const others = rows.filter((row) => row.stream !== moving);
      expect(others.map(({ pending, lag }) => [pending, lag])).toEqual(Array.from({ length: 3 }, () => [0, 0]));
      expect(report).toMatchObject({ deadLettered: 0, pending: 0, lag: 0, stoppedBecause: 'drained' });
      const ours = mdm.requests.flatMap(({ url }) => /\d-\d+-\d+/.exec(url)?.[0] ?? []);
      expect(ours.filter((key) => key.includes(`-${ms}-`)).sort()).toEqual(
        keys.map(([, sourcePKey]) => sourcePKey).sort(),
      );
    },
  );

  it.each([
    ['refuses connections', 'before a run'],
    ['refuses connections', 'during a run'],
    ['does not answer', 'before a run'],
    ['does not answer', 'during a run'],
  ])('a node that %s %s keeps its shards alone waiting, and no entry is lost or buried', async (how, when) => {
    let proxy = await startTcpProxy(third.port);
    const configRef = through(proxy);
    const names = Array.from({ length: 1000 }, (_, at) => `away-${proxy.port + at}`);
    const isMixed = (name: string) => new Set(shardNames(name, 8).map(isOnThird)).size === 2;
    const stream = names.find((name) => isMixed(name) && !isOnThird(name))!; // the rate has the slot of the name
    const shards = shardNames(stream, 8);
    const keys = shards.flatMap((shard, at) =>
      Array.from({ length: 10 }, (_, index) => [shard, `${stream}-${at}-${index}`] as const),
    );
    for (const [key, sourcePKey] of keys) {
      await lambda.invoke('stream-xadd', { key, entry: { ...source, sourcePKey, record: JSON.stringify(record) } });
    }
    const run = () => consume(stream, { configRef, shards: 8, ratePerSecond: 40, leaseMs: 6000 });
    const timesSent = () => {
      const sent = mdm.requests.flatMap(({ url }) => url.match(`${stream}-\\d+-\\d+`)?.[0] ?? []);
      return keys.map(([shard, key]) => ({ shard, times: sent.filter((each) => each === key).length }));
    };
    const breakOff = () => (how === 'does not answer' ? proxy.stall() : proxy.close());

    lambda.log.length = 0;
    if (when === 'before a run') await breakOff();
    const running = run().catch((error: unknown) => error);
    if (when === 'during a run') {
      await until(() => Promise.resolve(timesSent().filter(({ times }) => times > 0).length >= 5));
      await breakOff();
    }
    const failure = await running;
    const line = lambda.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ message }) => message === 'run');
    const sentByFirst = timesSent();
    proxy.cut();
    if (how === 'does not answer') proxy.pass();
    else proxy = await startTcpProxy(third.port, proxy.port);
    let report: Report | undefined;
    await until(async () => (report = await run()) !== undefined);
    await proxy.close();

    expect(failure).toMatchObject({ errorType: 'STREAM:COMMAND' });
    expect((failure as Error & { errorMessage: string }).errorMessage).toContain(`:${proxy.port}`);
    expect(line).toMatchObject({ lag: null }); // what waits there is not known
    const ofOthers = sentByFirst.filter(({ shard }) => !isOnThird(shard));
    expect(ofOthers.map(({ times }) => times)).toEqual(ofOthers.map(() => 1));
    expect(sentByFirst.some(({ times }) => times === 0)).toBe(true);
    expect(report).toMatchObject({ deadLettered: 0, pending: 0, lag: 0, stoppedBecause: 'drained' });
    for (const { shard, times } of timesSent()) {
      const mayRepeat = isOnThird(shard) && when === 'during a run'; // of what was not reported
      expect(mayRepeat ? Math.min(times, 1) : times).toBe(1);
    }
  });

  it('stream-pause pauses the shards on other nodes while one is away, and says how many it did not', async () => {
    const proxy = await startTcpProxy(third.port);
    const scope = { stream: 'half-paused', shards: 8, group: 'mdm' };
    const shards = shardNames(scope.stream, scope.shards);
    const configRef = through(proxy);
    await proxy.close();

    const failure: unknown = await lambda
      .invoke('stream-pause', { ...scope, configRef, forMs: 60_000 })
      .catch((error: unknown) => error);

    const count = shards.filter(isOnThird).length;
    const errorMessage: unknown = expect.stringMatching(`^${count} of 8 shards failed: .*127.0.0.1:${proxy.port}`);
    expect(failure).toMatchObject({ errorType: 'STREAM:COMMAND', errorMessage });
    const rows = await lambda.invoke<GroupStatus[]>('stream-status', scope);
    expect(rows.map(({ run }) => run)).toEqual(shards.map((shard) => (isOnThird(shard) ? 'idle' : 'paused')));
  });

  it('the consumer refuses a dead-letter stream in another slot', async () => {
    await expect(consume('poison:0', { deadLetterStream: 'elsewhere' })).rejects.toMatchObject({
      errorType: 'STREAM:ARGUMENT',
      errorMessage: '/deadLetterStream must be in the slot of stream',
    });
  });
});

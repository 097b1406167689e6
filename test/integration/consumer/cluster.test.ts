import { describe, expect, it } from '@jest/globals';
import { slotOf } from '../../../lib/redis/slot.ts';
import { deadLetterStreamOf } from '../../../lib/consumer/redis-keys.ts';
import type { Report } from '../../../lib/consumer/report.ts';
import type { RedisServer } from '../../../sandbox/redis/redis-server.ts';
import { moveSlot, startRedisCluster } from '../../support/redis/redis-cluster.ts';
import { startSandboxMdm } from '../../../sandbox/mdm/index.ts';
import { startSecretsManager } from '../../../sandbox/aws/secrets-manager.ts';
import { use } from '../../support/jest/use.ts';
import { startContainer } from '../../support/aws/container.ts';

const SHARDS = 6;

const cluster = await use(startRedisCluster());
const mdm = await use(startSandboxMdm());
const redis = { mode: 'cluster', nodes: cluster.nodes };
const secrets = await use(
  startSecretsManager({ 'test/default': { redis, mdm: mdm.secret, ingest: { shards: SHARDS } } }),
);
const lambda = await use(startContainer(secrets));

const consume = (stream: string, more: object = {}) =>
  lambda.invoke<Report>('stream-consumer', { stream, group: 'mdm', ...more }, { timeoutMs: 10_000 });

describe('on a cluster', () => {
  it('carries the shards, which lie on different nodes, each by itself', async () => {
    const record = { name: 'Bonn', country: { Code: 'DE' }, population: 313125 };
    const enqueue = (sourcePKey: string) =>
      lambda.invoke('mdm-source-enqueue', {
        businessEntity: 'c360.city',
        sourceSystem: 'geonames',
        sourcePKey,
        record,
      });
    await Promise.all(Array.from({ length: 60 }, (_, n) => enqueue(`cluster-${n}`)));

    const reports = await Promise.all(Array.from({ length: SHARDS }, (_, n) => consume(`source-submit:${n}`)));

    expect(reports.reduce((sum, { processed }) => sum + processed, 0)).toBe(60);
    expect(reports.every(({ pending, lag }) => pending === 0 && lag === 0)).toBe(true);
    expect(
      new Set(Array.from({ length: SHARDS }, (_, n) => Math.floor(slotOf(`source-submit:${n}`) / 5462))).size,
    ).toBe(3);
  });

  it('writes dead letters and puts them back in the slot of the stream', async () => {
    const stream = 'poison:0';
    await lambda.invoke('stream-xadd', { key: stream, entry: { note: 'no record' } });

    expect(await consume(stream)).toMatchObject({ deadLettered: 1, pending: 0 });
    expect(await lambda.invoke('stream-redrive', { stream, group: 'mdm' })).toMatchObject({
      redriven: 1,
      remaining: 0,
    });
    expect(slotOf(deadLetterStreamOf(stream, 'mdm'))).toBe(slotOf(stream));
  });

  it('puts each dead letter back once while their slot moves to another node', async () => {
    const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const stream = ['a', 'b', 'c', 'd', 'e', 'f'].find((name) => slotOf(name) >= 5462)!;
    const notes = Array.from({ length: 20 }, (_, at) => String(at));
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

  it('refuses a dead-letter stream in another slot', async () => {
    await expect(consume('poison:0', { deadLetterStream: 'elsewhere' })).rejects.toMatchObject({
      errorType: 'STREAM:ARGUMENT',
      errorMessage: '/deadLetterStream must be in the slot of stream',
    });
  });
});

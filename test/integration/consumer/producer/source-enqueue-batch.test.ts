import { describe, expect, it } from '@jest/globals';
import { handler as sourceEnqueueBatch } from '#functions/consumer/source-enqueue-batch/handler.ts';
import { shardOf } from '#lib/consumer/producer/source-change-entry.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

let streams = 0;
const stack = await use(startMdmStack());
const redis = await use(startRedisServer());

interface Output {
  ids: { stream: string; id: string }[];
}

/** A configuration with its own ingest stream. */
function newStream(shards = 4) {
  const stream = `cities-${++streams}`;
  return { stream, configRef: stack.configure({}, { redis: { url: redis.url }, ingest: { stream, shards } }) };
}

const source = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const city = (sourcePKey: string, more: object = {}) => ({ sourcePKey, record: { name: 'Bonn' }, ...more });
const cities = (count: number) => Array.from({ length: count }, (_, index) => city(`k${index}`));
const shardFor = (sourcePKey: string, stream: string) => shardOf({ ...source, sourcePKey }, stream, 4);

async function lengthOf(stream: string) {
  const lengths = await Promise.all([0, 1, 2, 3].map((shard) => redis.command('XLEN', `${stream}:${shard}`)));
  return (lengths as number[]).reduce((sum, length) => sum + length);
}

describe('source-enqueue-batch', () => {
  it("puts each record on its key's shard, and returns the ids in the given order", async () => {
    const { stream, configRef } = newStream();
    const records = cities(500);

    const { ids } = await invokeSource<Output>(sourceEnqueueBatch, { configRef, ...source, records });

    expect(ids.map((one) => one.stream)).toEqual(records.map(({ sourcePKey }) => shardFor(sourcePKey, stream)));
    for (const index of [0, 1, 250, 499]) {
      const { stream: shard, id } = ids[index]!;
      const [[, fields]] = (await redis.command('XRANGE', shard, id, id)) as [[string, string[]]];
      expect(fields).toContain(records[index]!.sourcePKey);
    }
    expect(await lengthOf(stream)).toBe(500);
  });

  it('keeps the order of records with the same key', async () => {
    const { configRef } = newStream();
    const records = ['1', '2', '3'].map((name) => city('same', { record: { name }, businessId: 'MDM1' }));

    const { ids } = await invokeSource<Output>(sourceEnqueueBatch, { configRef, ...source, records });

    const entries = (await redis.command('XRANGE', ids[0]!.stream, '-', '+')) as [string, string[]][];
    expect(entries.map(([id]) => id)).toEqual(ids.map(({ id }) => id));
    expect(entries.map(([, fields]) => fields[7])).toEqual(['{"name":"1"}', '{"name":"2"}', '{"name":"3"}']);
    expect(entries[0]![1]).toEqual(expect.arrayContaining(['businessId', 'MDM1']));
  });

  it.each([
    ['no records', [], '/records'],
    ['501 records', cities(501), '/records'],
    ['a record without its key', [city('1'), { record: {} }], '/records/1/sourcePKey'],
    ['a key that a path cannot hold', [city('..')], '/records/0/sourcePKey'],
    ['a field that is unknown', [city('1', { validate: true })], '/records/0/validate'],
  ])('refuses %s and sends nothing', async (_, records, pointer) => {
    const { stream, configRef } = newStream();

    const problem = await problemOf(sourceEnqueueBatch, { configRef, ...source, records });

    expect(problem).toMatchObject({ status: 400, type: 'MDM:CLIENT_ERROR', errors: [{ pointer }] });
    expect(await lengthOf(stream)).toBe(0);
  });

  it('names all records that are nested too deep, and sends nothing', async () => {
    const { stream, configRef } = newStream();
    const deep = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) as object;
    const records = [city('1'), city('2', { record: deep }), city('3'), city('4', { record: deep })];

    const problem = await problemOf(sourceEnqueueBatch, { configRef, ...source, records });

    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(['/records/1/record', '/records/3/record']);
    expect(await lengthOf(stream)).toBe(0);
  });

  it('source-enqueue-batch with validate names the faults of all records, and sends nothing', async () => {
    const { stream, configRef } = newStream();
    const records = [city('1', { record: { name: 'Bonn' } }), city('2', { record: { name: 7 } })];

    const problem = await problemOf(sourceEnqueueBatch, { configRef, ...source, records, validate: true });

    expect(problem).toMatchObject({ status: 400, type: 'MDM:CLIENT_ERROR' });
    expect(problem.errors.map(({ pointer }) => pointer)).toContain('/records/1/record/name');
    expect(await lengthOf(stream)).toBe(0);
  });
});

describe('a failing shard', () => {
  it('names every record that may not be written, and keeps those of other shards', async () => {
    const { stream, configRef } = newStream();
    await redis.command('SET', `${stream}:2`, 'not a stream');
    const records = cities(40);
    const onShard2 = records.flatMap(({ sourcePKey }, index) =>
      shardFor(sourcePKey, stream).endsWith(':2') ? [index] : [],
    );

    const problem = await problemOf(sourceEnqueueBatch, { configRef, ...source, records });

    expect(problem).toMatchObject({ type: 'STREAM:COMMAND', status: 409 });
    expect(problem.detail).toContain(`1 of 4 shards failed`);
    expect(problem.detail).toContain(`${onShard2.length} of 40 records`);
    expect(problem.errors).toEqual(
      onShard2.map((index) => ({ pointer: `/records/${index}`, message: 'may not have been written' })),
    );
    await redis.command('DEL', `${stream}:2`);
    expect(await lengthOf(stream)).toBe(40 - onShard2.length);
  });

  it('a whole batch can be retried if Redis was unreachable', async () => {
    const configRef = stack.configure({}, { redis: { url: 'redis://127.0.0.1:1' } });

    const problem = await problemOf(sourceEnqueueBatch, { configRef, ...source, records: cities(500) });

    expect(problem).toMatchObject({ type: 'STREAM:COMMAND', status: 503, retryable: true });
    expect(problem.errors).toHaveLength(500);
  });

  it("writes all of a shard's records or none if the server is out of memory", async () => {
    const { stream, configRef } = newStream(1);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');

    const problem = await problemOf(sourceEnqueueBatch, { configRef, ...source, records: cities(10) });
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');

    expect(problem).toMatchObject({
      type: 'STREAM:COMMAND',
      status: 503,
      outcome: 'refused',
      upstreamCode: 'OOM',
      retryable: true,
    });
    expect(problem.errors).toHaveLength(10);
    expect(await lengthOf(stream)).toBe(0);
  });
});

it('a batch enqueue sends one MULTI per shard, and no script', async () => {
  const { configRef } = newStream(16);
  const callsAfter = async (count: number) => {
    await invokeSource(sourceEnqueueBatch, { configRef, ...source, records: cities(count) });
    const stats = String(await redis.command('INFO', 'commandstats'));
    return ['exec', 'eval'].map((name) =>
      Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0),
    );
  };
  const [execBefore, evalBefore] = await callsAfter(1);
  const [execAfter, evalAfter] = await callsAfter(500);

  expect([execAfter! - execBefore!, evalAfter! - evalBefore!]).toEqual([2 * 16, 0]);
});

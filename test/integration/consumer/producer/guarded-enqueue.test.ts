import { describe, expect, it } from '@jest/globals';
import { handler as sourceEnqueue } from '#functions/consumer/source-enqueue/handler.ts';
import { handler as sourceEnqueueBatch } from '#functions/consumer/source-enqueue-batch/handler.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';

/* idempotencyKey and ingest.maxLag of an enqueue. */

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());

interface Enqueued {
  stream: string;
  id: string;
}
let streams = 0;
function newStream(ingest: object = {}) {
  const stream = `guarded-${++streams}`;
  const configRef = stack.configure({}, { redis: { url: redis.url }, ingest: { stream, shards: 2, ...ingest } });
  return { stream, configRef };
}
const source = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const city = (sourcePKey: string, name = 'Bonn') => ({ sourcePKey, record: { name } });
const lengthOf = async (stream: string) => {
  const lengths = (await Promise.all([0, 1].map((shard) => redis.command('XLEN', `${stream}:${shard}`)))) as number[];
  return lengths.reduce((sum, length) => sum + length);
};

describe('an enqueue with an idempotency key', () => {
  it('an idempotency key adds the record once, and every repeated call returns the first id', async () => {
    const { configRef, stream } = newStream();
    const call = { configRef, ...source, ...city('1'), idempotencyKey: 'order-17' };

    const calls = await Promise.all(Array.from({ length: 20 }, () => invokeSource<Enqueued>(sourceEnqueue, call)));

    expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
    expect(await lengthOf(stream)).toBe(1);
  });

  it('another idempotency key adds another record', async () => {
    const { configRef, stream } = newStream();
    const call = { configRef, ...source, ...city('1') };

    await invokeSource(sourceEnqueue, { ...call, idempotencyKey: 'a' });
    await invokeSource(sourceEnqueue, { ...call, idempotencyKey: 'b' });

    expect(await lengthOf(stream)).toBe(2);
  });

  it('another record under the same idempotency key is refused, and nothing is added', async () => {
    const { configRef, stream } = newStream();
    await invokeSource(sourceEnqueue, { configRef, ...source, ...city('1'), idempotencyKey: 'a' });

    const problem = await problemOf(sourceEnqueue, { configRef, ...source, ...city('1', 'Köln'), idempotencyKey: 'a' });

    expect(problem).toMatchObject({ status: 400, type: 'MDM:CLIENT_ERROR', outcome: 'not-sent' });
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: '/idempotencyKey' })]);
    expect(await lengthOf(stream)).toBe(1);
  });

  it('an idempotency key is forgotten after ingest.idempotencyMs', async () => {
    const { configRef, stream } = newStream({ idempotencyMs: 5000 });
    await invokeSource(sourceEnqueue, { configRef, ...source, ...city('1'), idempotencyKey: 'a' });

    const [key] = (await redis.command('KEYS', `{${stream}:*}:idempotency:*`)) as string[];
    expect(await redis.command('PTTL', key!)).toBeGreaterThan(0);
    expect(await redis.command('PTTL', key!)).toBeLessThanOrEqual(5000);
  });

  it('an idempotency key is forgotten if Redis refused the call', async () => {
    const { configRef, stream } = newStream({ shards: 1 });
    const call = { configRef, ...source, ...city('1'), idempotencyKey: 'a' };
    await redis.command('SET', `${stream}:0`, 'not a stream');
    expect(await problemOf(sourceEnqueue, call)).toMatchObject({ type: 'STREAM:WRONG_TYPE' });
    await redis.command('DEL', `${stream}:0`);

    expect(await invokeSource<Enqueued>(sourceEnqueue, call)).toMatchObject({ id: expect.stringMatching(/-/) });
  });

  it('an idempotency key adds a batch once, across all of its shards', async () => {
    const { configRef, stream } = newStream();
    const call = {
      configRef,
      ...source,
      records: Array.from({ length: 500 }, (_, n) => city(`k${n}`)),
      idempotencyKey: 'b',
    };

    const first = await invokeSource<{ ids: Enqueued[] }>(sourceEnqueueBatch, call);
    const second = await invokeSource<{ ids: Enqueued[] }>(sourceEnqueueBatch, call);

    expect(second).toEqual(first);
    expect(await lengthOf(stream)).toBe(500);
  });

  it('another batch under the same idempotency key is refused as a single record is', async () => {
    const { configRef, stream } = newStream();
    const records = ['1', '2', '3', '4', '5', '6', '7', '8'].map((key) => city(key));
    await invokeSource(sourceEnqueueBatch, { configRef, ...source, records, idempotencyKey: 'a' });

    const others = records.map(({ sourcePKey }) => city(sourcePKey, 'Köln'));
    const problem = await problemOf(sourceEnqueueBatch, { configRef, ...source, records: others, idempotencyKey: 'a' });

    expect(problem).toMatchObject({ status: 400, type: 'MDM:CLIENT_ERROR' });
    expect(await lengthOf(stream)).toBe(8);
  });
});

describe('an enqueue with ingest.maxLag', () => {
  it('an enqueue gets 429 while the shard has more than maxLag unread entries, and succeeds afterwards', async () => {
    const { configRef, stream } = newStream({ maxLag: 2, shards: 1 });
    const enqueue = { configRef, ...source, ...city('1') };
    for (let n = 0; n < 3; n++) await invokeSource(sourceEnqueue, enqueue);

    const problem = await problemOf(sourceEnqueue, enqueue);

    expect(problem).toMatchObject({ status: 429, type: 'STREAM:COMMAND', outcome: 'refused', retryable: true });
    expect(problem.retryAfter).toBe('5');
    expect(await redis.command('XLEN', `${stream}:0`)).toBe(3);

    await redis.command('XGROUP', 'CREATE', `${stream}:0`, 'mdm', '0');
    await redis.command('XREADGROUP', 'GROUP', 'mdm', 'c', 'COUNT', '2', 'STREAMS', `${stream}:0`, '>');
    await invokeSource(sourceEnqueue, enqueue);
    expect(await redis.command('XLEN', `${stream}:0`)).toBe(4);
  });

  it('a batch refused by maxLag names the records that were not written', async () => {
    const { configRef } = newStream({ maxLag: 1, shards: 1 });
    const call = { configRef, ...source, records: [city('1'), city('2')] };
    await invokeSource(sourceEnqueueBatch, call);

    const problem = await problemOf(sourceEnqueueBatch, call);

    expect(problem).toMatchObject({ status: 429, type: 'STREAM:COMMAND', outcome: 'refused', retryable: true });
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(['/records/0', '/records/1']);
  });
});

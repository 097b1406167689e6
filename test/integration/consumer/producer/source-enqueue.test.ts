import { describe, expect, it } from '@jest/globals';
import { handler as sourceEnqueue } from '#functions/consumer/source-enqueue/handler.ts';
import { decodeChange, shardOf } from '#lib/consumer/producer/source-change-entry.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { invokeSource, postSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
const configRef = stack.configure({}, { redis: { url: redis.url }, ingest: { stream: 'cities', shards: 4 } });

interface Enqueued {
  stream: string;
  id: string;
}
const city = (sourcePKey: string, more: object = {}) => ({
  configRef,
  businessEntity: 'c360.city',
  sourceSystem: 'geonames',
  sourcePKey,
  record: { name: 'Bonn', country: { Code: 'DE' } },
  ...more,
});
async function fieldsOf({ stream, id }: Enqueued) {
  const [[, pairs]] = (await redis.command('XRANGE', stream, id, id)) as [[string, string[]]];
  const fields: Record<string, string> = {};
  for (let index = 0; index < pairs.length; index += 2) fields[pairs[index]!] = pairs[index + 1]!;
  return fields;
}

describe('source-enqueue', () => {
  it("puts the record on its key's shard, from where it decodes to the same record", async () => {
    const submission = city('1', { businessId: 'MDM1', resolveCrosswalk: true });

    const enqueued = await invokeSource<Enqueued>(sourceEnqueue, submission);

    const { configRef: _, ...source } = submission;
    expect(enqueued.stream).toBe(shardOf(source, 'cities', 4));
    expect(decodeChange(await fieldsOf(enqueued))).toEqual({ ...source, operation: 'submit' });
  });

  it('keeps numbers beyond 2^53', async () => {
    const body = JSON.stringify(city('2')).replace('"record":{', '"record":{"population":12345678901234567890,');

    const { text } = await postSource(sourceEnqueue, body);

    expect((await fieldsOf(JSON.parse(text) as Enqueued)).record).toContain('"population":12345678901234567890');
  });

  it('spreads keys over all shards, and always puts a key on the same one', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => `k${index}`);

    const streams = await Promise.all(
      keys.map(async (key) => (await invokeSource<Enqueued>(sourceEnqueue, city(key))).stream),
    );
    const again = await invokeSource<Enqueued>(sourceEnqueue, city('k7'));

    expect([...new Set(streams)].sort()).toEqual(['cities:0', 'cities:1', 'cities:2', 'cities:3']);
    expect(again.stream).toBe(streams[7]);
  });

  it('writes to another stream on request', async () => {
    const { stream } = await invokeSource<Enqueued>(sourceEnqueue, city('3', { stream: 'towns' }));

    expect(stream).toMatch(/^towns:[0-3]$/);
  });

  it('requires the key, so a second delivery is an update', async () => {
    expect(await problemOf(sourceEnqueue, { ...city('4'), sourcePKey: undefined })).toMatchObject({
      type: 'MDM:CLIENT_ERROR',
      errors: [{ pointer: '/sourcePKey', message: 'is required' }],
    });
  });

  it("source-enqueue with validate refuses a record that the tenant's model does not allow", async () => {
    const before = await redis.command('DBSIZE');

    const problem = await problemOf(sourceEnqueue, city('5', { validate: true, stream: 'none', record: { name: 7 } }));

    expect(problem).toMatchObject({ status: 400, type: 'MDM:CLIENT_ERROR' });
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(['/record/name']);
    expect(await redis.command('DBSIZE')).toBe(before);
  });
});

describe('an entry that can never become a record', () => {
  it.each([
    ['no record', { record: undefined }, '/record'],
    ['a record that is not JSON', { record: '{' }, '/record'],
    ['a record that is a list', { record: '[]' }, '/record'],
    ['no key', { sourcePKey: undefined }, '/sourcePKey'],
    ['a key that a path cannot hold', { sourcePKey: '..' }, '/sourcePKey'],
    ['an entity that is none', { businessEntity: '../x' }, '/businessEntity'],
  ])('an entry with %s can never become a record', (_, more, pointer) => {
    const whole = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1', record: '{}', ...more };

    expect(() => decodeChange(JSON.parse(JSON.stringify(whole)) as Record<string, string>)).toThrow(
      expect.objectContaining({
        type: 'MDM:CLIENT_ERROR',
        status: 400,
        faults: [expect.objectContaining({ pointer })],
      }),
    );
  });

  it("a producer's own fields are no fault of an entry", () => {
    const fields = { businessEntity: 'c360.city', sourceSystem: 's', sourcePKey: '1', record: '{"a":1}', traceId: 't' };

    expect(decodeChange(fields)).toMatchObject({ sourcePKey: '1', record: { a: 1 } });
  });
});

import { describe, expect, it } from '@jest/globals';
import { handler as consumer } from '#functions/consumer/consumer/handler.ts';
import { handler as sourceEnqueue } from '#functions/consumer/source-enqueue/handler.ts';
import { handler as sourceEnqueueBatch } from '#functions/consumer/source-enqueue-batch/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as masterUpdate } from '#functions/mdm/master-update/handler.ts';
import { handler as sourceRead } from '#functions/mdm/source-read/handler.ts';
import { handler as sourceReplace } from '#functions/mdm/source-replace/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { handler as sourceSubmitBatch } from '#functions/mdm/source-submit-batch/handler.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';

/*
 * When the source changed a record, on its way to the API: directly, and through the stream, where the time of the
 * enqueue stands in for it. The tenant takes it as `sourceLastUpdatedDate`, in the query and in `_meta`.
 */

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
const WAYS = ['query:sourceLastUpdatedDate', 'meta:sourceLastUpdatedDate'];
const TIME = '2026-01-31T12:00:00.5+01:00';
const EPOCH = Date.parse(TIME);
const city = { businessEntity: 'c360.city', sourceSystem: 'geonames' };

let streams = 0;
const newConfiguration = (mdm: object) =>
  stack.configure(mdm as Record<string, unknown>, {
    redis: { url: redis.url },
    ingest: { stream: `times-${++streams}`, shards: 1 },
  });
let keys = 0;
const newKey = () => ({ ...city, sourcePKey: `time-${++keys}` });
const record = () => ({ name: `City ${keys}`, country: { Code: 'DE' }, population: 1 });
const timeOf = async (key: object, configRef: string) =>
  Number((await invokeSource(sourceRead, { ...key, configRef })).attributes.sourceLastUpdatedDate);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(WAYS)('a source time sent as %s', (sourceLastUpdated) => {
  const configRef = newConfiguration({ sourceLastUpdated });

  it('the source time is sent with submits, replaces and batches, in either form', async () => {
    const [first, second, third] = [newKey(), newKey(), newKey()];
    await invokeSource(sourceSubmit, { configRef, ...first, record: record(), sourceLastUpdated: TIME });
    await invokeSource(sourceSubmit, { configRef, ...second, record: record() });
    await invokeSource(sourceReplace, { configRef, ...second, record: record(), sourceLastUpdated: EPOCH + 1 });
    const records = [{ sourcePKey: third.sourcePKey, record: record(), sourceLastUpdated: TIME }];
    await invokeSource(sourceSubmitBatch, { configRef, ...city, records });

    expect(await timeOf(first, configRef)).toBe(EPOCH);
    expect(await timeOf(second, configRef)).toBe(EPOCH + 1);
    expect(await timeOf(third, configRef)).toBe(EPOCH);
  });

  it('the source time decides which source survives, regardless of order', async () => {
    const newer = { ...newKey(), record: { ...record(), population: 2 }, sourceLastUpdated: EPOCH + 1 };
    const { attributes } = await invokeSource(sourceSubmit, { configRef, ...newer });
    const golden = { configRef, businessEntity: 'c360.city', businessId: String(attributes.businessId) };

    const older = { sourceSystem: 'crm', sourcePKey: newer.sourcePKey, record: newer.record };
    await invokeSource(masterUpdate, {
      ...golden,
      ...older,
      record: { ...older.record, population: 1 },
      sourceLastUpdated: EPOCH,
    });

    expect((await invokeSource(masterRead, golden)).payload).toMatchObject({ population: 2 });
  });

  it('the source time goes through the stream, and defaults to the time of the enqueue', async () => {
    const ref = newConfiguration({ sourceLastUpdated });
    const [given, batched, waiting, replaced] = [newKey(), newKey(), newKey(), newKey()];
    await invokeSource(sourceEnqueue, { configRef: ref, ...given, record: record(), sourceLastUpdated: TIME });
    const records = [
      { sourcePKey: batched.sourcePKey, record: record(), sourceLastUpdated: EPOCH },
      { sourcePKey: replaced.sourcePKey, record: record() },
      { sourcePKey: replaced.sourcePKey, record: record(), operation: 'replace', sourceLastUpdated: EPOCH + 5 },
    ];
    await invokeSource(sourceEnqueueBatch, { configRef: ref, ...city, records });
    const { id } = await invokeSource<{ id: string }>(sourceEnqueue, { configRef: ref, ...waiting, record: record() });
    await wait(50);

    const report = await invokeSource(consumer, { configRef: ref });

    expect(report).toMatchObject({ read: 5, processed: 5, deadLettered: 0 });
    expect(await timeOf(given, ref)).toBe(EPOCH);
    expect(await timeOf(batched, ref)).toBe(EPOCH);
    expect(await timeOf(replaced, ref)).toBe(EPOCH + 5);
    expect(await timeOf(waiting, ref)).toBe(Number(id.split('-')[0]));
  });

  it('the source time keeps a delayed entry from overwriting a newer change of another source', async () => {
    const ref = newConfiguration({ sourceLastUpdated });
    const key = newKey();
    const whole = { ...record(), name: `Delayed ${keys}` };
    await invokeSource(sourceEnqueue, { configRef: ref, ...key, record: { ...whole, population: 1 } });
    await wait(20);
    const other = { ...key, sourceSystem: 'crm', record: { ...whole, population: 2 } };
    await invokeSource(sourceSubmit, { configRef: ref, ...other });
    await invokeSource(consumer, { configRef: ref });

    expect((await invokeSource(masterRead, { configRef: ref, ...key })).payload).toMatchObject({ population: 2 });
  });
});

describe('a source time', () => {
  const configRef = newConfiguration({});

  it.each([
    ['submit', sourceSubmit, {}],
    ['replace', sourceReplace, {}],
    ['update', masterUpdate, { sourcePKey: undefined, businessId: 'M1' }],
    ['enqueue', sourceEnqueue, {}],
  ])('a source time without a configured name is refused: %s', async (_, handler, more) => {
    const before = stack.mdm.requestCount;

    const problem = await problemOf(handler, {
      configRef,
      ...newKey(),
      record: record(),
      sourceLastUpdated: TIME,
      ...more,
    });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 400, outcome: 'not-sent' });
    expect(problem.errors).toEqual([
      {
        pointer: '/sourceLastUpdated',
        message: 'needs mdm.sourceLastUpdated in the secret, which says where it travels',
      },
    ]);
    expect(stack.mdm.requestCount).toBe(before);
  });

  it.each([
    ['submit', sourceSubmitBatch],
    ['enqueue', sourceEnqueueBatch],
  ])('a source time in a batch is refused with its place: %s', async (_, handler) => {
    const records = [
      { sourcePKey: '1', record: record() },
      { sourcePKey: '2', record: record(), sourceLastUpdated: 0 },
    ];

    const { errors } = await problemOf(handler, { configRef, ...city, records });

    expect(errors.map(({ pointer }) => pointer)).toEqual(['/records/1/sourceLastUpdated']);
  });

  it("a source time in a producer's entry is an ordinary field unless a name is configured", async () => {
    const ref = newConfiguration({});
    const key = newKey();
    const fields = { ...key, record: JSON.stringify(record()), sourceLastUpdated: 'yesterday' };
    await redis.command('XADD', `times-${streams}:0`, '*', ...Object.entries(fields).flat());

    expect(await invokeSource(consumer, { configRef: ref })).toMatchObject({ processed: 1, deadLettered: 0 });
  });

  it('an entry with an unreadable source time becomes a dead letter', async () => {
    const ref = newConfiguration({ sourceLastUpdated: WAYS[0] });
    const fields = { ...newKey(), record: JSON.stringify(record()), sourceLastUpdated: 'yesterday' };
    await redis.command('XADD', `times-${streams}:0`, '*', ...Object.entries(fields).flat());

    expect(await invokeSource(consumer, { configRef: ref })).toMatchObject({ processed: 0, deadLettered: 1 });
  });

  it.each([
    ['2026-02-31', 400],
    [-1, 400],
    [1.5, 400],
  ])('a source time of %j is refused', async (sourceLastUpdated, status) => {
    const problem = await problemOf(sourceSubmit, { ...newKey(), record: record(), sourceLastUpdated });

    expect(problem).toMatchObject({ status, errors: [{ pointer: '/sourceLastUpdated' }] });
  });

  it.each(['sourceSystem', 'sourcePKey', 'businessId', '_resolveCrosswalk'])(
    'a source time cannot travel as %s, which it would replace',
    async (name) => {
      const configRef = newConfiguration({ sourceLastUpdated: `query:${name}` });
      const problem = await problemOf(sourceSubmit, { configRef, ...newKey(), record: record(), sourceLastUpdated: 0 });

      expect(problem).toMatchObject({ type: 'CONNECTOR:CONFIGURATION', status: 500 });
      expect(stack.urls().join()).not.toContain(`${name}=0`);
    },
  );

  it('a source time is refused with a delete', async () => {
    const problem = await problemOf(sourceEnqueue, { ...newKey(), operation: 'delete', sourceLastUpdated: 0 });

    expect(problem.errors).toEqual([
      { pointer: '', message: 'takes sourceLastUpdated only with operation submit and replace' },
    ]);
  });
});

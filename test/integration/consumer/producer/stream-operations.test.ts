import { describe, expect, it } from '@jest/globals';
import { handler as consumer } from '#functions/consumer/consumer/handler.ts';
import { handler as redrive } from '#functions/consumer/redrive/handler.ts';
import { handler as sourceEnqueue } from '#functions/consumer/source-enqueue/handler.ts';
import { handler as sourceEnqueueBatch } from '#functions/consumer/source-enqueue-batch/handler.ts';
import { handler as sourceRead } from '#functions/mdm/source-read/handler.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';

/* Changes that go through the stream: submit, replace and delete, from enqueue to the sandbox's records. */

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());

let streams = 0;
/** A configuration with an ingest stream of one shard. */
function newStream() {
  const stream = `changes-${++streams}`;
  return { configRef: stack.configure({}, { redis: { url: redis.url }, ingest: { stream, shards: 1 } }), stream };
}
const source = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const bonn = { name: 'Bonn', country: { Code: 'DE' } };
const read = (configRef: string, sourcePKey: string) =>
  invokeSource(sourceRead, { configRef, ...source, sourcePKey }).then(({ payload }) => payload);
const carry = (configRef: string) => invokeSource<Record<string, unknown>>(consumer, { configRef });

describe('changes on the stream', () => {
  it("a delete waits for its record's earlier submit", async () => {
    const { configRef } = newStream();
    const key = { configRef, ...source, sourcePKey: 'gone' };
    await invokeSource(sourceEnqueue, { ...key, record: bonn });
    await invokeSource(sourceEnqueue, { ...key, operation: 'delete' });

    const report = await carry(configRef);

    expect(report).toMatchObject({ read: 2, processed: 2, deadLettered: 0, pending: 0 });
    expect(await problemOf(sourceRead, key)).toMatchObject({ status: 404 });
  });

  it('a replace replaces the whole record', async () => {
    const { configRef } = newStream();
    const records = [
      { sourcePKey: 'whole', record: { ...bonn, population: 331885 } },
      { sourcePKey: 'whole', operation: 'replace', record: bonn },
    ];
    await invokeSource(sourceEnqueueBatch, { configRef, ...source, records });

    await carry(configRef);

    const record = await read(configRef, 'whole');
    expect(record).toMatchObject({ name: 'Bonn' });
    expect(record).not.toHaveProperty('population');
  });

  it('a delete of a missing record counts as processed', async () => {
    const { configRef } = newStream();
    await invokeSource(sourceEnqueue, { configRef, ...source, sourcePKey: 'never', operation: 'delete' });

    expect(await carry(configRef)).toMatchObject({ processed: 1, failed: 0, deadLettered: 0 });
  });

  it('an unknown operation is dead-lettered with its own error type', async () => {
    const { configRef, stream } = newStream();
    const fields = { ...source, sourcePKey: '1', operation: 'archive', record: '{}' };
    await redis.command('XADD', `${stream}:0`, '*', ...Object.entries(fields).flat());

    expect(await carry(configRef)).toMatchObject({ processed: 0, deadLettered: 1 });

    const [[, letter]] = (await redis.command('XRANGE', `{${stream}:0}:dead:mdm`, '-', '+')) as [[string, string[]]];
    expect(letter[letter.indexOf('dl-error-type') + 1]).toBe('CONNECTOR:OPERATION');
    expect(letter[letter.indexOf('dl-reason') + 1]).toContain('submit, replace, delete');
  });

  it('a refused entry is dead-lettered with each part of its reason, which a redrive drops', async () => {
    const { configRef, stream } = newStream();
    const record = { ...bonn, population: 'Mustermann', mayor: 'K. Dörner' };
    await invokeSource(sourceEnqueue, { configRef, ...source, sourcePKey: 'refused-17', record });
    await invokeSource(sourceEnqueue, { configRef, ...source, sourcePKey: 'good', record: bonn });
    const dead = `{${stream}:0}:dead:mdm`;

    expect(await carry(configRef)).toMatchObject({ processed: 1, deadLettered: 1 });
    const [[, letter]] = (await redis.command('XRANGE', dead, '-', '+')) as [[string, string[]]];
    const { entries } = await invokeSource<{ entries: unknown[] }>(redrive, {
      configRef,
      stream: `${stream}:0`,
      group: 'mdm',
    });
    const [[, fields]] = (await redis.command('XREVRANGE', `${stream}:0`, '+', '-', 'COUNT', '1')) as [
      [string, string[]],
    ];

    const errors = letter[letter.indexOf('dl-upstream-errors') + 1]!;
    expect(JSON.parse(errors)).toMatchObject([{ code: 'INVALID_VALUE' }, { code: 'UNKNOWN_FIELD' }]);
    expect(errors).not.toMatch(/Mustermann|Dörner|refused-17/);
    expect(entries).toHaveLength(1);
    expect(fields.filter((name) => name.startsWith('dl-'))).toEqual([]);
    expect(JSON.parse(fields[fields.indexOf('record') + 1]!)).toEqual(record);
  });

  it('an entry that never reached the API is dead-lettered without parts of a reason', async () => {
    const { configRef, stream } = newStream();
    await redis.command('XADD', `${stream}:0`, '*', 'sourcePKey', '1', 'record', '{}');

    expect(await carry(configRef)).toMatchObject({ deadLettered: 1 });
    const [[, letter]] = (await redis.command('XRANGE', `{${stream}:0}:dead:mdm`, '-', '+')) as [[string, string[]]];
    expect(letter).not.toContain('dl-upstream-errors');
  });

  it.each<[string, object, object]>([
    ['a submit without a record', {}, { pointer: '/record', message: 'is required' }],
    [
      'a delete with a record',
      { operation: 'delete', record: bonn },
      { pointer: '', message: 'must not have a record: its operation is delete' },
    ],
    [
      'a patch',
      { operation: 'patch', record: bonn },
      { pointer: '/operation', message: expect.stringContaining('a patch may not be repeated') },
    ],
    [
      'a replace with a business id',
      { operation: 'replace', record: bonn, businessId: 'MDM1' },
      { pointer: '', message: 'takes businessId and resolveCrosswalk only with operation submit' },
    ],
  ])('an enqueue refuses %s', async (_, more, fault) => {
    const { configRef } = newStream();

    const problem = await problemOf(sourceEnqueue, { configRef, ...source, sourcePKey: '1', ...more });

    expect(problem).toMatchObject({ status: 400, type: 'MDM:CLIENT_ERROR' });
    expect(problem.errors).toEqual([fault]);
  });
});

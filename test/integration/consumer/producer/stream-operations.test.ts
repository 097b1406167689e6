import { describe, expect, it } from '@jest/globals';
import { handler as consumer } from '#functions/consumer/consumer/handler.ts';
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
const of = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const bonn = { name: 'Bonn', country: { Code: 'DE' } };
const read = (configRef: string, sourcePKey: string) =>
  invokeSource(sourceRead, { configRef, ...of, sourcePKey }).then(({ payload }) => payload);
const carry = (configRef: string) => invokeSource<Record<string, unknown>>(consumer, { configRef });

describe('changes on the stream', () => {
  it('deletes a record after the submit that waits before it', async () => {
    const { configRef } = newStream();
    const key = { configRef, ...of, sourcePKey: 'gone' };
    await invokeSource(sourceEnqueue, { ...key, record: bonn });
    await invokeSource(sourceEnqueue, { ...key, operation: 'delete' });

    const report = await carry(configRef);

    expect(report).toMatchObject({ read: 2, processed: 2, deadLettered: 0, pending: 0 });
    expect(await problemOf(sourceRead, key)).toMatchObject({ status: 404 });
  });

  it('replaces the whole record', async () => {
    const { configRef } = newStream();
    const records = [
      { sourcePKey: 'whole', record: { ...bonn, population: 331885 } },
      { sourcePKey: 'whole', operation: 'replace', record: bonn },
    ];
    await invokeSource(sourceEnqueueBatch, { configRef, ...of, records });

    await carry(configRef);

    const record = await read(configRef, 'whole');
    expect(record).toMatchObject({ name: 'Bonn' });
    expect(record).not.toHaveProperty('population');
  });

  it('counts a delete of a record that is gone as processed', async () => {
    const { configRef } = newStream();
    await invokeSource(sourceEnqueue, { configRef, ...of, sourcePKey: 'never', operation: 'delete' });

    expect(await carry(configRef)).toMatchObject({ processed: 1, failed: 0, deadLettered: 0 });
  });

  it('dead-letters an unknown operation by a type of its own', async () => {
    const { configRef, stream } = newStream();
    const fields = { ...of, sourcePKey: '1', operation: 'archive', record: '{}' };
    await redis.command('XADD', `${stream}:0`, '*', ...Object.entries(fields).flat());

    expect(await carry(configRef)).toMatchObject({ processed: 0, deadLettered: 1 });

    const [[, letter]] = (await redis.command('XRANGE', `{${stream}:0}:dead:mdm`, '-', '+')) as [[string, string[]]];
    expect(letter[letter.indexOf('dl-error-type') + 1]).toBe('CONNECTOR:OPERATION');
    expect(letter[letter.indexOf('dl-reason') + 1]).toContain('submit, replace, delete');
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
  ])('refuses %s', async (_, more, fault) => {
    const { configRef } = newStream();

    const problem = await problemOf(sourceEnqueue, { configRef, ...of, sourcePKey: '1', ...more });

    expect(problem).toMatchObject({ status: 400, type: 'MDM:CLIENT_ERROR' });
    expect(problem.errors).toEqual([fault]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import type { Runtime } from '#sandbox/aws/runtime/runtime.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { runtimesOf } from '../../support/stack/runtimes.ts';
import { use } from '../../support/jest/use.ts';

/*
 * Events as AWS sends them, of each way in, to the packaged functions under AWS's own runtime client: from API
 * Gateway's HTTP API, from EventBridge Scheduler with and without an input, and from another Lambda with a
 * `ClientContext`.
 */

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const read = (name: string) => readFileSync(`events/captured/${name}.json`, 'utf8');

let masterRead: Runtime;

const stack = await use(startMdmStack());
const redis = await use(startRedisServer());
const runtimes = await use(runtimesOf(stack));
const ingest = { stream: 'captured', shards: 1, wake: false };
stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url: redis.url }, ingest });
const record = { name: 'Bonn', country: { Code: 'DE' } };
stack.mdm.records.submit({ entity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '2946447', record });

const lastRequest = () => stack.mdm.requests.at(-1)!;

describe('an event as AWS sends it', () => {
  it('a captured event exists for each way in', () => {
    const names = readdirSync('events/captured').sort();

    expect(names).toEqual(['direct.json', 'http-api-v2.json', 'scheduler-without-input.json', 'scheduler.json']);
  });

  it('an event of the HTTP API gets an HTTP response', async () => {
    const xadd = await runtimes.start('stream-xadd');

    const { payload } = await xadd.invoke(read('http-api-v2'));

    expect(JSON.parse(payload)).toMatchObject({ statusCode: 200, body: expect.stringMatching(/^\d+-\d+$/) });
    expect(await redis.command('XLEN', 'orders')).toBe(1);
  });

  it('an event of the scheduler runs the consumer with the configuration that it names', async () => {
    const consumer = await runtimes.start('stream-consumer');

    const { payload, functionError } = await consumer.invoke(read('scheduler'));

    expect(functionError).toBeUndefined();
    expect(JSON.parse(payload)).toMatchObject({ read: 0, stoppedBecause: 'drained' });
  });

  it('an event of a schedule without an input is refused as one that holds no parameters', async () => {
    const consumer = await runtimes.start('stream-consumer');

    const { payload, functionError } = await consumer.invoke(read('scheduler-without-input'));

    expect(functionError).toBe('Unhandled');
    expect(JSON.parse(payload)).toMatchObject({
      errorType: 'STREAM:ARGUMENT',
      errorMessage: 'the input must be the parameters, and not an event of EventBridge',
    });
  });

  it('an event of another Lambda carries its trace and correlation id to the MDM', async () => {
    masterRead = await runtimes.start('mdm-master-read');
    const { payload, clientContext } = JSON.parse(read('direct')) as { payload: object; clientContext: object };

    const result = await masterRead.invoke(JSON.stringify(payload), { clientContext: JSON.stringify(clientContext) });

    expect(JSON.parse(result.payload)).toMatchObject({ payload: { name: 'Bonn' }, attributes: { statusCode: 200 } });
    expect(lastRequest().headers).toMatchObject({
      traceparent: expect.stringMatching(`^00-${TRACE_ID}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`),
      'x-correlation-id': 'order-17',
    });
  });

  it.each([
    ['{}'],
    ['{"custom": null}'],
    ['{"custom": {"traceparent": 5, "correlationId": {"a": 1}}}'],
    ['{"custom": {"traceparent": "00-zz", "correlationId": "a b\\r\\nx: y"}}'],
    ['{"client": {"installation_id": "i"}, "env": {"locale": "en"}}'],
  ])('an event with the ClientContext %s starts a new trace', async (clientContext) => {
    const { payload } = JSON.parse(read('direct')) as { payload: object };

    const result = await masterRead.invoke(JSON.stringify(payload), { clientContext, requestId: 'request-9' });

    expect(JSON.parse(result.payload)).toMatchObject({ payload: { name: 'Bonn' } });
    expect(lastRequest().headers).toMatchObject({
      traceparent: expect.stringMatching(/^00-5759e988bd862e3fe1be46a994272793-/), // of X-Ray
      'x-correlation-id': 'request-9',
    });
  });
});

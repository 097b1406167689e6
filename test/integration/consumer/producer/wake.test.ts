import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startLambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { use } from '#test/support/jest/use.ts';
import { startContainer } from '#test/support/aws/container.ts';

const REDIS_PAGE = new URL('../../../../docs/redis.md', import.meta.url);
const CONSUMER = 'mdm-stream-test-stream-consumer';
let stream: string;
let configRef: string;
let tests = 0;

const redis = await use(startRedisServer());
const endpoint = await use(startLambdaEndpoint());
const secrets = await use(startSecretsManager());
const lambda = await use(
  startContainer(secrets, {
    LOG_LEVEL: 'warn',
    AWS_ENDPOINT_URL_LAMBDA: endpoint.url,
    CONNECTOR_CONSUMER_FUNCTION: CONSUMER,
  }),
);
beforeEach(() => {
  endpoint.invocations.length = 0;
  endpoint.respond = () => ({});
  stream = `wake-${++tests}`;
  configRef = `c-${tests}`;
  configure({ shards: 1 });
});

function configure(ingest: object, url = redis.url) {
  secrets.set(`test/${configRef}`, { redis: { url }, ingest: { stream, ...ingest } });
}

const record = (sourcePKey: string) => ({ sourcePKey, record: { name: 'Bonn' } });
const source = { businessEntity: 'c360.city', sourceSystem: 'geonames' };
const enqueue = (sourcePKey = '1', more: object = {}) =>
  lambda.invoke<{ stream: string; id: string }>('mdm-source-enqueue', {
    configRef,
    ...source,
    ...record(sourcePKey),
    ...more,
  });
const enqueueAll = (count: number) =>
  lambda.invoke('mdm-source-enqueue-batch', {
    configRef,
    ...source,
    records: Array.from({ length: count }, (_, index) => record(String(index))),
  });
const wakeKey = (shard = 0) => `{${stream}:${shard}}:wake:mdm`;

it('the end of a pause wakes the consumer once if entries arrived during it', async () => {
  await lambda.invoke('stream-pause', { configRef, forMs: 60_000 });
  await enqueue();
  expect(endpoint.invocations).toEqual([]);

  await lambda.invoke('stream-pause', { configRef, resume: true });

  expect(endpoint.invocations).toEqual([{ name: CONSUMER, type: 'Event', payload: { configRef, lingerMs: 1000 } }]);
});

describe('an enqueue', () => {
  it('an enqueue invokes the consumer asynchronously with its configRef', async () => {
    await enqueue();

    expect(endpoint.invocations).toEqual([{ name: CONSUMER, type: 'Event', payload: { configRef, lingerMs: 1000 } }]);
    expect(await redis.command('PTTL', wakeKey())).toBeGreaterThan(0);
  });

  it('enqueues invoke the consumer at most once a second', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => enqueue(String(index))));

    expect(endpoint.invocations).toHaveLength(1);
  });

  it('an enqueue invokes the consumer again once a run has come and gone', async () => {
    await enqueue();
    await redis.command('DEL', wakeKey());
    await enqueue();

    expect(endpoint.invocations).toHaveLength(2);
  });

  it.each(['lease', 'rest', 'pause'])('an enqueue wakes nothing during a %s', async (name) => {
    await redis.command('SET', `{${stream}:0}:${name}:mdm`, 'x');

    await enqueue();

    expect(endpoint.invocations).toEqual([]);
    expect(await redis.command('EXISTS', wakeKey())).toBe(0);
  });

  it('an enqueue wakes nothing if the secret disables it, or if the stream is not the ingest', async () => {
    await enqueue('1', { stream: 'another' });
    configRef += '-off';
    configure({ shards: 1, wake: false });
    await enqueue();

    expect(endpoint.invocations).toEqual([]);
  });

  it('an enqueue of a batch invokes the consumer once for all its shards', async () => {
    configRef += '-many';
    configure({ shards: 16 });

    await enqueueAll(500);

    expect(endpoint.invocations).toHaveLength(1);
    expect(await redis.command('EXISTS', ...Array.from({ length: 16 }, (_, shard) => wakeKey(shard)))).toBe(16);
  });

  it("an enqueue wakes the consumer for the secret's group", async () => {
    configRef += '-group';
    configure({ shards: 1, group: 'orders' });
    await redis.command('SET', `{${stream}:0}:lease:mdm`, 'x');

    await enqueue();

    expect(endpoint.invocations).toHaveLength(1);
    expect(await redis.command('EXISTS', `{${stream}:0}:wake:orders`)).toBe(1);
  });
});

it('a redrive wakes the consumer only if it put letters back', async () => {
  const redrive = (more: object = {}) =>
    lambda.invoke<{ redriven: number }>('stream-redrive', { configRef, stream: `${stream}:0`, group: 'mdm', ...more });
  const origin = ['dl-stream', `${stream}:0`, 'dl-group', 'mdm', 'dl-source-id', '1-1', 'dl-time', '1'];
  await redis.command('XADD', `{${stream}:0}:dead:mdm`, '*', 'k', 'a', ...origin);

  await redrive({ dryRun: true });
  expect(endpoint.invocations).toEqual([]);
  expect(await redrive()).toMatchObject({ redriven: 1 });

  expect(endpoint.invocations).toMatchObject([{ name: CONSUMER, type: 'Event', payload: { configRef } }]);
});

it('an enqueue needs no more than the producer of docs/redis.md', async () => {
  const [, producer] = /^ACL SETUSER (producer .*)$/m.exec(readFileSync(REDIS_PAGE, 'utf8'))!;
  await redis.command('ACL', 'SETUSER', ...producer!.split(' '));
  configRef += '-producer';
  stream = 'source-submit';
  configure({ shards: 2 }, redis.url.replace('redis://', 'redis://producer:password@'));
  endpoint.respond = () => ({ status: 500, error: 'ServiceException' }); // so the wake key is deleted too

  await enqueue();
  await enqueueAll(10);

  expect(endpoint.invocations).toHaveLength(2);
  expect(await redis.command('EXISTS', wakeKey(0), wakeKey(1))).toBe(0);
});

describe('a failed wake', () => {
  it.each([
    ['is throttled', { status: 429, error: 'TooManyRequestsException' }],
    ['is not allowed', { status: 403, error: 'AccessDeniedException' }],
    ['finds no function', { status: 404, error: 'ResourceNotFoundException' }],
  ])('a failed wake is logged, does not fail the enqueue, and the next one tries again: %s', async (_, response) => {
    endpoint.respond = () => response;
    const lines = lambda.log.length;

    const { id } = await enqueue();

    expect(id).toMatch(/^\d+-\d+$/);
    expect(await redis.command('EXISTS', wakeKey())).toBe(0);
    expect(lambda.log.slice(lines).join('\n')).toContain('consumer not woken');

    endpoint.respond = () => ({});
    await enqueue('2');

    expect(endpoint.invocations).toHaveLength(2);
  });

  it('an enqueue succeeds even if its Redis user may not run scripts', async () => {
    await redis.command(...'ACL SETUSER adder on >password ~* -@all +ping +xadd'.split(' '));
    configRef += '-adder';
    configure({ shards: 1 }, redis.url.replace('redis://', 'redis://adder:password@'));

    const { id } = await enqueue();

    expect(id).toMatch(/^\d+-\d+$/);
    expect(endpoint.invocations).toEqual([]);
  });

  it("a failed wake does not hide the record's outcome", async () => {
    await redis.command('SET', `${stream}:0`, 'not a stream');
    endpoint.respond = () => ({ status: 500, error: 'ServiceException' });

    await expect(enqueue()).rejects.toMatchObject({ errorType: 'STREAM:WRONG_TYPE' });
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import type { Report } from '#lib/consumer/report.ts';
import { startLambda } from '#sandbox/aws/lambda.ts';
import { startLambdaEndpoint, type LambdaEndpoint } from '#sandbox/aws/lambda-endpoint.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSignedBy } from '../../support/aws/signature.ts';
import { startSilentPort } from '../../support/redis/silent-port.ts';
import { startTcpProxy } from '../../support/redis/tcp-proxy.ts';
import { use } from '../../support/jest/use.ts';

const identity = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/key+', sessionToken: 'session/token+=' };
const ingest = {
  stream: 'orders',
  shards: 3,
  group: 'mdm',
  consumer: { target: 'orders', keyField: 'k', backoffMs: 1 },
};
let stream: string;
let number = 0;

beforeEach(() => {
  stream = `lambda-${++number}:0`;
  endpoint.invocations.length = 0;
  endpoint.requests.length = 0;
  endpoint.respond = () => ({});
});

const env = () => ({
  AWS_ACCESS_KEY_ID: identity.accessKeyId,
  AWS_SECRET_ACCESS_KEY: identity.secretAccessKey,
  AWS_SESSION_TOKEN: identity.sessionToken,
  CONNECTOR_SECRET_PREFIX: 'test/',
  CONNECTOR_CONSUMER_FUNCTION: 'the-consumer',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  AWS_ENDPOINT_URL_LAMBDA: endpoint.url,
});

const server = await use(startRedisServer());
const endpoint = await use(startLambdaEndpoint());
const secrets = await use(startSecretsManager({ 'test/default': { redis: { url: server.url }, ingest } }));
const lambda = await use(startLambda({ env: env() }));

/** Adds entries of these keys, numbered through. */
async function add(...keys: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [n, k] of keys.entries())
    ids.push((await server.command('XADD', stream, '*', 'k', k, 'n', `${n}`)) as string);
  return ids;
}
const consume = (parameters: object = {}, timeoutMs = 10_000) =>
  lambda.invoke<Report>(
    'stream-consumer',
    { stream, group: 'mdm', target: 'orders', backoffMs: 1, ...parameters },
    { timeoutMs },
  );
const numbersOf = ({ payload }: LambdaEndpoint['invocations'][number]) =>
  (payload.entries ?? [payload]).map(({ entry }) => Number(entry.n));
const letters = async () =>
  ((await server.command('XRANGE', deadLetterStreamOf(stream, 'mdm'), '-', '+')) as [string, string[]][]).map(
    ([, fields]) => Number(fields[fields.indexOf('n') + 1]),
  );

describe('a Lambda target with keyField', () => {
  it('a Lambda target with keyField is called in parallel for different keys, and in order for each', async () => {
    const [first] = await add('a', 'b', 'a', 'c', 'b');
    await server.command('XADD', stream, '*', 'n', '5');
    await server.command('XADD', stream, '*', 'n', '6');
    endpoint.respond = () => ({ tookMs: 20 });

    const report = await consume({ keyField: 'k' });

    expect(report).toMatchObject({ processed: 7, pending: 0 });
    const order = endpoint.invocations.flatMap(numbersOf);
    for (const [before, after] of [
      [0, 2],
      [1, 4],
      [5, 6],
    ] as const)
      expect(order.indexOf(before)).toBeLessThan(order.indexOf(after));
    const payloads = endpoint.invocations.map(({ payload }) => payload);
    expect(payloads).toContainEqual({ stream, group: 'mdm', id: first, deliveries: 1, entry: { k: 'a', n: '0' } });
  });

  it.each([50, 100])(
    'a Lambda target with keyField has up to %d calls in flight, as concurrency says',
    async (concurrency) => {
      const keys = Array.from({ length: 2 * concurrency }, (_, n) => `k${n}`);
      await Promise.all(keys.map((k, n) => server.command('XADD', stream, '*', 'k', k, 'n', `${n}`)));
      let [inFlight, most] = [0, 0];
      const full = Promise.withResolvers<undefined>();
      endpoint.respond = async () => {
        most = Math.max(most, ++inFlight);
        if (inFlight === concurrency) full.resolve(undefined);
        await full.promise;
        await sleep(100); // in which no more may start
        inFlight--;
        return {};
      };

      const report = await consume({ keyField: 'k', concurrency }, 60_000);

      expect(report).toMatchObject({ processed: 2 * concurrency, stoppedBecause: 'drained' });
      expect(most).toBeGreaterThanOrEqual(concurrency);
      expect(most).toBeLessThanOrEqual(concurrency + 2); // its response is still on its way when the next one starts
    },
  );

  it("calls of a Lambda target are signed with the function's role, each for its own body", async () => {
    await add('a', 'b', 'ü');

    await consume({ keyField: 'k' });

    const signatures = endpoint.requests.map(({ request }) => request.headers.authorization);
    expect(new Set(signatures).size).toBe(3);
    const isSigned = ({ request, body }: (typeof endpoint.requests)[number]) =>
      isSignedBy(identity, 'lambda', request, body);
    expect(endpoint.requests.map(isSigned)).toEqual([true, true, true]);
  });

  it('deliveries counts every attempt, whatever its result', async () => {
    await add('a', 'b');
    const ends = [{ status: 429, error: 'TooManyRequestsException' }, { functionError: { errorType: 'Oops' } }, {}];
    const deliveries: number[] = [];
    endpoint.respond = ({ entry, ...payload }) => {
      if (entry.k === 'b') return {};
      deliveries.push(payload.deliveries);
      return ends.shift() ?? {};
    };

    await consume({ keyField: 'k' });

    expect(deliveries).toEqual([1, 2, 3]);
  });
});

describe('a Lambda that refuses an entry', () => {
  it.each([
    ['by a payload that is too large', { status: 413, error: 'RequestTooLargeException' }],
    ['by what it is too large for', { status: 413, error: 'RequestEntityTooLargeException' }],
    ['by a proxy that finds it too large', { status: 413 }],
  ])('an entry refused %s is dead-lettered alone, and its key continues', async (_, response) => {
    await add('a', 'b', 'a');
    endpoint.respond = ({ entry }) => (entry.n === '0' ? response : {});

    const report = await consume({ keyField: 'k' });

    expect(report).toMatchObject({ processed: 2, deadLettered: 1, pending: 0 });
    expect(await letters()).toEqual([0]);
  });

  it('the consumer caps Retry-After at 15 minutes', async () => {
    await add('a');
    endpoint.respond = () => ({ status: 500, error: 'ServiceException', headers: { 'retry-after': '31536000' } });

    await consume({ keyField: 'k' });

    const state = (await server.command('HVALS', `{${stream}}:state:mdm`)) as string[];
    const numbers = state.flatMap((value) => value.split(',')).map(Number);
    const due = Math.max(...numbers.filter(Number.isFinite)); // the state also holds the cause of a failure
    expect(due).toBeGreaterThan(Date.now());
    expect(due).toBeLessThan(Date.now() + 901_000);
  });

  it('an unreachable Lambda target causes no dead letter, and the run ends in time', async () => {
    const silent = await startSilentPort();
    const away = await startLambda({ env: { ...env(), AWS_ENDPOINT_URL_LAMBDA: silent.url } });
    try {
      await add('a');

      const report = await away.invoke<Report>(
        'stream-consumer',
        { stream, group: 'mdm', target: 'orders', keyField: 'k', maxDeliveries: 1 },
        { timeoutMs: 14_000 },
      );

      expect(report).toMatchObject({ processed: 0, deadLettered: 0, pending: 1 });
      expect(await letters()).toEqual([]);
      expect(away.log.join('\n')).toContain('LAMBDA:CONNECTIVITY');
    } finally {
      await away.stop();
      silent.close();
    }
  }, 30_000);
});

it('the target can tell entries with the same id apart by their stream', async () => {
  for (const shard of [0, 1])
    await server.command('XADD', `twins-${number}:${shard}`, '5-1', 'k', 'a', 'n', `${shard}`);

  const report = await consume({ stream: `twins-${number}`, shards: 2, keyField: 'k' });

  expect(report.processed).toBe(2);
  const names = endpoint.invocations.map(({ payload: { stream, id } }) => `${stream} ${id}`);
  expect(names.sort()).toEqual([`twins-${number}:0 5-1`, `twins-${number}:1 5-1`]);
});

it('a shard continues when the shard with the probe is paused', async () => {
  const base = `probe-${number}`;
  const fill = async (shard: number, count: number) => {
    for (let n = 0; n < count; n++)
      await server.command('XADD', `${base}:${shard}`, '*', 'k', `${shard}-${n}`, 'n', `${n}`);
  };
  await fill(0, 30);
  await fill(1, 30);
  let isDown = true;
  const probed = Promise.withResolvers<undefined>();
  endpoint.respond = ({ stream: shard }) => {
    if (isDown) return { status: 500, error: 'ServiceException' };
    if (shard === `${base}:1`) return {};
    probed.resolve(undefined);
    return { tookMs: 15_000 };
  };

  const running = consume({ stream: base, shards: 2, keyField: 'k', concurrency: 5 }, 20_000);
  while (endpoint.invocations.length < 5) await sleep(20);
  await sleep(500);
  isDown = false;
  await probed.promise;
  await server.command('SET', `{${base}:0}:pause:mdm`, 'x', 'PX', '60000');
  const report = await running;

  expect(report.processed).toBe(30);
}, 40_000);

describe('a Lambda target with targetBatchSize', () => {
  it('a batch of a single-key shard holds its next entries, and resumes at the first failure', async () => {
    const ids = await add('a', 'b', 'a', 'b', 'a', 'c');
    let hasFailed = false;
    endpoint.respond = ({ entries }) => {
      const bad = entries.find(({ id }) => id === ids[2]);
      if (!bad || hasFailed) return {};
      hasFailed = true;
      return { returns: { batchItemFailures: [{ itemIdentifier: ids[4] }, { itemIdentifier: ids[2] }] } };
    };

    const report = await consume({ targetBatchSize: 5 });

    expect(report).toMatchObject({ processed: 6, failed: 1, deadLettered: 0, pending: 0 });
    expect(endpoint.invocations.map(numbersOf)).toEqual([[0, 1, 2, 3, 4], [2], [3, 4, 5]]);
    expect(endpoint.invocations[0]!.payload).toMatchObject({
      stream,
      group: 'mdm',
      entries: [{ id: ids[0], deliveries: 1 }, {}, {}, {}, {}],
    });
  });

  it('a batch with keyField holds one entry per key', async () => {
    await add('a', 'a', 'b', 'b', 'c');

    const report = await consume({ keyField: 'k', targetBatchSize: 10, concurrency: 1 });

    expect(report.processed).toBe(5);
    for (const invocation of endpoint.invocations) {
      const keys = invocation.payload.entries.map(({ entry }) => entry.k);
      expect(new Set(keys).size).toBe(keys.length);
    }
    expect(endpoint.invocations[0]!.payload.entries).toHaveLength(3);
  });

  it.each([
    ['throws for a batch with one bad entry', { functionError: { errorType: 'TypeError' } }],
    ['names an id that is not of the batch', { returns: { batchItemFailures: [{ itemIdentifier: '1-1' }] } }],
    ['names an empty id', { returns: { batchItemFailures: [{ itemIdentifier: '' }] } }],
    ['returns what is no list', { returns: { batchItemFailures: 'all' } }],
  ])('a batch target that %s dead-letters only that entry', async (_, response) => {
    await add('a', 'b', 'c', 'd', 'e');
    endpoint.respond = ({ entries }) => (entries.some(({ entry }) => entry.k === 'c') ? response : {});

    const report = await consume({ keyField: 'k', targetBatchSize: 5, maxDeliveries: 2, concurrency: 1 });

    expect(report).toMatchObject({ processed: 4, deadLettered: 1, pending: 0 });
    expect(await letters()).toEqual([2]);
    const sizes = endpoint.invocations.map(({ payload }) => payload.entries.length);
    expect(sizes).toEqual([5, 1, 1, 1, 1, 1, 1]); // the batch, each alone, and the bad one again
  });

  it('a batch of one key for which the target throws dead-letters only the bad entry', async () => {
    await add('a', 'b', 'c', 'd', 'e');
    endpoint.respond = ({ entries }) =>
      entries.some(({ entry }) => entry.k === 'c') ? { functionError: { errorType: 'TypeError' } } : {};

    const report = await consume({ targetBatchSize: 5, maxDeliveries: 2 });

    expect(report).toMatchObject({ processed: 4, deadLettered: 1, pending: 0 });
    expect(await letters()).toEqual([2]);
    expect(endpoint.invocations.length).toBeLessThanOrEqual(10);
  });
});

describe('without the stream parameter', () => {
  it('a run takes its parameters from the secret, and overrides from the invocation', async () => {
    for (const shard of [0, 1, 2]) await server.command('XADD', `orders:${shard}`, '*', 'k', 'a', 'n', `${shard}`);

    const report = await lambda.invoke<Report>('stream-consumer', {}, { timeoutMs: 60_000 });

    expect(report).toMatchObject({ processed: 3, groupsCreated: 3, stoppedBecause: 'drained' });
    expect(endpoint.invocations.map(({ name }) => name)).toEqual(['orders', 'orders', 'orders']);
    const other = await lambda.invoke<Report>(
      'stream-consumer',
      { group: 'other', shards: 2, target: 'elsewhere' },
      { timeoutMs: 60_000 },
    );
    expect(other.processed).toBe(2);
    expect(endpoint.invocations.at(-1)!.name).toBe('elsewhere');
  });

  it('a run that ends by its deadline with entries unread invokes the consumer with the same parameters', async () => {
    for (let n = 0; n < 400; n++) await server.command('XADD', 'orders:0', '*', 'k', `k${n}`, 'n', `${n}`);
    endpoint.respond = ({ entry }) => (entry ? { tookMs: 50 } : {});

    const report = await lambda.invoke<Report>(
      'stream-consumer',
      { batchSize: 1, concurrency: 1 },
      { timeoutMs: 3000 },
    );

    expect(report.stoppedBecause).toBe('deadline');
    expect(endpoint.invocations.at(-1)).toMatchObject({
      name: 'the-consumer',
      type: 'Event',
      payload: { batchSize: 1, concurrency: 1, configRef: 'default' },
    });
  });
});

it('a run whose successor Lambda refuses still reports in time, even far from Redis', async () => {
  const farAway = await startTcpProxy(server.port);
  farAway.delay(20);
  const redis = { url: `redis://127.0.0.1:${farAway.port}` };
  secrets.set('test/far', { redis, ingest: { ...ingest, stream: 'far' } });
  for (let n = 0; n < 400; n++) await server.command('XADD', 'far:1', '*', 'k', `k${n}`, 'n', `${n}`);
  endpoint.respond = ({ entry }) => ({ tookMs: entry ? 50 : 15_000 });
  const startedAt = performance.now();

  const parameters = { batchSize: 1, concurrency: 1, configRef: 'far' };
  const report = await lambda.invoke<Report>('stream-consumer', parameters, { timeoutMs: 5000 });

  expect(report.stoppedBecause).toBe('deadline');
  expect(performance.now() - startedAt).toBeLessThan(12_000);
  expect(lambda.log.join('\n')).toContain('successor not started');
  await farAway.close();
});

it('conflicting parameters are refused by name', async () => {
  await expect(consume({ target: 'source-submit', keyField: 'k', targetBatchSize: 2 })).rejects.toMatchObject({
    errorType: 'STREAM:ARGUMENT',
    errorMessage: expect.stringMatching(/keyField.*targetBatchSize/) as unknown,
  });
});

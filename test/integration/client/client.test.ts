import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createClient, type Client } from '#lib/client/client.ts';
import { OperationError } from '#lib/client/error.ts';
import { httpTransport } from '#lib/client/http.ts';
import { lambdaTransport } from '#lib/client/lambda.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer, type RedisServer } from '#sandbox/redis/redis-server.ts';
import { startMdmStack, type MdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { startWaysIn, type WaysIn } from '../../support/contract/ways-in.ts';

let redis: RedisServer;
let stack: MdmStack;
let ways: WaysIn;
let keys = 0;
const newKey = () => `client:${++keys}`;

beforeAll(async () => {
  redis = await startRedisServer();
  stack = await startMdmStack();
  stack.secrets.set('test/default', { mdm: stack.mdm.secret, redis: { url: redis.url } });
  ways = await startWaysIn({ AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.secrets.url });
}, 60_000);
afterAll(async () => {
  await ways.stop();
  await stack.close();
  await redis.stop();
});

describe.each(['overHttp', 'overLambda'] as const)('the client, %s', (way) => {
  let client: Client;
  beforeAll(() => {
    client = ways[way];
  });

  it('returns the output of an operation', async () => {
    const key = newKey();

    const id = await client.invoke('stream-xadd', { key, entry: { order: '1001' } });
    const entries = await client.invoke('stream-xrange', { key, start: '-', end: '+' });

    expect(entries).toEqual({ [id!]: { order: '1001' } });
  });

  it('returns null for an operation without output', async () => {
    const created = await client.invoke('stream-xgroup-create', { key: newKey(), group: 'g', mkstream: true });

    expect(created).toBeNull();
  });

  it('keeps the digits of numbers beyond 2^53', async () => {
    const key = newKey();
    const entriesRead = '9007199254740993';

    await client.invoke('stream-xgroup-create', { key, group: 'g', mkstream: true, entriesRead });
    const [group] = await client.invoke('stream-xinfo-groups', { key });

    expect(JSON.stringify(group)).toContain(`"entries-read":${entriesRead}`);
  });

  it('reads a stream entry by entry, across its pages', async () => {
    const key = newKey();
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push(String(await redis.command('XADD', key, '*', 'n', String(n))));

    const read = await Array.fromAsync(client.entries({ key, count: 3 }));

    expect(read).toEqual(ids.map((id, n) => ({ id, entry: { n: String(n) } })));
    expect(await Array.fromAsync(client.entries({ key, start: ids[2], end: ids[4] }))).toHaveLength(3);
    expect(await Array.fromAsync(client.entries({ key: newKey() }))).toEqual([]);
    const id = '18446744073709551615-18446744073709551615'; // nothing comes after it
    await client.invoke('stream-xadd', { key, id, entry: { n: 'last' } });
    expect(await Array.fromAsync(client.entries({ key, count: 1 }))).toHaveLength(read.length + 1);
  });

  it('reads a stream in smaller pages if a page would exceed 6 MB', async () => {
    const key = newKey();
    for (let n = 0; n < 8; n++) await redis.command('XADD', key, '*', 'n', `${n}${'ä€"'.repeat(150_000)}`);

    const read = await Array.fromAsync(client.entries({ key }));

    expect(read.map(({ entry }) => (entry as Record<string, string>).n![0])).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ]);
  });

  it('reads the records of a search across its pages', async () => {
    const submit = (n: number) =>
      stack.mdm.records.submit({
        entity: 'c360.person',
        sourceSystem: 'crm',
        sourcePKey: `${way}${n}`,
        record: { firstName: way, lastName: `L${n}` },
      });
    for (let n = 0; n < 7; n++) submit(n);

    const records = client.records({ businessEntity: 'c360.person', search: way, pageSize: 3 });

    const names = (await Array.fromAsync(records)).map((record) => record['c360person.lastName']);
    expect(names.sort()).toEqual(['L0', 'L1', 'L2', 'L3', 'L4', 'L5', 'L6']);
  });

  it("aborts a call with its signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');

    const reading = client.invoke(
      'stream-xread',
      { block: 2000, streamWatermarks: [{ key: newKey(), id: '$' }] },
      { signal: controller.signal, retries: 5 },
    );
    setTimeout(() => controller.abort(reason), 100);

    await expect(reading).rejects.toBe(reason);
  });

  it('retries only what is retryable, and only if asked to', async () => {
    const busy = { path: '/business-entity', status: 429, headers: { 'retry-after': '30' } };
    const read = (retries?: number, signal?: AbortSignal) =>
      client.invoke(
        'mdm-master-read',
        { businessEntity: 'c360.person', sourceSystem: 'crm', sourcePKey: `${way}0` },
        { retries, signal },
      );

    stack.mdm.misbehave(busy);
    await expect(read()).rejects.toMatchObject({ status: 429, retryable: true, retryAfterMs: 30_000 });
    stack.mdm.misbehave(busy);
    const waiting = read(1, AbortSignal.timeout(3000)); // for as long as it was asked to
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });

    const before = stack.mdm.requests.length;
    stack.mdm.misbehave({ path: '/business-entity', status: 404, times: null });
    await expect(read(3)).rejects.toMatchObject({ status: 404, retryable: false });
    stack.mdm.behave();
    expect(stack.mdm.requests.length - before).toBe(1);
  });

  it('reports a missing operation as a transport error', async () => {
    const error = await client.invoke('stream-xfoo' as 'stream-xinfo-groups', { key: 'k' }).catch((e: unknown) => e);

    expect(error).toBeInstanceOf(OperationError);
    expect(error).toMatchObject({ operation: 'stream-xfoo', type: 'CLIENT:TRANSPORT', status: 404, retryable: false });
  });
});

describe('over HTTP from something other than the API', () => {
  const call = (respond: (attempt: number) => [status: number, body: string, headers?: Record<string, string>]) =>
    withServer(respond, (url, attempts) => ({
      client: createClient(httpTransport({ url, headers: { authorization: 'Bearer x' } })),
      attempts,
    }));
  const input = { key: 'k', start: '-', end: '+' } as const;

  it.each([
    ['a refused signature', 403, '{"message":"Forbidden"}', { status: 403, retryable: false, outcome: 'not-sent' }],
    [
      'throttling',
      429,
      '{"message":"Too Many Requests"}',
      { status: 429, retryable: true, retryAfterMs: 2000, outcome: 'not-sent' },
    ],
    ['no such route', 404, '{"message":"Not Found"}', { status: 404, retryable: false, outcome: 'not-sent' }],
    ['a gateway that gave up', 408, '{}', { status: 408, retryable: true, outcome: 'unknown' }],
    [
      'a function that timed out',
      503,
      '{"message":"Service Unavailable"}',
      { status: 503, retryable: true, outcome: 'unknown' },
    ],
    ['a page of a proxy', 502, '<html>', { status: 502, retryable: true }],
    ['a success that is no JSON', 200, '<html>', { status: 502, retryable: false }],
  ])('%s is CLIENT:TRANSPORT', async (_what, status, body, expected) => {
    const { client } = await call(() => [status, body, { 'retry-after': '2', 'apigw-requestid': 'r-1' }]);

    await expect(client.invoke('stream-xrange', input)).rejects.toMatchObject({
      type: 'CLIENT:TRANSPORT',
      ...expected,
    });
  });

  it('waits as long as a proxy asks for, even with a fraction of a second', async () => {
    const { client } = await call(() => [503, '', { 'retry-after': '1.5' }]);

    await expect(client.invoke('stream-xrange', input)).rejects.toMatchObject({ retryAfterMs: 1500 });
  });

  it('a crashed function is CONNECTOR:INTERNAL', async () => {
    const { client } = await call(() => [500, '{"message":"Internal Server Error"}']);

    const error = { type: 'CONNECTOR:INTERNAL', status: 500, retryable: false };
    await expect(client.invoke('stream-xrange', input)).rejects.toMatchObject(error);
  });

  it.each([
    ['an XADD', 'stream-xadd', { key: 'k', entry: { a: '1' } }],
    ['a submit without a key', 'mdm-source-submit', { businessEntity: 'c', sourceSystem: 's', record: {} }],
  ] as const)('sends %s once if its response is lost', async (_what, name, input) => {
    const { client, attempts } = await call(() => [503, '{"message":"Service Unavailable"}']);

    const error = { type: 'CLIENT:TRANSPORT', status: 503, retryable: false, outcome: 'unknown' };
    await expect(client.invoke(name, input as never, { retries: 5 })).rejects.toMatchObject(error);
    expect(attempts()).toBe(1);
  });

  it.each([
    ['an XADD that API Gateway throttles', 'stream-xadd', { key: 'k', entry: { a: '1' } }, 429],
    [
      'a submit with a key',
      'mdm-source-submit',
      { businessEntity: 'c', sourceSystem: 's', sourcePKey: '1', record: {} },
      503,
    ],
  ] as const)('retries %s', async (_what, name, input, status) => {
    const { client, attempts } = await call((attempt) => (attempt < 3 ? [status, '{}'] : [200, '{}']));

    await client.invoke(name, input, { retries: 5 });

    expect(attempts()).toBe(3);
  });

  it('says that the outcome is unknown if the response of an attempt was lost, whatever the last one met', async () => {
    const refused = { type: 'MDM:CLIENT_ERROR', title: '', status: 422, detail: 'x', retryable: false };
    const problem = JSON.stringify({ ...refused, outcome: 'refused' });
    const { client } = await call((attempt) => (attempt === 1 ? [503, '{}'] : [422, problem]));
    const submit = { businessEntity: 'c', sourceSystem: 's', sourcePKey: '1', record: {} };

    const error = { type: 'MDM:CLIENT_ERROR', status: 422, retryable: false, outcome: 'unknown' };
    await expect(client.invoke('mdm-source-submit', submit, { retries: 5 })).rejects.toMatchObject(error);
  });

  it('says the same of the records of a batch that the last attempt did not carry out', async () => {
    const error = { type: 'MDM:CLIENT_ERROR', status: 422, outcome: 'refused' };
    const results = [{ error }, { businessId: 'MDM1' }];
    const { client } = await call((attempt) => (attempt === 1 ? [503, '{}'] : [200, JSON.stringify({ results })]));
    const records = ['1', '2'].map((sourcePKey) => ({ sourcePKey, record: {} }));
    const batch = { businessEntity: 'c', sourceSystem: 's', records };

    const output = await client.invoke('mdm-source-submit-batch', batch, { retries: 5 });

    expect(output.results).toEqual([{ error: { ...error, outcome: 'unknown' } }, { businessId: 'MDM1' }]);
  });

  it('an unreachable server is retryable, with the cause in the message', async () => {
    const client = createClient(httpTransport({ url: `http://127.0.0.1:${await freePort()}` }));

    const message = expect.stringContaining('ECONNREFUSED') as unknown;
    const error = { type: 'CLIENT:TRANSPORT', status: 503, retryable: true, outcome: 'not-sent', message };
    await expect(client.invoke('stream-xrange', input)).rejects.toMatchObject(error);
  });

  it('a call without credentials of AWS was not sent', async () => {
    const credentials = () => Promise.reject(Object.assign(new Error('none'), { name: 'CredentialsProviderError' }));
    const lambda = new LambdaClient({ region: 'eu-central-1', credentials, maxAttempts: 1 });
    const client = createClient(lambdaTransport({ functionPrefix: 'mdm-stream-prod-', lambda }));

    const error = { type: 'CLIENT:TRANSPORT', retryable: true, outcome: 'not-sent' };
    await expect(client.invoke('stream-xadd', { key: 'k', entry: { a: '1' } })).rejects.toMatchObject(error);
  });

  it('an invalid url is not retryable', async () => {
    const client = createClient(httpTransport({ url: 'api.example' }));

    const error = { type: 'CLIENT:TRANSPORT', retryable: false, message: expect.stringContaining('Invalid URL') };
    await expect(client.invoke('stream-xrange', input, { retries: 3 })).rejects.toMatchObject(error);
  });

  it('retries what is retryable until it succeeds', async () => {
    const { client, attempts } = await call((attempt) => (attempt < 3 ? [503, '{}'] : [200, '{}']));

    expect(await client.invoke('stream-xrange', input, { retries: 5 })).toEqual({});
    expect(attempts()).toBe(3);
  });

  it('sends requests with the given fetch', async () => {
    const sent: unknown[] = [];
    const fetch = async (url: string, init: object) => {
      sent.push(url, init);
      return new Response('{}');
    };
    const client = createClient(
      httpTransport({ url: 'https://api.example/prod/', fetch, headers: { authorization: 'x' } }),
    );

    await client.invoke('stream-xrange', input);

    expect(sent).toEqual([
      'https://api.example/prod/stream/xrange',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'x' },
        body: JSON.stringify(input),
      },
    ]);
  });
});

describe('over Lambda from Lambda itself', () => {
  const transportOf = (...response: [status: number, body: string, headers?: Record<string, string>]) =>
    withServer(
      () => response,
      (endpoint) => {
        const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
        const lambda = new LambdaClient({ endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 });
        return lambdaTransport({ functionPrefix: 'mdm-stream-prod-', lambda });
      },
    );

  it.each([
    [429, 'TooManyRequestsException', 'not-sent', true, 7000],
    [404, 'ResourceNotFoundException', 'not-sent', false, undefined],
    [500, 'ServiceException', 'unknown', true, undefined],
  ])('a %d of Lambda, %s, has the outcome %s', async (status, name, outcome, retryable, retryAfterMs) => {
    const retryAfter: Record<string, string> = retryAfterMs ? { 'retry-after': String(retryAfterMs / 1000) } : {};
    const transport = await transportOf(status, '{}', { 'x-amzn-errortype': name, ...retryAfter });

    const error = { type: 'CLIENT:TRANSPORT', status, outcome, retryable, retryAfterMs };
    await expect(transport.send('stream-xlen', '{}')).rejects.toMatchObject(error);
  });

  it.each([
    ['null', ''],
    ['7', '7'],
  ])('an output of Lambda, %s, is the text "%s"', async (body, text) => {
    const transport = await transportOf(200, body);

    expect(await transport.send('stream-xlen', '{}')).toBe(text);
  });
});

it('reads a stream of large entries with at most two calls a page', async () => {
  const tooLarge = { status: 413, retryable: false };
  const fits = 40;
  const entries = 1000;
  let calls = 0;
  const send = async (_: string, payload: string) => {
    calls++;
    const { start, count } = JSON.parse(payload) as { start: string; count: number };
    if (count > fits)
      throw new OperationError('stream-xrange', 'STREAM:COMMAND', 'The response is over 6 MB', tooLarge);
    const first = start === '-' ? 1 : Number(start.slice(1, -2)) + 1;
    const ids = Array.from({ length: Math.min(count, entries + 1 - first) }, (_, at) => `${first + at}-1`);
    return JSON.stringify(Object.fromEntries(ids.map((id) => [id, {}])));
  };

  const read = await Array.fromAsync(createClient({ send }).entries({ key: 'large' }));

  expect(read.map(({ id }) => id)).toEqual(Array.from({ length: entries }, (_, at) => `${at + 1}-1`));
  expect(calls).toBeLessThanOrEqual(2 * Math.ceil(entries / (fits / 2)));
});

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => void server.close()));

async function withServer<T>(
  respond: (attempt: number) => [number, string, Record<string, string>?],
  use: (url: string, attempts: () => number) => T,
): Promise<T> {
  let attempt = 0;
  const server = createServer((_, response) => {
    const [status, body, headers] = respond(++attempt);
    response.writeHead(status, { connection: 'close', ...headers }).end(body);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => attempt);
}

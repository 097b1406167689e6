import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import type { Misbehaviour } from '#sandbox/mdm/index.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

beforeEach(() => stack.mdm.behave());

const KEY = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: 'key-4711' };

const stack = await use(startMdmStack());
await invokeSource(sourceSubmit, { ...KEY, record: { name: 'Bonn', country: { Code: 'DE' } } });

const AGAIN = [429, 502, 503, 504];
const statuses = Array.from({ length: 200 }, (_, index) => 400 + index).filter((status) => status !== 401);

/** Reads while every request is struck, and counts the requests. */
async function readStruck(how: Misbehaviour, options = {}) {
  stack.mdm.misbehave({ times: null, path: '/business-entity', ...how });
  const before = stack.urls().length;
  const problem = await problemOf(masterRead, KEY, { timeoutMs: 15_000, ...options });
  return { problem, tries: stack.urls().length - before };
}

describe('a status of the API', () => {
  it.each(statuses.filter((status) => !AGAIN.includes(status)))(
    'a status %i of the API is reported immediately',
    async (status) => {
      const { problem, tries } = await readStruck({ status });

      const isServers = status >= 500;
      expect(problem).toMatchObject({
        type: isServers ? 'MDM:SERVER_ERROR' : 'MDM:CLIENT_ERROR',
        status: isServers ? 502 : status,
        upstreamStatus: status,
      });
      expect(tries).toBe(1);
    },
  );

  it.each(AGAIN)('a status %i of the API is retried, and reported if it persists', async (status) => {
    const { problem, tries } = await readStruck({ status });

    expect(problem).toMatchObject({
      type: status === 429 ? 'MDM:CLIENT_ERROR' : 'MDM:SERVER_ERROR',
      retryable: true,
      upstreamStatus: status,
    });
    expect(tries).toBe(3);
  });

  it('a 401 that persists after a new login is a 502, since the credentials are not the caller’s', async () => {
    const { problem, tries } = await readStruck({ status: 401 });

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 502, upstreamStatus: 401 });
    expect(tries).toBeGreaterThanOrEqual(2);
    expect(tries).toBeLessThanOrEqual(11); // a new session is tried again, because the API may know it late
  });

  it('a 304 is an error of the API, since no request is conditional', async () => {
    const { problem, tries } = await readStruck({ status: 304 });

    expect(problem).toMatchObject({ type: 'MDM:SERVER_ERROR', status: 502, upstreamStatus: 304, retryable: false });
    expect(tries).toBe(1);
  });

  it.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
    const { problem, tries } = await readStruck({ status, headers: { location: 'http://127.0.0.1:1/elsewhere' } });

    expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503, upstreamStatus: status, retryable: false });
    expect(tries).toBe(1);
  });
});

describe('Retry-After', () => {
  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 1500).toUTCString()],
  ])('a call waits for a Retry-After given as %s', async (_, value) => {
    stack.mdm.misbehave({ status: 503, headers: { 'retry-after': value() } });
    const before = performance.now();

    await invokeSource(masterRead, KEY);

    expect(performance.now() - before).toBeGreaterThan(400);
  });

  it.each(['0', '-1', '1.5', 'soon', 'Sun, 06 Nov 1994 08:49:37 GMT', '0.000001'])(
    'a Retry-After of %s still leaves an overloaded API a pause between tries',
    async (value) => {
      const startedAt = performance.now();

      const { tries } = await readStruck({ status: 503, headers: { 'retry-after': value } }, { timeoutMs: 8000 });

      expect(tries).toBe(3);
      expect(performance.now() - startedAt).toBeGreaterThan(value === '1.5' ? 2990 : 290);
    },
  );

  it('a Retry-After beyond the remaining time is passed on to the caller immediately', async () => {
    const before = performance.now();

    const { problem, tries } = await readStruck({ status: 429, headers: { 'retry-after': '30' } });

    expect(problem).toMatchObject({ status: 429, retryable: true, retryAfter: '30' });
    expect(tries).toBe(1);
    expect(performance.now() - before).toBeLessThan(15_000);
  });
});

describe('a fault in transit', () => {
  it.each<[string, Misbehaviour, object, number]>([
    ['a reset', { reset: true }, { type: 'MDM:CONNECTIVITY', status: 503, retryable: true }, 3],
    ['a body cut short', { cut: true }, { type: 'MDM:CONNECTIVITY', status: 503, retryable: true }, 3],
    [
      'a success that is HTML',
      { html: true, status: 200 },
      { type: 'MDM:SERVER_ERROR', status: 502, upstreamStatus: 200 },
      1,
    ],
    ['a success that is empty', { status: 200, body: '' }, { type: 'MDM:SERVER_ERROR', status: 502 }, 1],
    ['a success that is a list', { status: 200, body: [] }, { type: 'MDM:SERVER_ERROR', status: 502 }, 1],
    ['a 500 in HTML', { html: true, status: 500 }, { type: 'MDM:SERVER_ERROR', status: 502, upstreamStatus: 500 }, 1],
    ['a 404 without a body', { status: 404 }, { type: 'MDM:CLIENT_ERROR', status: 404 }, 1],
  ])('%s is reported as its own kind of fault', async (_, how, expected, tries) => {
    const struck = await readStruck(how);

    expect(struck.problem).toMatchObject(expected);
    expect(struck.tries).toBe(tries);
  });

  it.each<[string, Misbehaviour]>([
    ['headers that do not come', { delayMs: 20_000 }],
    ['a body that does not end', { slowBodyMs: 20_000 }],
  ])('%s are a timeout, within the time of the invocation', async (_, how) => {
    const before = performance.now();

    const { problem, tries } = await readStruck(how, { timeoutMs: 600 });

    expect(problem).toMatchObject({ type: 'MDM:TIMEOUT', status: 504, retryable: true });
    expect(tries).toBe(1);
    expect(performance.now() - before).toBeLessThan(15_000);
  });

  it("a response slower than the configuration's timeoutMs is a timeout", async () => {
    const configRef = stack.configure({ timeoutMs: 200 });
    stack.mdm.misbehave({ delayMs: 2000, path: '/business-entity' });

    expect(await problemOf(masterRead, { ...KEY, configRef })).toMatchObject({ type: 'MDM:TIMEOUT' });
  });

  it.each([
    ['refused', 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['without TLS', 'https://127.0.0.1:PORT', ''],
    ['unknown', 'https://no-such-host.invalid', ''],
  ])("a connection %s is reported as unreachable, without the record's key", async (_, baseUrl, code) => {
    const closing = createServer((socket) => socket.end('x').resume());
    await once(closing.listen(0, '127.0.0.1'), 'listening');
    const configRef = stack.configure({
      baseUrl: baseUrl.replace('PORT', String((closing.address() as AddressInfo).port)),
    });

    const problem = await problemOf(masterRead, { ...KEY, configRef }, { timeoutMs: 3000 });
    closing.close();

    expect(problem).toMatchObject({ type: 'MDM:CONNECTIVITY', status: 503 });
    expect(problem.upstreamCode).toMatch(code);
    expect(JSON.stringify(problem)).not.toContain('key-4711');
  });
});

it.each(['', 'x'])('a character split across two chunks stays whole %j', async (shift) => {
  const name = `${shift}${'ä'.repeat(99)}`; // one of the two is cut in the middle of a character
  stack.mdm.misbehave({ path: '/business-entity', status: 200, body: { name }, slowBodyMs: 20 });

  expect((await invokeSource(masterRead, KEY)).payload).toEqual({ name });
});

it.each(['INFA-REQUEST-ID', 'X_INFA_LOG_CTX', 'x-request-id', 'Tracking-Id'])(
  'a request id is read from %s',
  async (name) => {
    const others = { 'INFA-REQUEST-ID': '', X_INFA_LOG_CTX: '', 'x-request-id': '', 'Tracking-Id': '' };
    stack.mdm.misbehave({ after: true, status: 200, body: { _meta: {} }, headers: { ...others, [name]: 'id-1' } });

    expect((await invokeSource(masterRead, KEY)).attributes.requestId).toBe('id-1');
  },
);

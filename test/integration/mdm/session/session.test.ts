import { afterEach, describe, expect, it } from '@jest/globals';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as sourceSubmitBatch } from '#functions/mdm/source-submit-batch/handler.ts';
import { handler as sourceSubmit } from '#functions/mdm/source-submit/handler.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';
import { startSandboxMdm, type SandboxMdm, type SandboxOptions } from '#sandbox/mdm/index.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';

const stack = await use(startMdmStack());

const BONN = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };

/** A tenant with one record, and its own configuration. */
async function tenant(options: SandboxOptions = {}, config: Record<string, unknown> = {}) {
  const mdm = await use(startSandboxMdm(options));
  mdm.records.submit({ entity: 'c360.city', ...BONN, record: { name: 'Bonn', country: { Code: 'DE' } } });
  const configRef = stack.configure({ ...mdm.secret, ...config });
  const read = () => invokeSource(masterRead, { configRef, ...BONN });
  const problem = (timeoutMs?: number) =>
    problemOf(masterRead, { configRef, businessEntity: 'c360.city', businessId: 'M1' }, { timeoutMs });
  return { mdm, configRef, read, problem };
}
/** When the session of the latest call ends, in epoch milliseconds. */
function endOfSession(mdm: SandboxMdm): number {
  const [, claims] = String(mdm.requests.at(-1)!.headers['ids-session-id']).split('.');
  return (JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { exp: number }).exp * 1000;
}
const waitUntil = (at: number) => new Promise((resolve) => setTimeout(resolve, at - Date.now()));
const times = <T>(count: number, act: (index: number) => T) => Array.from({ length: count }, (_, index) => act(index));

describe('a session', () => {
  it('one login opens a session, however many calls wait for it', async () => {
    const { mdm, read } = await tenant();

    await Promise.all(times(50, read));

    expect(mdm.logins).toBe(1);
  });

  it('one login renews an expired session, and no call or body is lost', async () => {
    const { mdm, configRef, read } = await tenant();
    await read();
    mdm.sessions.expireAll();

    await Promise.all(
      times(50, (index) =>
        invokeSource(sourceSubmit, {
          configRef,
          businessEntity: 'c360.city',
          sourceSystem: 'crm',
          sourcePKey: `k-${index}`,
          record: { name: `City ${index}`, country: { Code: 'DE' } },
        }),
      ),
    );

    expect(mdm.logins).toBe(2);
    expect(mdm.records.allSources('c360.city')).toHaveLength(51);
    expect(mdm.requests.filter(({ body, url }) => url.includes('sourcePKey') && body === '')).toEqual([]);
  });

  it('a new session survives a late 401 of the old one', async () => {
    const { mdm, read } = await tenant();
    await read();
    mdm.misbehave({ path: '/business-entity', status: 401, delayMs: 300 }); // of the old session, answered late
    const late = read();
    await new Promise((resolve) => setTimeout(resolve, 100));
    mdm.sessions.expireAll();
    await read(); // renews

    await late;

    expect(mdm.logins).toBe(2);
  });

  it.each([600, 16_000])('a session that is a JWT of %i characters is renewed before it ends', async (jwtLength) => {
    const { mdm, read } = await tenant({ session: { kind: 'jwt', lifetimeMs: 1000, jwtLength } });
    await read();
    const [first] = mdm.requests.slice(-1);
    await waitUntil(endOfSession(mdm) + 20);

    await read();

    expect(String(first!.headers['ids-session-id']).length).toBeGreaterThan(jwtLength - 3);
    expect(mdm.logins).toBe(2);
    expect(mdm.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('a session due for renewal stays in use while the login is broken', async () => {
    const { mdm, read } = await tenant({ session: { kind: 'jwt', lifetimeMs: 6000 } });
    const openedAt = Date.now();
    await read();
    mdm.misbehave({ path: '/saas', status: 503, times: null });
    await waitUntil(endOfSession(mdm) - (endOfSession(mdm) - openedAt) * 0.19); // its last fifth has begun

    const logins = () => mdm.requests.filter(({ url }) => url.startsWith('/saas')).length;

    const response = await read();
    const tried = logins();
    for (let call = 0; call < 5; call++) await read();

    expect(response.attributes.statusCode).toBe(200);
    expect(tried).toBeGreaterThan(1);
    expect(logins()).toBe(tried); // not for every call
  });

  it('a login of version 2 opens a session', async () => {
    const { mdm, read } = await tenant();
    const configRef = stack.configure({
      ...mdm.secret,
      auth: { ...mdm.secret.auth, type: 'login-v2' },
      baseUrl: undefined,
    });

    await invokeSource(masterRead, { configRef, ...BONN });
    await read();

    const [login] = mdm.requests;
    expect(login!.url).toBe('/ma/api/v2/user/login');
    expect(JSON.parse(login!.body)).toMatchObject({ '@type': 'login', username: 'sandbox' });
  });

  it('a passed-through session is used as it is, and its 401 is final', async () => {
    const { mdm } = await tenant();
    const sessionId = mdm.sessions.open('sandbox', 'sandbox-password')!;
    const configRef = stack.configure({ auth: { type: 'session', sessionId }, baseUrl: mdm.url });
    const call = { configRef, ...BONN };

    await invokeSource(masterRead, call);
    mdm.sessions.expireAll();
    const problem = await problemOf(masterRead, call);

    expect(problem).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 502, upstreamStatus: 401 });
    expect(mdm.logins).toBe(1);
  });

  it('a passed-through session needs a baseUrl', async () => {
    const configRef = stack.configure({ auth: { type: 'session', sessionId: 's' }, baseUrl: undefined });

    const problem = await problemOf(masterRead, { configRef, businessEntity: 'c360.city', businessId: '1' });

    expect(problem).toMatchObject({
      type: 'CONNECTOR:CONFIGURATION',
      errors: [{ pointer: '/mdm/baseUrl', message: 'is required' }],
    });
  });
});

it('an API that refuses every session does not cause a login for every call', async () => {
  const { mdm, read, problem } = await tenant();
  await read();
  mdm.misbehave({ path: '/business-entity', status: 401, times: null });

  for (let call = 0; call < 20; call++)
    expect(await problem(4000)).toMatchObject({ status: 502, upstreamStatus: 401, retryable: true });

  expect(mdm.logins).toBeLessThanOrEqual(2);
});

it('a hanging renewal fails no call while the old token lives', async () => {
  const { mdm, read } = await tenant({ session: { kind: 'jwt', lifetimeMs: 20_000 } });
  const openedAt = Date.now();
  await read();
  mdm.misbehave({ path: '/saas', delayMs: 60_000, times: null });
  // within its last fifth, so renewal is due
  await waitUntil(endOfSession(mdm) - (endOfSession(mdm) - openedAt) * 0.18);

  const waited: boolean[] = [];
  while (Date.now() < endOfSession(mdm) - 100 && waited.length < 5) {
    const leftMs = endOfSession(mdm) - Date.now();
    const startedAt = performance.now();
    await read();
    waited.push(performance.now() - startedAt > leftMs / 8); // a call that waits for the renewal takes twice as long
  }

  const [first, ...others] = waited;
  expect(first).toBe(true);
  expect(others).toContain(false); // only the first waits; on a busy machine, a call may take as long
  mdm.behave();
}, 30_000);

it('a hanging renewal delays a call by a second at most, however long the old token lives', async () => {
  const realNow = Date.now;
  const session = { kind: 'jwt', lifetimeMs: 30 * 60_000 } as const;
  const { mdm, read } = await tenant({ session }, { timeoutMs: 60_000 });
  await read();
  mdm.misbehave({ path: '/saas', delayMs: 90_000, times: null });
  Date.now = () => (isCalledBy('sandbox') ? realNow() : realNow() + 26 * 60_000); // renewal is due

  const startedAt = performance.now();
  await read().finally(() => (Date.now = realNow));

  expect(performance.now() - startedAt).toBeLessThan(15_000); // a quarter of what is left is a minute
  mdm.behave();
}, 90_000);

describe('a wrong clock', () => {
  const realNow = Date.now;
  afterEach(() => {
    Date.now = realNow;
  });

  it.each([
    ['ahead by an hour', 3_600_000],
    ['ahead by a day', 86_400_000],
    ['behind by an hour', -3_600_000],
  ])('a clock %s does not cause a login for every call', async (_, offsetMs) => {
    const { mdm, read } = await tenant({ session: { kind: 'jwt', lifetimeMs: 30 * 60_000 } });
    Date.now = () => (isCalledBy('sandbox') ? realNow() : realNow() + offsetMs);

    for (let call = 0; call < 10; call++) await read();

    expect(mdm.logins).toBe(1);
  });
});

/** Whether code of this folder is on the stack: the sandbox runs in this process, but simulates another machine. */
function isCalledBy(folder: string): boolean {
  return new Error().stack!.includes(`/${folder}/`);
}

it("the secret's headers are sent with the login, each once", async () => {
  const { mdm, read } = await tenant({}, { headers: { 'Content-Type': 'text/plain', 'X-Gateway': 'g' } });

  await read();

  const { headers, rawHeaders } = mdm.requests[0]!;
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-gateway': 'g' });
  expect(rawHeaders.filter((text) => /^content-type$/i.test(text))).toHaveLength(1);
});

it('the session travels in the configured header', async () => {
  const { mdm, problem } = await tenant({}, { sessionHeader: 'X-Session' });

  // the sandbox knows the usual header alone; there is no time to wait for a further login
  expect(await problem(8000)).toMatchObject({ type: 'MDM:CLIENT_ERROR', upstreamStatus: 401 });

  expect(mdm.requests.at(-1)!.headers).toMatchObject({ 'x-session': expect.stringMatching(/^sid-/) as unknown });
  expect(mdm.requests.at(-1)!.headers).not.toHaveProperty('ids-session-id');
});

describe('a refused login', () => {
  it.each([400, 401, 403])('a login refused with %i is a 502, and not retried for a while', async (status) => {
    const { mdm, problem } = await tenant();
    mdm.misbehave({
      path: '/saas',
      status,
      times: null,
      body: { error: { code: 'IDS_085', message: 'no', requestId: 'l-1' } },
    });

    const problems = [await problem(), await problem(), await problem()];

    for (const refused of problems) {
      expect(refused).toMatchObject({
        type: 'MDM:CLIENT_ERROR',
        status: 502,
        upstreamStatus: status,
        upstreamCode: 'IDS_085',
      });
    }
    expect(mdm.requests).toHaveLength(1);
  });

  it.each([
    [{ status: 503 }, { type: 'MDM:SERVER_ERROR', status: 502 }],
    [
      { status: 429, headers: { 'retry-after': '60' } },
      { type: 'MDM:CLIENT_ERROR', status: 502, retryable: true, retryAfter: '60' },
    ],
    [{ reset: true }, { type: 'MDM:CONNECTIVITY', status: 503 }],
    [{ delayMs: 1500 }, { type: 'MDM:TIMEOUT', status: 504 }],
    [
      { html: true, status: 200 },
      { type: 'MDM:SERVER_ERROR', status: 502 },
    ],
    [
      { status: 200, body: {} },
      { type: 'MDM:SERVER_ERROR', status: 502 },
    ],
    [
      { status: 302, headers: { location: '/' } },
      { type: 'MDM:CONNECTIVITY', status: 503 },
    ],
  ])('%j is not treated as a refused login', async (how, expected) => {
    const { mdm, problem, read } = await tenant();
    mdm.misbehave({ path: '/saas', times: null, ...how });

    expect(await problem(1000)).toMatchObject(expected);

    mdm.behave();
    expect((await read()).attributes.statusCode).toBe(200);
  });
});

it('a session without a baseUrl derives no other address for this machine, and reads', async () => {
  const { mdm } = await tenant();
  const configRef = stack.configure({ auth: mdm.secret.auth, baseUrl: undefined });

  const response = await invokeSource(masterRead, { configRef, ...BONN });

  expect(response.attributes.statusCode).toBe(200);
});

it.each([
  ['no products', undefined],
  ['no list of products', 'none'],
  ['a product that is null', [null]],
  ['an address without TLS', [{ name: 'Integration Cloud', baseApiUrl: 'http://pod.example' }]],
  ['an address of another scheme', [{ name: 'Integration Cloud', baseApiUrl: 'ftp://pod.example' }]],
  ['a number for an address', [{ name: 'Integration Cloud', baseApiUrl: 4711 }]],
])('a login whose response has %s is an error, and its session is sent nowhere', async (_, products) => {
  const { mdm } = await tenant();
  const configRef = stack.configure({ auth: mdm.secret.auth, baseUrl: undefined });
  mdm.misbehave({ path: '/saas', status: 200, body: { userInfo: { sessionId: 'S1' }, products }, times: null });

  const problem = await problemOf(masterRead, { configRef, ...BONN }, { timeoutMs: 4000 });

  expect(problem).toMatchObject({ type: 'MDM:SERVER_ERROR', status: 502 });
  expect(problem.detail).toMatch(/without a session, or without an HTTPS address of the API/);
  expect(mdm.requests.every(({ url }) => url.startsWith('/saas'))).toBe(true);
});

describe('a session that ends right after its login', () => {
  it('a session that ends right after its login costs no record of a batch', async () => {
    const { mdm, configRef, read } = await tenant();
    await read();
    mdm.misbehave({ path: '/business-entity', expireSession: true, skip: 20 });
    mdm.misbehave({ path: '/business-entity', expireSession: true, skip: 12 });
    const records = times(100, (index) => ({
      sourcePKey: `b-${index}`,
      record: { name: `Batch ${index}`, country: { Code: 'DE' } },
    }));

    const { results } = await invokeSource<{ results: { error?: object }[] }>(sourceSubmitBatch, {
      configRef,
      businessEntity: 'c360.city',
      sourceSystem: 'crm',
      records,
    });

    expect(results.filter(({ error }) => error)).toEqual([]);
    expect(mdm.logins).toBeLessThanOrEqual(3);
  });

  it('a session that ends right after its login is replaced after a pause', async () => {
    const { mdm, read } = await tenant();
    await read();
    mdm.misbehave({ path: '/business-entity', status: 401, times: 6 });

    expect((await read()).attributes.statusCode).toBe(200);
    expect(mdm.logins).toBeLessThanOrEqual(3);
  });

  it('a call without time for the pause before a new login fails, and says when to retry', async () => {
    const { mdm, read, problem } = await tenant();
    await read();
    mdm.misbehave({ path: '/business-entity', status: 401, times: null });

    const { retryAfter, ...failed } = await problem(4000);

    expect(failed).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 502, upstreamStatus: 401, retryable: true });
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(Number(retryAfter)).toBeLessThanOrEqual(5);
  });
});

it('a session that the API recognizes late costs no call of a cold container, and no second login', async () => {
  const { mdm, read } = await tenant({ session: { knownAfterMs: 150 } });

  const responses = await Promise.all(times(10, () => read()));

  expect(responses.map(({ attributes }) => attributes.statusCode)).toEqual(times(10, () => 200));
  expect(mdm.logins).toBe(1);
});

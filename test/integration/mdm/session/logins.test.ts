import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { startSandboxMdm, type SandboxOptions } from '#sandbox/mdm/index.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { faultsOfSecret } from '#lib/config/config.ts';
import { invokeSource, problemOf } from '#test/support/aws/source-handler.ts';
import { use } from '#test/support/jest/use.ts';
import { startMdmStack } from '#test/support/mdm/mdm-sandbox.ts';

/*
 * The further ways to log in: each has one login for all calls, renewal, and pauses, as the usual one has.
 */

const stack = await use(startMdmStack());
const BONN = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };
const LOGIN = { 'login-identity': '/identity-service', 'login-oauth': '/ma/api/v2/user/loginOAuth' } as const;
interface Shown {
  mdm: { auth: { type: string } };
}
type Method = keyof typeof LOGIN;
const METHODS = Object.keys(LOGIN) as Method[];

/** A tenant with one record, and a configuration that logs in by a method. */
async function tenant(type: Method, options: SandboxOptions = {}, config: Record<string, unknown> = {}) {
  const mdm = await use(startSandboxMdm(options));
  mdm.records.submit({ entity: 'c360.city', ...BONN, record: { name: 'Bonn', country: { Code: 'DE' } } });
  const secret =
    type === 'login-oauth' ? mdm.oauthSecret : { ...mdm.secret, auth: { ...mdm.secret.auth, type: 'login-identity' } };
  const configRef = stack.configure({ ...secret, ...config }, { redis: { url: redis.url } });
  const read = () => invokeSource(masterRead, { configRef, ...BONN });
  const problem = () => problemOf(masterRead, { configRef, ...BONN });
  const urls = (path: string) => mdm.requests.filter(({ url }) => url.startsWith(path));
  return { mdm, configRef, secret, read, problem, urls };
}
const redis = await use(startRedisServer());
const times = <T>(count: number, act: () => T) => Array.from({ length: count }, act);

it('the example secrets in docs/sessions.md are valid, one for each method', () => {
  const page = readFileSync('docs/sessions.md', 'utf8');
  const secrets = [...page.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, text]) => JSON.parse(text!) as Shown);

  expect(secrets.map(({ mdm }) => mdm.auth.type).sort()).toEqual(METHODS.toSorted());
  expect(secrets.flatMap(faultsOfSecret)).toEqual([]);
});

describe('npm run secret -- check', () => {
  const check = async (baseUrl: string) => {
    const auth = { type: 'login-identity', loginUrl: 'https://dm-us.example.com', username: 'u', password: 'hunter2' };
    const folder = await mkdtemp(join(tmpdir(), 'secret-'));
    const file = join(folder, 'secret.json');
    await writeFile(file, JSON.stringify({ mdm: { auth, baseUrl } }));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/secret.ts', 'check', file], {
      encoding: 'utf8',
    });
    await rm(folder, { recursive: true });
    return { status, stdout, stderr };
  };

  it("npm run secret -- check warns if the API's address lacks -mdm, and prints no value", async () => {
    const { status, stdout, stderr } = await check('https://use4.dm-us.example.com');

    expect([status, stdout]).toEqual([0, expect.stringMatching(/ is valid\n$/)]);
    expect(stderr).toContain('usually ends in -mdm');
    expect(stdout + stderr).not.toMatch(/hunter2|use4/);
  });

  it('npm run secret -- check warns of no other address', async () => {
    expect((await check('https://use4-mdm.dm-us.example.com')).stderr).toBe('');
  });
});

describe('a login', () => {
  it.each(['/saas', '/ma/', '/identity-service'])('a login is found if its address ends in %s', async (path) => {
    const { mdm, secret } = await tenant('login-identity');
    const configRef = stack.configure({ ...secret, auth: { ...secret.auth, loginUrl: mdm.url + path } });

    expect((await invokeSource(masterRead, { configRef, ...BONN })).attributes.statusCode).toBe(200);
  });

  it('a login may answer 201', async () => {
    const { mdm, read } = await tenant('login-identity');
    const sessionId = mdm.sessions.open('sandbox', 'sandbox-password');
    mdm.misbehave({ path: '/identity-service', status: 201, body: { sessionId } });

    expect((await read()).attributes.statusCode).toBe(200);
  });
});

describe.each(METHODS)('%s', (type) => {
  it('a login opens one session for all waiting calls, and a second when it ends', async () => {
    const { mdm, read, urls } = await tenant(type);

    await Promise.all(times(20, read));
    mdm.sessions.expireAll();
    await Promise.all(times(20, read));

    expect(mdm.logins).toBe(2);
    expect(urls(LOGIN[type]).map(({ method, status }) => [method, status])).toEqual([
      ['POST', 200],
      ['POST', 200],
    ]);
  });

  it('a refused login is followed by a pause, and its error repeats no credentials', async () => {
    const { mdm, secret, problem } = await tenant(type);
    mdm.sessions.password = 'another';
    mdm.misbehave({ path: '/idp', status: 401, times: null, body: { error_description: 'No sandbox-client here' } });

    const problems = [await problem(), await problem(), await problem()];

    for (const one of problems) {
      expect(one).toMatchObject({ type: 'MDM:CLIENT_ERROR', status: 502, upstreamStatus: 401, outcome: 'not-sent' });
    }
    expect(mdm.requests).toHaveLength(1);
    const { auth } = secret;
    const values = 'clientSecret' in auth ? [auth.clientSecret, auth.clientId] : [auth.password];
    for (const value of values) expect(JSON.stringify(problems)).not.toContain(value);
  });

  it('20 containers that share a session log in once', async () => {
    const { mdm, read } = await tenant(type, {}, { sessionStore: 'redis' });

    await Promise.all(times(20, read));

    expect(mdm.logins).toBe(1);
    expect(await redis.command('KEYS', 'mdm-session:*')).not.toEqual([]);
  });
});

describe('login-identity', () => {
  it('login-identity is renewed before the expiry that its response names', async () => {
    const { mdm, read } = await tenant('login-identity', { session: { lifetimeMs: 1500 } });
    await read();
    await new Promise((resolve) => setTimeout(resolve, 1300)); // in its last fifth, before the API refuses it

    await read();

    expect(mdm.logins).toBe(2);
    expect(mdm.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('login-identity needs a baseUrl, because its response has no address', () => {
    const auth = { type: 'login-identity', loginUrl: 'https://h', username: 'u', password: 'p' };

    expect(faultsOfSecret({ mdm: { auth } })).toEqual([{ pointer: '/mdm/baseUrl', message: 'is required' }]);
  });
});

describe('login-oauth', () => {
  it("login-oauth takes a new token for each login, and finds the API's address", async () => {
    const { mdm, read, urls } = await tenant('login-oauth', {}, { baseUrl: undefined });
    await read();
    mdm.sessions.expireAll();
    await read();

    const tokens = urls(LOGIN['login-oauth']).map(({ body }) => JSON.parse(body) as Record<string, string>);
    expect(new Set(tokens.map(({ oauthToken }) => oauthToken)).size).toBe(2);
    expect(tokens[0]).toMatchObject({ orgId: 'org-1' });
    expect(urls('/idp')).toHaveLength(2);
  });

  it('login-oauth sends the configured scope and audience, without the headers for the API', async () => {
    const mdm = await use(startSandboxMdm());
    const auth = { ...mdm.oauthSecret.auth, scope: 'api://org-1/.default', audience: 'api://org-1' };
    const configRef = stack.configure({ auth, baseUrl: mdm.url, headers: { 'x-gateway-key': 'secret-key' } });

    await problemOf(masterRead, { configRef, ...BONN });

    const [token, login] = mdm.requests;
    expect(Object.fromEntries(new URLSearchParams(token!.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'sandbox-client',
      client_secret: 'sandbox-client-secret',
      scope: 'api://org-1/.default',
      audience: 'api://org-1',
    });
    expect(token!.headers).not.toHaveProperty('x-gateway-key');
    expect(login!.headers).toHaveProperty('x-gateway-key');
  });

  it.each([
    [
      'refuses the client',
      { status: 401, body: { error: 'invalid_client' } },
      'MDM:CLIENT_ERROR',
      /gave no token \(401\)/,
    ],
    ['is out of order', { status: 503 }, 'MDM:SERVER_ERROR', /gave no token \(503\)/],
    ['gives no token', { status: 200, body: { token_type: 'Bearer' } }, 'MDM:SERVER_ERROR', /gave no token \(200\)/],
    ['gives no JSON', { status: 200, body: 'ok' }, 'MDM:SERVER_ERROR', /a body that is not JSON/],
  ])('login-oauth names the token endpoint when it %s', async (_, answer, errorType, detail) => {
    const { mdm, problem } = await tenant('login-oauth');
    mdm.misbehave({ path: '/idp', times: null, ...answer });

    const failed = await problem();

    expect(failed).toMatchObject({ type: errorType, status: 502, outcome: 'not-sent' });
    expect(failed.detail).toMatch(detail);
    if (/gave/.test(failed.detail)) expect(failed.detail).toMatch(/^The token endpoint at 127\.0\.0\.1:\d+\/idp/);
    expect(mdm.logins).toBe(0);
  });

  it.each([
    ['the token endpoint', '/idp', 'sandbox-client', 'sandbox-client-secret'],
    ['the login', LOGIN['login-oauth'], 'TOKEN-4711', 'sandbox-client-secret'],
  ])('login-oauth repeats no secret that %s puts into its refusal', async (_, path, ...secrets) => {
    const { mdm, problem } = await tenant('login-oauth');
    const message = `no such client: ${secrets.join(' and ')}`;
    mdm.misbehave({
      path,
      status: 400,
      body: { error_description: message, message, error: { message } },
      times: null,
    });
    mdm.misbehave({ path: '/idp', status: 200, body: { access_token: 'TOKEN-4711' } });

    const failed = JSON.stringify(await problem());

    expect(failed).toContain('no such client');
    for (const secret of secrets) expect(failed).not.toContain(secret);
  });

  it('login-oauth tries a changed client secret immediately', async () => {
    const { mdm, configRef, secret, problem, read } = await tenant('login-oauth');
    const withSecret = (clientSecret: string) =>
      stack.secrets.set(`test/${configRef}`, {
        mdm: { ...secret, auth: { ...secret.auth, clientSecret } },
        redis: { url: redis.url },
      });
    withSecret('wrong');
    await problem();
    withSecret('sandbox-client-secret');
    await new Promise((resolve) => setTimeout(resolve, 1100)); // the secret is read again once a second

    expect((await read()).attributes.statusCode).toBe(200);
    expect(mdm.logins).toBe(1);
  });

  it('login-oauth refuses an unencrypted token URL and unknown members', () => {
    const auth = {
      type: 'login-oauth',
      loginUrl: 'https://h',
      orgId: 'o',
      clientId: 'c',
      clientSecret: 's',
      tokenUrl: 'http://idp.example/token?a=1',
      password: 'hunter2',
    };

    const faults = faultsOfSecret({ mdm: { auth } });

    expect(faults.map(({ pointer }) => pointer).sort()).toEqual([
      '/mdm/auth/password',
      '/mdm/auth/tokenUrl',
      '/mdm/auth/tokenUrl',
    ]);
    expect(JSON.stringify(faults)).not.toMatch(/hunter2|idp/);
  });
});

describe('modelVersion', () => {
  const versions = (requests: readonly { url: string; headers: object }[]) =>
    requests
      .filter(({ url }) => url.startsWith('/business-entity'))
      .map(({ headers }) => (headers as Record<string, string>).model_version);

  it('modelVersion stays the same for the life of a session, and changes with the next', async () => {
    const { mdm, read } = await tenant('login-identity', {}, { modelVersion: 'session' });
    await Promise.all(times(3, read));
    await new Promise((resolve) => setTimeout(resolve, 1100)); // the service's clock has whole seconds
    mdm.sessions.expireAll();
    await read();

    const [first, second, third, refused, renewed] = versions(mdm.requests);
    expect(first).toMatch(/^\d{13}$/);
    expect([second, third, refused]).toEqual([first, first, first]);
    expect(Number(renewed)).toBeGreaterThan(Number(first));
  });

  it('modelVersion is sent only if it is configured', async () => {
    const { mdm, read } = await tenant('login-identity');
    await read();

    expect(versions(mdm.requests)).toEqual([undefined]);
  });
});

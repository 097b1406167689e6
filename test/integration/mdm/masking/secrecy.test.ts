import { describe, expect, it } from '@jest/globals';
import { type Misbehaviour, startSandboxMdm } from '#sandbox/mdm/index.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { use } from '#test/support/jest/use.ts';
import { startContainer } from '#test/support/aws/container.ts';

const PASSWORD = 'password-hunter2';
const KEY = 'key-of-erika-mustermann';
const SECRETS = [PASSWORD, KEY, 'sid-', 'Mustermann'];

const mdm = await use(startSandboxMdm({ password: PASSWORD }));
const refused = { ...mdm.secret, auth: { ...mdm.secret.auth, password: `${PASSWORD}-old` } };
const unreachable = { ...mdm.secret, baseUrl: 'http://127.0.0.1:1' };
const secrets = await use(
  startSecretsManager({
    'test/default': { mdm: mdm.secret },
    'test/refused': { mdm: refused },
    'test/unreachable': { mdm: unreachable },
    'test/misfit': { mdm: { ...mdm.secret, timeoutMs: PASSWORD } },
  }),
);
const lambda = await use(startContainer(secrets, { LOG_LEVEL: 'debug' }));
await lambda.post('/mdm/master-read', { businessEntity: 'c360.person', businessId: '1' });
const session = String(mdm.requests.at(-1)!.headers['ids-session-id']);

/** An error that repeats what it should not. */
const echo = (session: string) => ({
  errorCode: 'E_1',
  errorSummary: `Bad key ${KEY} of session ${session}`,
  errorDetail: { details: [{ message: KEY }] },
});
const WAYS: [string, Misbehaviour, string?][] = [
  ['an error that repeats both', { status: 409, body: echo }],
  ['an error code that is the key', { status: 400, body: { errorCode: `${KEY} is no code` } }],
  ['a record that is not there', {}],
  ['a reset', { reset: true, times: 3 }],
  ['a cut body', { cut: true, times: 3 }],
  ['a timeout', { delayMs: 3000 }],
  ['an expired session', { expireSession: true }],
  ['a redirect', { status: 302, headers: { location: `/${KEY}` } }],
  ['HTML', { html: true, status: 200 }],
  ['a refused login', {}, 'refused'],
  ['no way to the API', {}, 'unreachable'],
  ['a secret that does not fit', {}, 'misfit'],
];

it.each(WAYS)(
  '%s shows no session, password or key, in its response or in the log',
  async (_, how, configRef = 'default') => {
    mdm.misbehave({ path: '/business-entity', ...how, ...(how.body === echo && { body: echo(session) }) });
    const call = { configRef, businessEntity: 'c360.person', sourceSystem: 'crm', sourcePKey: KEY };
    const before = lambda.log.length;

    const read = await lambda.post('/mdm/master-read', call, { timeoutMs: 1500 });
    const submitted = await lambda.post(
      '/mdm/source-submit',
      { ...call, record: { lastName: 'Mustermann' } },
      { timeoutMs: 1500 },
    );
    const invoked = await lambda
      .invoke<unknown>('mdm-source-read', call, { timeoutMs: 1500 })
      .catch((error: unknown) => error);
    mdm.behave();

    const shown = [read.text, submitted.text, JSON.stringify(invoked), ...lambda.log.slice(before)].join('\n');
    expect(read.status).toBeGreaterThanOrEqual(400);
    expect(lambda.log.length).toBeGreaterThan(before);
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
  },
);

it.each<[string, Misbehaviour]>([
  ['an error', { status: 409, body: { errorCode: 'E_1' } }],
  ['HTML', { status: 200, html: true }],
  ['JSON of another shape', { status: 200, body: [1] }],
  ['a body that cannot be decompressed', { status: 200, headers: { 'content-encoding': 'gzip' }, body: [1] }],
])('%s is returned with its request id, which is neither returned nor logged if it repeats a key', async (_, how) => {
  const shownWith = async (requestId: string) => {
    mdm.misbehave({ path: '/business-entity', ...how, headers: { ...how.headers, 'infa-request-id': requestId } });
    const before = lambda.log.length;
    const call = { businessEntity: 'c360.person', sourceSystem: 'crm', sourcePKey: KEY };
    const { text } = await lambda.post('/mdm/master-read', call);
    mdm.behave();
    const { upstreamRequestId } = JSON.parse(text) as { upstreamRequestId?: string };
    return { upstreamRequestId, shown: [text, ...lambda.log.slice(before)].join() };
  };

  expect((await shownWith('req-21')).upstreamRequestId).toBe('req-21');
  for (const requestId of [`read-${KEY}`, `read-${encodeURIComponent(KEY)}-${'x'.repeat(400)}`]) {
    const { upstreamRequestId, shown } = await shownWith(requestId);
    expect(upstreamRequestId).toBeUndefined();
    expect(shown).not.toContain(KEY);
  }
});

it('a record with a long text does not turn a refusal into an internal error', async () => {
  const text = 'Lorem ipsum dolor sit amet, consectetur. '.repeat(2_500);
  const call = { businessEntity: 'c360.person', sourceSystem: 'crm', sourcePKey: KEY };
  mdm.misbehave({
    path: '/business-entity',
    status: 400,
    body: { errorSummary: `${KEY}: "${text.slice(0, 300)}" is long` },
  });
  const before = lambda.log.length;

  const { status, text: problem } = await lambda.post('/mdm/source-submit', { ...call, record: { text } });

  expect(status).toBe(400);
  expect(JSON.parse(problem)).toMatchObject({
    type: 'MDM:CLIENT_ERROR',
    detail: expect.stringMatching(/: "…" is long$/),
  });
  expect([problem, ...lambda.log.slice(before)].join()).not.toMatch(/ipsum|sid-|key-of/);
});

it('a failed login does not repeat the credentials', async () => {
  secrets.set('test/fresh', { mdm: mdm.secret });
  const body = { error: { code: PASSWORD, message: `cannot read {"password":"${PASSWORD}"}` } };
  mdm.misbehave({ path: '/saas', status: 500, body });
  const before = lambda.log.length;

  const { text } = await lambda.post('/mdm/master-read', {
    configRef: 'fresh',
    businessEntity: 'c360.person',
    businessId: '1',
  });

  expect(JSON.parse(text)).toMatchObject({ type: 'MDM:SERVER_ERROR', upstreamStatus: 500 });
  expect([text, ...lambda.log.slice(before)].join()).not.toContain(PASSWORD);
});

it('a failed login does not repeat a configured header, such as the key of a gateway', async () => {
  secrets.set('test/gateway', { mdm: { ...mdm.secret, headers: { 'x-api-key': 'gateway-key-4711' } } });
  const body = { errorSummary: 'The key gateway-key-4711 has expired' };
  mdm.misbehave({ path: '/saas', status: 403, body });
  const before = lambda.log.length;

  const { text } = await lambda.post('/mdm/master-read', {
    configRef: 'gateway',
    businessEntity: 'c360.person',
    businessId: '1',
  });

  expect((JSON.parse(text) as { detail: string }).detail).toMatch(/\(403\): The key … has expired$/);
  expect([text, ...lambda.log.slice(before)].join()).not.toContain('gateway-key-4711');
});

describe('a failing http-request', () => {
  const path = `/business-entity/public/api/v1/entity/c360.person/crm/${encodeURIComponent('Erika M/2')}`;
  const call = {
    method: 'POST',
    path,
    query: { ssn: '123-45' },
    headers: { 'x-key': 'apikey7' },
    body: { income: 48_211 },
  };
  const fail = async (errorSummary: string, more: object = {}) => {
    mdm.misbehave({ path: '/business-entity', status: 409, body: { errorSummary } });
    const { text } = await lambda.post('/mdm/http-request', { ...call, ...more });
    return (JSON.parse(text) as { detail: string }).detail;
  };

  it('a failing http-request shows no value of its call that the API repeats, encoded or not', async () => {
    const detail = await fail('Erika M/2, Erika%20M%2F2, ssn 123-45, key apikey7, income 48211');

    expect(detail).toBe('The master data API answered 409: …, …, ssn …, key …, income …');
  });

  it('a failing http-request shows no word of a text body', async () => {
    const detail = await fail('Mustermann and Müller are unknown', { body: 'name=Mustermann&other=M%C3%BCller' });

    expect(detail).toBe('The master data API answered 409: … and … are unknown');
  });

  it("a failing http-request keeps the API's ordinary words", async () => {
    const message = 'The business-entity API v1: this entity is public, its view and search are not';

    expect(await fail(message)).toBe(`The master data API answered 409: ${message}`);
  });

  it('a failing http-request keeps an error code and a request id that share words with the path', async () => {
    const headers = { 'INFA-REQUEST-ID': 'import-1-job' };
    mdm.misbehave({ path: '/import', status: 409, headers, body: { errorCode: 'IMPORT_JOB_RUNNING' } });

    const { text } = await lambda.post('/mdm/http-request', {
      method: 'POST',
      path: '/import/job',
      query: { page: '1' },
    });

    expect(JSON.parse(text)).toMatchObject({ upstreamCode: 'IMPORT_JOB_RUNNING', upstreamRequestId: 'import-1-job' });
  });
});

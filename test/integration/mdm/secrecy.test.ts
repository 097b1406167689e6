import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Misbehaviour } from '../../../scripts/sandbox/mdm/index.ts';
import { startLambda, type Lambda } from '../../../scripts/sandbox/lambda.ts';
import { startSandboxMdm, type SandboxMdm } from '../../../scripts/sandbox/mdm/index.ts';
import { startSecretsManager, type SecretsManager } from '../../../scripts/sandbox/secrets-manager.ts';

const PASSWORD = 'password-hunter2';
const KEY = 'key-of-erika-mustermann';
const SECRETS = [PASSWORD, KEY, 'sid-', 'Mustermann'];

let mdm: SandboxMdm;
let secrets: SecretsManager;
let lambda: Lambda;
let session: string;
beforeAll(async () => {
  mdm = await startSandboxMdm({ password: PASSWORD });
  const refused = { ...mdm.secret, auth: { ...mdm.secret.auth, password: `${PASSWORD}-old` } };
  const unreachable = { ...mdm.secret, baseUrl: 'http://127.0.0.1:1' };
  secrets = await startSecretsManager({
    'test/default': { mdm: mdm.secret },
    'test/refused': { mdm: refused },
    'test/unreachable': { mdm: unreachable },
    'test/misfit': { mdm: { ...mdm.secret, timeoutMs: PASSWORD } },
  });
  lambda = await startLambda({
    env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, LOG_LEVEL: 'debug' },
  });
  await lambda.post('/mdm/master-read', { businessEntity: 'c360.person', businessId: '1' });
  session = String(mdm.requests.at(-1)!.headers['ids-session-id']);
});
afterAll(async () => {
  await Promise.all([lambda.stop(), secrets.close(), mdm.close()]);
});

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
  '%s tells neither session nor password nor key, in its answer or in the log',
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

    const told = [read.text, submitted.text, JSON.stringify(invoked), ...lambda.log.slice(before)].join('\n');
    expect(read.status).toBeGreaterThanOrEqual(400);
    expect(lambda.log.length).toBeGreaterThan(before);
    for (const secret of SECRETS) expect(told).not.toContain(secret);
  },
);

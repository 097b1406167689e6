import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as xadd } from '#functions/stream/xadd/handler.ts';
import { CAUSES, type CauseName } from '#lib/contract/causes.ts';
import { freePort, startRedisServer } from '#sandbox/redis/redis-server.ts';
import { problemOf } from '../../support/aws/source-handler.ts';
import { use } from '../../support/jest/use.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { makeCertificates } from '../../support/redis/certificates.ts';
import { startSilentPort } from '../../support/redis/silent-port.ts';

/*
 * Broken worlds, each with the error that a caller gets: status, type, a text that names the place and the fault, and
 * the likely cure. The table of causes is also docs/guides/troubleshooting.md.
 */

const stack = await use(startMdmStack());
const plain = await use(startRedisServer());
const certificates = await use(makeCertificates(['IP:127.0.0.1']));
const otherName = await use(makeCertificates(['DNS:redis.example']));
const startTls = async (args: (port: number) => string[]) => {
  const port = await freePort();
  await use(startRedisServer({ args: args(port) }));
  return port;
};
const tls = await startTls((port) => certificates.besides(port));
const tlsOther = await startTls((port) => otherName.besides(port));
const tlsClient = await startTls((port) => certificates.besides(port, 'yes'));
const replica = await use(startRedisServer());
await replica.command('REPLICAOF', '127.0.0.1', '1');
await plain.command('ACL', 'SETUSER', 'reader', 'on', '>pass', '~*', '+xrange');
const unanswered = await startSilentPort();
const mute = await startMute();
await use(Promise.resolve({ close: closeBoth }));
const closed = await freePort();

async function closeBoth(): Promise<void> {
  unanswered.close();
  mute.close();
}

let configRefs = 0;
const withRedis = (redis: object) => {
  const configRef = `redis-${++configRefs}`;
  stack.secrets.set(`test/${configRef}`, { redis });
  return configRef;
};
afterEach(() => {
  stack.mdm.behave();
  stack.secrets.failWith(undefined);
});

/** Takes connections, and says nothing. */
async function startMute() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const local = (port: number) => `127.0.0.1:${port}`;
const silentPort = Number(new URL(unanswered.url).port);

type Redis = [
  world: string,
  redis: object,
  expected: { cause: CauseName; status: number; type?: string; detail: RegExp },
];

const REDIS: Redis[] = [
  [
    'a host without an address',
    { url: 'redis://no-such-host.invalid:6379' },
    {
      cause: 'redis-no-address',
      status: 503,
      detail: /^Redis is out of reach: no-such-host\.invalid:6379 has no address \((ENOTFOUND|EAI_AGAIN)\)$/,
    },
  ],
  [
    'a port that nothing listens at',
    { url: `redis://u:pass@${local(closed)}` },
    {
      cause: 'redis-refused',
      status: 503,
      detail: /nothing accepts connections at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/,
    },
  ],
  [
    'dropped packets',
    { url: `redis://${local(silentPort)}`, connectTimeoutMs: 300 },
    { cause: 'redis-unanswered', status: 504, detail: /no answer to the connection to 127\.0\.0\.1:\d+$/ },
  ],
  [
    'a server that takes the connection and says nothing',
    { url: `redis://:pass@${local(mute.port)}`, connectTimeoutMs: 300 },
    { cause: 'redis-silent', status: 504, detail: /127\.0\.0\.1:\d+ took the connection, but does not reply$/ },
  ],
  [
    'a TLS URL of a plain server',
    { url: `rediss://${local(plain.port)}`, connectTimeoutMs: 600 },
    { cause: 'redis-no-tls', status: 503, detail: /127\.0\.0\.1:\d+ does not speak TLS$/ },
  ],
  [
    'a plain URL of a TLS server',
    { url: `redis://${local(tls)}` },
    { cause: 'redis-speaks-tls', status: 503, detail: /127\.0\.0\.1:\d+ speaks TLS$/ },
  ],
  [
    'a plain URL with a password of a TLS server',
    { url: `redis://:pass@${local(tls)}` },
    { cause: 'redis-speaks-tls', status: 503, detail: /127\.0\.0\.1:\d+ speaks TLS$/ },
  ],
  [
    'a certificate of a private CA',
    { url: `rediss://${local(tls)}` },
    {
      cause: 'redis-certificate',
      status: 503,
      detail: /the certificate of 127\.0\.0\.1:\d+ is not trusted \([A-Z_]+\)$/,
    },
  ],
  [
    'a certificate for another name',
    { url: `rediss://${local(tlsOther)}`, ca: otherName.ca },
    { cause: 'redis-certificate-name', status: 503, detail: /is for another name \(ERR_TLS_CERT_ALTNAME_INVALID\)$/ },
  ],
  [
    'a server that asks for a certificate of the client',
    { url: `rediss://${local(tlsClient)}`, ca: certificates.ca },
    { cause: 'redis-client-certificate', status: 503, detail: /ended the TLS connection before it answered \(\w+\)$/ },
  ],
  [
    'Sentinel mode against a plain server',
    { mode: 'sentinel', nodes: [plain.url], sentinelName: 'orders' },
    {
      cause: 'redis-no-sentinel',
      status: 500,
      type: 'CONNECTOR:CONFIGURATION',
      detail: /^127\.0\.0\.1:\d+ is no Sentinel$/,
    },
  ],
  [
    'the address of a replica',
    { url: replica.url },
    { cause: 'redis-replica', status: 503, detail: /^READONLY .*: 127\.0\.0\.1:\d+ is a replica$/ },
  ],
  [
    'a wrong password',
    { url: `redis://:wrong@${local(plain.port)}`.replace('//:', '//nobody:') },
    { cause: 'redis-login', status: 502, detail: /^WRONGPASS/ },
  ],
  [
    'a user without the right',
    { url: `redis://reader:pass@${local(plain.port)}` },
    { cause: 'redis-right', status: 502, detail: /^NOPERM/ },
  ],
];

describe('an XADD', () => {
  it.each(REDIS)('names the cause and the cure of %s', async (_, redis, { cause, detail, status, type }) => {
    const configRef = withRedis(redis);

    const problem = await problemOf(xadd, { configRef, key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ type: type ?? 'STREAM:COMMAND', status, hint: CAUSES[cause].hint });
    expect(problem.detail).toMatch(detail);
    expect(JSON.stringify(problem)).not.toContain('pass@');
  });

  it('was not sent to a server of another kind, so that it is retryable', async () => {
    const problem = await problemOf(xadd, {
      configRef: withRedis({ url: `redis://${local(tls)}` }),
      key: 's',
      entry: { a: '1' },
    });

    expect(problem).toMatchObject({ outcome: 'not-sent', retryable: true });
  });

  it('says that a connected server is late, and not that it is out of reach', async () => {
    const configRef = withRedis({ url: plain.url, commandTimeoutMs: 300 });
    await problemOf(xadd, { configRef, key: 's', entry: {} }).catch(() => {});
    await plain.command('SET', 'text', '1');
    await problemOf(xadd, { configRef, key: 'text', entry: { a: '1' } });
    await plain.command('CLIENT', 'PAUSE', '800', 'ALL');

    const problem = await problemOf(xadd, { configRef, key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ status: 504, outcome: 'unknown', hint: CAUSES['redis-slow'].hint });
    expect(problem.detail).toMatch(/connected to 127\.0\.0\.1:\d+, but the reply is late$/);
  });
});

describe('a secret', () => {
  it.each<[string, string, string | undefined, CauseName, number]>([
    ['AWS denies', 'AccessDeniedException', undefined, 'secret-denied', 500],
    [
      'is sealed with a key that the role may not use',
      'AccessDeniedException',
      'Access to KMS is not allowed',
      'secret-key',
      500,
    ],
    ['cannot be decrypted', 'DecryptionFailure', undefined, 'secret-key', 500],
    ['is scheduled for deletion', 'InvalidRequestException', undefined, 'secret-withdrawn', 500],
    ['is throttled', 'ThrottlingException', undefined, 'secret-throttled', 500],
    ['does not exist', 'ResourceNotFoundException', undefined, 'secret-missing', 400],
  ])('that %s is named with what to do: %s', async (_, errorType, message, cause, status) => {
    stack.secrets.failWith(errorType, message);

    const problem = await problemOf(xadd, { configRef: `secret-${++configRefs}`, key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ status, hint: CAUSES[cause].hint });
    if (status === 500)
      expect(problem.detail).toMatch(new RegExp(`configRef secret-\\d+ cannot be read: .*\\(${errorType}\\)$`));
  });

  it.each<[string, string, CauseName]>([
    ['empty', '', 'secret-empty'],
    ['not JSON', '{', 'secret-not-json'],
  ])('that is %s is named', async (_, text, cause) => {
    stack.secrets.set('test/odd', text);

    const problem = await problemOf(xadd, { configRef: 'odd', key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ status: 500, type: 'CONNECTOR:CONFIGURATION', hint: CAUSES[cause].hint });
  });

  it('with a byte order mark is read', async () => {
    stack.secrets.set('test/bom', `\uFEFF${JSON.stringify({ redis: { url: plain.url } })}`);

    const problem = await problemOf(xadd, { configRef: 'bom', key: 'text', entry: { a: '1' } });

    expect(problem).toMatchObject({ type: 'STREAM:WRONG_TYPE' });
  });

  it.each([
    ['a #', 'pa#ss', /write # as %23/],
    ['a /', 'pa/ss', /write \/ as %2F/],
    ['a ? after a digit', '1?x', /write \? as %3F/],
    ['a %', 'pa%ss', /write %25/],
  ])('whose password for Redis has %s says how to write it', async (_, password, message) => {
    const configRef = withRedis({ url: `redis://u:${password}@${local(plain.port)}` });

    const problem = await problemOf(xadd, { configRef, key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ status: 500, type: 'CONNECTOR:CONFIGURATION' });
    expect(problem.detail).toMatch(message);
    expect(problem.detail).not.toContain(password);
  });
});

describe('a call of the MDM', () => {
  const read = (configRef: string) =>
    problemOf(masterRead, { configRef, businessEntity: 'c360.city', businessId: 'KEY-4711' }, { timeoutMs: 2500 });
  const auth = (more: object) => stack.configure({ auth: { ...(stack.mdm.secret.auth as object), ...more } });
  const html = (title: string) => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: `<!DOCTYPE html><title>${title}</title>`,
  });

  it.each<[string, () => string, CauseName, number, RegExp]>([
    [
      'a login host without an address',
      () => auth({ loginUrl: 'https://no-such-host.invalid' }),
      'mdm-no-address',
      503,
      /^The connection to the login at no-such-host\.invalid\/saas\/\S+ failed: the host has no address \(E\w+\)$/,
    ],
    [
      'a login port that nothing listens at',
      () => auth({ loginUrl: `http://${local(closed)}` }),
      'mdm-refused',
      503,
      /the login at 127\.0\.0\.1:\d+\/saas\/\S+ failed: nothing accepts it \(ECONNREFUSED\)$/,
    ],
    [
      'a login that speaks no TLS',
      () => auth({ loginUrl: stack.mdm.url.replace('http:', 'https:') }),
      'mdm-no-tls',
      503,
      /the login at .* does not speak TLS/,
    ],
    [
      'a login that is not there',
      () => {
        stack.mdm.misbehave({ path: '/saas', status: 404, html: true, times: null });
        return auth({});
      },
      'mdm-login-not-found',
      502,
      /^The login at 127\.0\.0\.1:\d+\/saas\/\S+ answered 404 \(text\/html\): it has no login$/,
    ],
    [
      'a login page in place of a login',
      () => {
        stack.mdm.misbehave({ path: '/saas', ...html('Sign in – Corp'), times: null });
        return auth({});
      },
      'mdm-html',
      502,
      /^The login at 127\.0\.0\.1:\d+\/saas\/\S+ answered with an HTML page, title “Sign in – Corp”$/,
    ],
    [
      'a wrong password',
      () => auth({ password: 'wrong-password' }),
      'mdm-login-refused',
      502,
      /^The login at \S+ refused the login of the configuration \(401\): The user name or password is not valid\.$/,
    ],
    [
      'a login without a session',
      () => {
        stack.mdm.misbehave({ path: '/saas', status: 200, body: {}, times: null });
        return auth({});
      },
      'mdm-login-incomplete',
      502,
      /^The login at \S+ answered without a session/,
    ],
    [
      'an API port that nothing listens at',
      () => stack.configure({ baseUrl: `http://${local(closed)}` }),
      'mdm-refused',
      503,
      /^The connection to the master data API at 127\.0\.0\.1:\d+ failed: nothing accepts it \(ECONNREFUSED\)$/,
    ],
    [
      'an API whose packets are dropped',
      () => stack.configure({ baseUrl: unanswered.url, timeoutMs: 300 }),
      'mdm-unanswered',
      504,
      /^The master data API at 127\.0\.0\.1:\d+ did not answer in time: no answer to the connection$/,
    ],
    [
      'an API that is late',
      () => {
        stack.mdm.misbehave({ path: '/business-entity', delayMs: 3000, times: null });
        return stack.configure({ timeoutMs: 300 });
      },
      'mdm-slow',
      504,
      /did not answer in time: connected, but the response is late$/,
    ],
    [
      'a captive portal',
      () => {
        stack.mdm.misbehave({ path: '/business-entity', ...html('Welcome to the hotel'), times: null });
        return auth({});
      },
      'mdm-html',
      502,
      /^The master data API at 127\.0\.0\.1:\d+ answered with an HTML page, title “Welcome to the hotel”$/,
    ],
    [
      'a page that repeats the key',
      () => {
        stack.mdm.misbehave({ path: '/business-entity', ...html('No page for KEY-4711'), times: null });
        return auth({});
      },
      'mdm-html',
      502,
      /^The master data API at 127\.0\.0\.1:\d+ answered with an HTML page$/,
    ],
  ])('names the cause and the cure of %s', async (_, configure, cause, status, detail) => {
    const problem = await read(configure());

    expect(problem).toMatchObject({ status, hint: CAUSES[cause].hint });
    expect(problem.detail).toMatch(detail);
    expect(JSON.stringify(problem)).not.toMatch(/KEY-4711|wrong-password|sandbox-password/);
  });

  it('takes a login that is answered with 201', async () => {
    stack.mdm.misbehave({
      path: '/saas',
      status: 201,
      body: { userInfo: { sessionId: 'S1' }, products: [{ name: 'x', baseApiUrl: stack.mdm.url }] },
    });

    const problem = await read(auth({}));

    expect(problem).not.toMatchObject({ hint: CAUSES['mdm-login-incomplete'].hint });
    expect(problem.detail).not.toMatch(/login/);
  });
});

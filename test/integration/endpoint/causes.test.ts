import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { handler as consumer } from '#functions/consumer/consumer/handler.ts';
import { handler as masterRead } from '#functions/mdm/master-read/handler.ts';
import { handler as xadd } from '#functions/stream/xadd/handler.ts';
import type { Report } from '#lib/consumer/report.ts';
import { CAUSES, type CauseName } from '#lib/contract/causes.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { postSource, problemOf } from '../../support/aws/source-handler.ts';
import { use } from '../../support/jest/use.ts';
import { startMdmStack } from '../../support/mdm/mdm-sandbox.ts';
import { makeCertificates } from '../../support/redis/certificates.ts';
import { startRedisSentinel } from '../../support/redis/redis-sentinel.ts';
import { startSilentPort } from '../../support/redis/silent-port.ts';
import { startTcpProxy } from '../../support/redis/tcp-proxy.ts';
import { listen } from '#sandbox/network/listen.ts';

/*
 * Broken worlds, each with the error that a caller gets: status, type, a text that names the place and the fault, and
 * the likely cure. The table of causes is also docs/guides/troubleshooting.md.
 */

const stack = await use(startMdmStack());
const plain = await use(startRedisServer());
const certificates = await use(makeCertificates(['IP:127.0.0.1']));
const otherName = await use(makeCertificates(['DNS:redis.example']));
const startTls = async (args: (port: number) => string[]) => {
  const { otherPort } = await use(startRedisServer({ args: (ports) => args(ports.otherPort) }));
  return otherPort;
};
const tls = await startTls((port) => certificates.besides(port));
const tlsOther = await startTls((port) => otherName.besides(port));
const tlsClient = await startTls((port) => certificates.besides(port, 'yes'));
const replica = await use(startRedisServer());
await replica.command('REPLICAOF', '127.0.0.1', '1');
const full = await use(startRedisServer({ args: ['--maxmemory', '1'] }));
const alone = await use(startRedisServer({ args: ['--min-replicas-to-write', '1'] }));
const renamed = await use(startRedisServer({ args: ['--rename-command', 'XADD', ''] }));
const moved = await use(startReplying('-MOVED 7186 10.0.0.1:6379\r\n'));
const loading = await use(startReplying('-LOADING Redis is loading the dataset in memory\r\n'));
const sentinel = await use(startRedisSentinel());
const masterless = await use(
  startReplying(`*2\r\n$9\r\n127.0.0.1\r\n$${String(replica.port).length}\r\n${replica.port}\r\n`),
);
const proxy = await use(startTcpProxy(plain.port));
const https = await use(listen(createHttpsServer(certificates.server) as unknown as Server));
const httpsClient = await use(
  listen(createHttpsServer({ ...certificates.server, ca: certificates.ca, requestCert: true }) as unknown as Server),
);
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

/** Says the same to every command, as a server that is in one state only. */
async function startReplying(reply: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    // one reply for each command of a pipeline
    socket.on('data', (bytes) => socket.write(reply.repeat(bytes.toString().match(/^\*\d+\r$/gm)?.length ?? 1)));
  });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close };
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
    'a server without a login that takes the connection and says nothing',
    { url: `redis://${local(mute.port)}`, commandTimeoutMs: 1500 },
    { cause: 'redis-silent', status: 504, detail: /127\.0\.0\.1:\d+ took the connection, but does not reply$/ },
  ],
  [
    'a port of another service',
    { url: `redis://${new URL(stack.mdm.url).host}` },
    { cause: 'redis-ended', status: 503, detail: /127\.0\.0\.1:\d+ ended the connection before it answered \(\w+\)$/ },
  ],
  [
    'cluster mode against a plain server',
    { mode: 'cluster', nodes: [plain.url] },
    {
      cause: 'redis-no-cluster',
      status: 500,
      type: 'CONNECTOR:CONFIGURATION',
      detail: /^Redis is not a cluster, and redis\.mode is "cluster"$/,
    },
  ],
  [
    'the URL of a node of a cluster',
    { url: `redis://${local(moved.port)}` },
    {
      cause: 'redis-cluster-node',
      status: 500,
      type: 'CONNECTOR:CONFIGURATION',
      detail: /^Redis is a node of a cluster, and redis\.mode is not "cluster"$/,
    },
  ],
  [
    'a number of a database that the server does not have',
    { url: `${plain.url}/99` },
    {
      cause: 'redis-database',
      status: 500,
      type: 'CONNECTOR:CONFIGURATION',
      detail: /^The server does not have the database number of redis\.url$/,
    },
  ],
  [
    'a Sentinel in place of a server',
    { url: sentinel.nodes[0] },
    { cause: 'redis-command', status: 422, detail: /^Redis does not know this command$/ },
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
    'a TLS port of another service',
    { url: `rediss://${new URL(https.url).host}`, ca: certificates.ca },
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
    { cause: 'redis-replica', status: 503, detail: /^127\.0\.0\.1:\d+ is a replica: READONLY .*$/ },
  ],
  [
    'a name that no Sentinel knows',
    { mode: 'sentinel', nodes: sentinel.nodes, sentinelName: 'invoices' },
    {
      cause: 'redis-sentinel-name',
      status: 500,
      type: 'CONNECTOR:CONFIGURATION',
      detail: /^No sentinel knows redis\.sentinelName$/,
    },
  ],
  [
    'a Sentinel that names a replica',
    { mode: 'sentinel', nodes: [`redis://${local(masterless.port)}`], sentinelName: 'orders' },
    { cause: 'redis-no-master', status: 503, detail: /^Redis is out of reach: no server is the master$/ },
  ],
  ['a server without memory', { url: full.url }, { cause: 'redis-full', status: 503, detail: /^OOM / }],
  [
    'a server that reads its data',
    { url: `redis://${local(loading.port)}`, connectTimeoutMs: 300 },
    { cause: 'redis-loading', status: 503, detail: /^LOADING / },
  ],
  [
    'a primary that lost its replicas',
    { url: alone.url },
    { cause: 'redis-degraded', status: 503, detail: /^NOREPLICAS / },
  ],
  [
    'a server that renames the command',
    { url: renamed.url },
    { cause: 'redis-command', status: 422, detail: /^Redis does not know this command$/ },
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
  it.each(REDIS)('an XADD names the cause and the cure of %s', async (_, redis, { cause, detail, status, type }) => {
    const configRef = withRedis(redis);

    const problem = await problemOf(xadd, { configRef, key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ type: type ?? 'STREAM:COMMAND', status, hint: CAUSES[cause].hint });
    expect(problem.detail).toMatch(detail);
    expect(JSON.stringify(problem)).not.toContain('pass@');
  });

  it('an XADD to the wrong kind of server was not sent and is retryable', async () => {
    const problem = await problemOf(xadd, {
      configRef: withRedis({ url: `redis://${local(tls)}` }),
      key: 's',
      entry: { a: '1' },
    });

    expect(problem).toMatchObject({ outcome: 'not-sent', retryable: true });
  });

  it('an XADD reports a broken connection', async () => {
    const configRef = withRedis({ url: `redis://${local(proxy.port)}` });
    await plain.command('SET', 'text', '1');
    await problemOf(xadd, { configRef, key: 'text', entry: { a: '1' } });
    proxy.cutReply();

    const problem = await problemOf(xadd, { configRef, key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ status: 503, outcome: 'unknown', hint: CAUSES['redis-broken'].hint });
    expect(problem.detail).toMatch(/^Redis is out of reach: the connection to 127\.0\.0\.1:\d+ broke \(\w+\)$/);
  });

  it('says that a connected server is late, and not that it is out of reach', async () => {
    const configRef = withRedis({ url: plain.url, commandTimeoutMs: 1000 });
    await problemOf(xadd, { configRef, key: 's', entry: {} }).catch(() => {});
    await plain.command('SET', 'text', '1');
    await problemOf(xadd, { configRef, key: 'text', entry: { a: '1' } });
    await plain.command('CLIENT', 'PAUSE', '1500', 'ALL');

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
  ])('a secret that %s is reported with what to do: %s', async (_, errorType, message, cause, status) => {
    stack.secrets.failWith(errorType, message);

    const problem = await problemOf(xadd, { configRef: `secret-${++configRefs}`, key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ status, hint: CAUSES[cause].hint });
    if (status === 500)
      expect(problem.detail).toMatch(new RegExp(`configRef secret-\\d+ cannot be read: .*\\(${errorType}\\)$`));
  });

  it.each<[string, string, CauseName]>([
    ['empty', '', 'secret-empty'],
    ['not JSON', '{', 'secret-not-json'],
  ])('a secret that is %s is reported', async (_, text, cause) => {
    stack.secrets.set('test/odd', text);

    const problem = await problemOf(xadd, { configRef: 'odd', key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ status: 500, type: 'CONNECTOR:CONFIGURATION', hint: CAUSES[cause].hint });
  });

  it('a secret with a byte order mark is read', async () => {
    stack.secrets.set('test/bom', `\uFEFF${JSON.stringify({ redis: { url: plain.url } })}`);

    const problem = await problemOf(xadd, { configRef: 'bom', key: 'text', entry: { a: '1' } });

    expect(problem).toMatchObject({ type: 'STREAM:WRONG_TYPE' });
  });

  it.each([
    ['a #', 'pa#ss', /write # as %23/],
    ['a /', 'pa/ss', /write \/ as %2F/],
    ['a ? after a digit', '1?x', /write \? as %3F/],
    ['a %', 'pa%ss', /write %25/],
    ['a space', 'pa ss', /write a space as %20/],
  ])('whose password for Redis has %s says how to write it', async (_, password, message) => {
    const configRef = withRedis({ url: `redis://u:${password}@${local(plain.port)}` });

    const problem = await problemOf(xadd, { configRef, key: 's', entry: { a: '1' } });

    expect(problem).toMatchObject({ status: 500, type: 'CONNECTOR:CONFIGURATION' });
    expect(problem.detail).toMatch(message);
    expect(problem.detail).not.toContain(password);
  });
});

it('a call reports that Secrets Manager is unreachable', async () => {
  const url = process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER;
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = `http://${local(closed)}`;
  jest.resetModules();
  const { handler } = await import('#functions/stream/xadd/handler.ts');

  const problem = await problemOf(handler, { configRef: 'far', key: 's', entry: { a: '1' } });

  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = url;
  expect(problem).toMatchObject({ status: 500, retryable: true, hint: CAUSES['secret-unreachable'].hint });
  expect(problem.detail).toMatch(/configRef far cannot be read: Secrets Manager is out of reach \(\w+\)$/);
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
      'a login with a certificate of a private CA',
      () => auth({ loginUrl: https.url.replace('http:', 'https:') }),
      'mdm-certificate',
      503,
      /^The connection to the login at 127\.0\.0\.1:\d+\/saas\/\S+ failed: its certificate is not trusted \([A-Z_]+\)$/,
    ],
    [
      'a login that demands a client certificate',
      () => {
        const loginUrl = httpsClient.url.replace('http:', 'https:');
        return stack.configure({ ca: certificates.ca, auth: { ...(stack.mdm.secret.auth as object), loginUrl } });
      },
      'mdm-client-certificate',
      503,
      /the login at 127\.0\.0\.1:\d+\/saas\/\S+ failed/,
    ],
    [
      'a proxy that nothing listens at',
      () => stack.configure({ baseUrl: 'https://mdm.invalid', proxy: `http://${local(closed)}` }),
      'mdm-proxy',
      503,
      /^The connection to the \S+.* failed: the proxy opened no tunnel \(PROXY_ECONNREFUSED\)$/,
    ],
    [
      'an API that closes the connection',
      () => {
        stack.mdm.misbehave({ path: '/business-entity', reset: true, times: null });
        return auth({});
      },
      'mdm-broken',
      503,
      /^The connection to the master data API at 127\.0\.0\.1:\d+ failed: it broke \(ECONNRESET\)$/,
    ],
    [
      'an identity provider that does not know the client',
      () => stack.configure({ auth: { ...stack.mdm.oauthSecret.auth, clientSecret: 'wrong-password' } }),
      'mdm-token',
      502,
      /gave no token \(401\)/,
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
  ])('a call of the MDM names the cause and the cure of %s', async (_, configure, cause, status, detail) => {
    const problem = await read(configure());

    expect(problem).toMatchObject({ status, hint: CAUSES[cause].hint });
    expect(problem.detail).toMatch(detail);
    expect(JSON.stringify(problem)).not.toMatch(/KEY-4711|wrong-password|sandbox-password/);
  });

  it('a call of the MDM accepts a login that answers 201', async () => {
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

it('a consumer reports that Lambda is unreachable', async () => {
  process.env.AWS_ENDPOINT_URL_LAMBDA = `http://${local(closed)}`;
  await plain.command('XADD', 'far', '*', 'a', '1');
  const asked = { configRef: withRedis({ url: plain.url }), stream: 'far', group: 'mdm', target: 'orders' };

  const { text } = await postSource(consumer, { ...asked, backoffMs: 20_000 }, { timeoutMs: 10_000 });

  const { stoppedBecause, lastFailure } = JSON.parse(text) as Report;
  expect(stoppedBecause).toBe('failing');
  expect(lastFailure).toMatchObject({ type: 'LAMBDA:CONNECTIVITY', detail: CAUSES['target-unreachable'].detail });
});

it('every cause has a test, here or in the tests of Lambda targets and writes', () => {
  const others = ['../consumer/failing.test.ts', '../mdm/records/writes.test.ts'];
  const files = [import.meta.url, ...others.map((file) => new URL(file, import.meta.url))];
  const text = files.map((file) => readFileSync(new URL(file), 'utf8')).join('\n');
  const untried = Object.keys(CAUSES).filter((name) => !text.includes(`'${name}'`));

  expect(untried).toEqual([]);
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { faultsOfSecret, forgetConfig, parseEnvironment, readConfig, rereadConfig } from '#lib/config/config.ts';
import { startSecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { readSecretsAt } from '../../support/aws/secrets-environment.ts';
import { use } from '../../support/jest/use.ts';

interface Mdm {
  loginUrl?: string;
  [name: string]: unknown;
}

const REDIS = { redis: { url: 'redis://127.0.0.1:6379' } };

const secrets = await use(startSecretsManager());
readSecretsAt(secrets.url);
beforeEach(() => forgetConfig('one'));

describe('readConfig', () => {
  it('reads the secret of a configRef once, fills in defaults and caches it', async () => {
    secrets.set('test/one', REDIS);
    const before = secrets.reads;

    const [config] = await Promise.all([readConfig('one', 'stream'), readConfig('one', 'mdm')]);

    expect(config).toMatchObject({
      redis: { mode: 'standalone', commandTimeoutMs: 5000 },
      ingest: { stream: 'source-submit', shards: 16, group: 'mdm', wake: true, consumer: {} },
    });
    expect(secrets.reads - before).toBe(1);
  });

  it('accepts consumer settings and adds no defaults to them', async () => {
    const consumer = { concurrency: 20, maxDeliveries: 3, target: 'orders' };
    secrets.set('test/one', { ...REDIS, ingest: { shards: 4, wake: false, consumer } });

    const { ingest } = await readConfig('one', 'stream');

    expect(ingest).toEqual({
      stream: 'source-submit',
      shards: 4,
      group: 'mdm',
      wake: false,
      idempotencyMs: 86_400_000,
      consumer,
    });
  });

  it('refuses unknown and invalid consumer settings', async () => {
    secrets.set('test/one', { ...REDIS, ingest: { shards: 0, consumer: { concurrency: 0, shards: 4 } } });

    await expect(readConfig('one', 'stream')).rejects.toMatchObject({
      type: 'CONNECTOR:CONFIGURATION',
      faults: expect.arrayContaining([
        { pointer: '/ingest/shards', message: 'must be at least 1' },
        { pointer: '/ingest/consumer/concurrency', message: 'must be at least 1' },
        {
          pointer: '/ingest/consumer/shards',
          message: expect.stringMatching(/^is not known: allowed are deadLetterStream, /),
        },
      ]),
    });
  });

  it('reads a configuration again after it was forgotten', async () => {
    secrets.set('test/one', REDIS);
    await readConfig('one', 'stream');
    secrets.set('test/one', { redis: { url: 'redis://127.0.0.1:1' } });
    forgetConfig('one');

    expect(await readConfig('one', 'stream')).toMatchObject({ redis: { url: 'redis://127.0.0.1:1' } });
  });

  it.each([
    ['mdm', 'MDM:CLIENT_ERROR'],
    ['stream', 'STREAM:ARGUMENT'],
  ] as const)('answers a %s caller whose configRef names no secret with an input error', async (connector, type) => {
    await expect(readConfig('absent', connector)).rejects.toMatchObject({
      type,
      status: 400,
      faults: [{ pointer: '/configRef', message: 'names no connector configuration' }],
    });
  });

  it('names every fault of a secret without showing a value', async () => {
    secrets.set('test/one', {
      mdm: { auth: { type: 'login-v3', loginUrl: 'ftp://hunter2', user: 'u' }, timeoutMs: 'hunter2' },
      redis: { mode: 'cluster' },
      extra: 'hunter2',
    });

    const error = await readConfig('one', 'mdm').catch((e: unknown) => e as Error);

    expect(error).toMatchObject({ type: 'CONNECTOR:CONFIGURATION', status: 500 });
    for (const named of [
      '/mdm/auth/password is required',
      '/mdm/auth/loginUrl must be a URL',
      '/mdm/timeoutMs must be an integer',
      '/redis/nodes is required',
      '/extra is not known',
    ]) {
      expect((error as Error).message).toContain(named);
    }
    expect((error as Error).message).not.toContain('hunter2');
  });

  it.each([
    ['credentials', { baseUrl: 'https://user:hunter2@host' }, '/mdm/baseUrl must hold no credentials'],
    ['a query', { baseUrl: 'https://host/a?hunter2' }, '/mdm/baseUrl must have no query or fragment'],
    ['an empty query', { baseUrl: 'https://host/a?' }, '/mdm/baseUrl must have no query or fragment'],
    ['a fragment', { baseUrl: 'https://host/#hunter2' }, '/mdm/baseUrl must have no query or fragment'],
    ['HTTP to another machine', { baseUrl: 'http://hunter2.example' }, '/mdm/baseUrl must be HTTPS'],
    ['HTTP to what looks like this one', { baseUrl: 'http://127.0.0.1.hunter2' }, '/mdm/baseUrl must be'],
    ['no URL', { baseUrl: 'https://hunter2:port' }, '/mdm/baseUrl must be a URL'],
    ['no host', { baseUrl: 'https://' }, '/mdm/baseUrl must be a URL'],
    ['a login with credentials', { loginUrl: 'https://u:hunter2@host' }, '/mdm/auth/loginUrl must hold no credentials'],
    ['a login over HTTP', { loginUrl: 'http://hunter2.example' }, '/mdm/auth/loginUrl must be HTTPS'],
    [
      'a login with its path',
      { loginUrl: 'https://hunter2/identity/api/v1/Login' },
      '/mdm/auth/loginUrl must be without the path',
    ],
    [
      'a login with its path and a slash',
      { loginUrl: 'https://hunter2/login/' },
      '/mdm/auth/loginUrl must be without the path',
    ],
    ['a proxy that is no URL', { proxy: 'http://hunter2:port' }, '/mdm/proxy must be a URL'],
    ['a proxy with credentials that cannot be read', { proxy: 'http://%E4:hunter2@h' }, '/mdm/proxy has credentials'],
    ['a framing header', { headers: { 'Content-Length': 'hunter2' } }, '/mdm/headers/Content-Length is a header that'],
    ['a path with a query', { paths: { search: '/s?hunter2' } }, '/mdm/paths/search must be a path'],
    ['a session header that is none', { sessionHeader: 'hunter2:' }, '/mdm/sessionHeader must be the name of a header'],
  ])('refuses %s in the mdm part without showing it', async (_, { loginUrl = 'https://host', ...mdm }: Mdm, fault) => {
    const auth = { type: 'login-v3', loginUrl, username: 'u', password: 'p' };
    secrets.set('test/one', { mdm: { auth, ...mdm } });

    const error = await readConfig('one', 'mdm').catch((e: unknown) => e as Error);

    expect(error).toMatchObject({ type: 'CONNECTOR:CONFIGURATION' });
    expect((error as Error).message).toContain(fault);
    expect((error as Error).message).not.toContain('hunter2');
  });

  it.each(['https://host', 'https://host:8443/base/', 'http://localhost:1', 'http://127.8.8.8:1', 'http://[::1]:1'])(
    'accepts the address %s',
    async (baseUrl) => {
      secrets.set('test/one', { mdm: { auth: { type: 'session', sessionId: 's' }, baseUrl } });

      await expect(readConfig('one', 'mdm')).resolves.toMatchObject({ mdm: { baseUrl } });
    },
  );

  it('accepts a proxy with credentials', async () => {
    const mdm = {
      auth: { type: 'session', sessionId: 's' },
      baseUrl: 'https://host',
      proxy: 'http://u:p%40@proxy:3128',
    };
    secrets.set('test/one', { mdm });

    await expect(readConfig('one', 'mdm')).resolves.toMatchObject({ mdm });
  });

  it('reads the secret again after a failed read', async () => {
    secrets.set('test/one', 'not json');
    await expect(readConfig('one', 'mdm')).rejects.toMatchObject({ type: 'CONNECTOR:CONFIGURATION' });
    secrets.set('test/one', REDIS);

    await expect(readConfig('one', 'mdm')).resolves.toMatchObject(REDIS);
  });

  it('reports a secret that became invalid instead of using the previous one', async () => {
    secrets.set('test/one', REDIS);
    await readConfig('one', 'stream');
    secrets.set('test/one', 'not json');

    const calls = await Promise.allSettled([rereadConfig('one', 'stream'), readConfig('one', 'stream')]);

    expect(calls).toMatchObject(Array(2).fill({ status: 'rejected', reason: { type: 'CONNECTOR:CONFIGURATION' } }));
  });
});

const MDM = { auth: { type: 'session', sessionId: 's' }, baseUrl: 'https://host' };

describe('the report on a faulty secret', () => {
  it.each<[fault: string, secret: unknown]>([
    [' must be an object', []],
    ['/mdn is not known: allowed are mdm, redis, ingest, access', { mdn: {} }],
    ['/mdm must be an object', { mdm: 'hunter2' }],
    ['/mdm/auth is required', { mdm: {} }],
    [
      '/mdm/auth/type must be one of login-v3, login-v2, login-identity, login-oauth, session',
      { mdm: { auth: { type: 'login-v9' } } },
    ],
    [
      '/mdm/auth/sessionId must be 1 to 16,384 characters of printable ASCII',
      { mdm: { ...MDM, auth: { type: 'session', sessionId: '' } } },
    ],
    ['/mdm/auth/user is not known: allowed are type, sessionId', { mdm: { ...MDM, auth: { ...MDM.auth, user: 'u' } } }],
    ['/mdm/headers/a must be text in printable ASCII', { mdm: { ...MDM, headers: { a: 5 } } }],
    ['/mdm/sessionStore must be one of memory, redis', { mdm: { ...MDM, sessionStore: 'disk' } }],
    ['/redis is required', { mdm: { ...MDM, sessionStore: 'redis' } }],
    ['/mdm/ca must be PEM, which begins with -----BEGIN', { mdm: { ...MDM, ca: 'MIIC' } }],
    ['/redis/mode must be one of standalone, cluster, sentinel', { redis: { mode: 'single', url: 'redis://h' } }],
    ['/redis/auth must be "iam"', { redis: { url: 'redis://h', auth: 'password' } }],
    ['/redis/nodes must be an array', { redis: { mode: 'cluster', nodes: 'redis://h' } }],
    ['/ingest/wake must be true or false', { ingest: { wake: 'yes' } }],
    ['/access/operations must be an array', { access: { operations: 'mdm-*' } }],
  ])('a faulty secret is reported only as: %s', (fault, secret) => {
    expect(faultsOfSecret(secret).map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([fault]);
  });
});

describe('parseEnvironment', () => {
  it('parseEnvironment names every invalid variable', () => {
    expect(() => parseEnvironment({ CONNECTOR_SECRET_TTL_MS: 'soon', LOG_LEVEL: 'loud' })).toThrow(
      /CONNECTOR_SECRET_PREFIX is required; CONNECTOR_SECRET_TTL_MS must be milliseconds, 1 to 9 digits; LOG_LEVEL must be one of/,
    );
  });

  it.each(['DEBUG', 'Warn', 'info'])('accepts the log level %s in either case', (LOG_LEVEL) => {
    expect(() => parseEnvironment({ CONNECTOR_SECRET_PREFIX: 'p/', LOG_LEVEL })).not.toThrow();
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { callStream, type Outcome } from '../support/call-stream.ts';
import { startLambda, type Lambda } from '../support/lambda.ts';
import { freePort, startRedisServer, type RedisServer, type RedisServerOptions } from '../support/redis-server.ts';
import { startSecretsManager, type SecretsManager } from '../support/secrets-manager.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const COMMAND_TIMEOUT_MS = 500;
const BOUND_MS = COMMAND_TIMEOUT_MS + 1000;

let secrets: SecretsManager;
let lambda: Lambda;
let configRef = 'c0'; // each test's own, and so its connections
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  secrets = await startSecretsManager();
  lambda = await startLambda({
    env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url },
  });
});
beforeEach(() => void (configRef = `c${Number(configRef.slice(1)) + 1}`));
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
afterAll(async () => {
  await Promise.all([lambda.stop(), secrets.close()]);
});

async function redisServer(options?: RedisServerOptions): Promise<RedisServer> {
  const server = await startRedisServer(options);
  stops.push(() => server.stop());
  return server;
}

async function proxyTo(server: RedisServer): Promise<TcpProxy> {
  const proxy = await startTcpProxy(server.port);
  stops.push(() => proxy.close());
  return proxy;
}

/** Puts the URL into the secret of this test's calls. */
function use(url: string): void {
  secrets.set(`test/${configRef}`, { redis: { url, commandTimeoutMs: COMMAND_TIMEOUT_MS } });
}

/** A call that must end in time, whatever happens. */
async function call(operation = 'xadd', parameters: object = { entry: { a: '1' } }): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await callStream(lambda, 'HTTP', operation, { configRef, key: 's', ...parameters });
  expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
  return outcome;
}

const failed = (status: number, message: string | RegExp = /./) => ({
  status,
  error: { type: 'STREAM:COMMAND', message: expect.stringMatching(message) },
});

describe('Redis that cannot be reached', () => {
  it.each([
    ['refuses', async () => `redis://127.0.0.1:${await freePort()}`],
    ['has no address', async () => 'redis://redis.invalid:6379'],
  ])('fails with 503 when the server %s', async (_what, url) => {
    use(await url());

    expect(await call()).toEqual(failed(503, 'Redis is out of reach'));
    expect(await call()).toEqual(failed(503));
  });

  it.each(['redis://127.0.0.1:port', 'redis://:password@127.0.0.1:port', 'rediss://127.0.0.1:port'])(
    'fails with 504 when the server accepts and is silent: %s',
    async (url) => {
      const proxy = await proxyTo(await redisServer());
      proxy.stall();

      use(url.replace('port', String(proxy.port)));

      expect(await call()).toEqual(failed(504, 'Redis did not answer in time'));
    },
  );
});

describe('a connection that is lost', () => {
  it('is made anew after the server was killed and started again', async () => {
    const server = await redisServer();
    use(server.url);
    await call();

    await server.kill();
    expect(await call()).toEqual(failed(503));
    await server.start();

    expect((await call()).status).toBe(200);
  });

  it('fails what is under way when it is cut, and the next call works', async () => {
    const server = await redisServer();
    const proxy = await proxyTo(server);
    use(`redis://127.0.0.1:${proxy.port}`);
    await call();

    const reading = call('xread', { key: undefined, block: 5000, streamWatermarks: [{ key: 's', id: '$' }] });
    await until(async () => String(await server.command('INFO', 'clients')).includes('blocked_clients:1'));
    proxy.cut();

    expect(await reading).toEqual(failed(503));
    expect((await call()).status).toBe(200);
  });

  it('is given up when it is half open, and the next call works', async () => {
    const proxy = await proxyTo(await redisServer());
    use(`redis://127.0.0.1:${proxy.port}`);
    await call();

    proxy.abandon();

    expect(await call()).toEqual(failed(504));
    expect((await call()).status).toBe(200);
  });

  it('fails with 504 while the server hangs, and works once it does not', async () => {
    const server = await redisServer();
    use(server.url);
    await call();

    server.freeze();
    expect(await call()).toEqual(failed(504));
    expect(await call()).toEqual(failed(504));
    server.thaw();

    expect((await call()).status).toBe(200);
  });

  it.each(['abandon', 'cut'] as const)(
    'does not fail the first call after a freeze of the container (%s)',
    async (fault) => {
      const proxy = await proxyTo(await redisServer());
      use(`redis://127.0.0.1:${proxy.port}`);
      await call();

      lambda.kill('SIGSTOP');
      await sleep(1100);
      proxy[fault]();
      lambda.kill('SIGCONT');

      expect((await call()).status).toBe(200);
      expect(proxy.connections).toBe(2);
    },
  );

  it('is kept over a rest when it is sound', async () => {
    const proxy = await proxyTo(await redisServer());
    use(`redis://127.0.0.1:${proxy.port}`);
    await call();

    await sleep(1100);
    await call();

    expect(proxy.connections).toBe(1);
  });
});

describe('a login that is refused', () => {
  const withPassword = (password: string) =>
    redisServer({ args: ['--requirepass', password], url: (port) => `redis://:${password}@127.0.0.1:${port}` });

  it.each([
    ['a wrong password', (url: string) => url.replace(':right@', ':wrong@'), /^WRONGPASS/],
    ['no password', (url: string) => url.replace(':right@', ''), /^NOAUTH/],
    ['an unknown user', (url: string) => url.replace('//:', '//nobody:'), /^WRONGPASS/],
  ])('fails with 502 for %s, and reads the secret again once a call', async (_what, change, message) => {
    const server = await withPassword('right');
    const readsBefore = secrets.reads;
    use(change(server.url));

    expect(await call()).toEqual(failed(502, message));
    expect(secrets.reads - readsBefore).toBe(2);
  });

  it('fails with 502 for a password where the server has none', async () => {
    const server = await redisServer();
    use(`redis://:password@127.0.0.1:${server.port}`);

    expect(await call()).toEqual(failed(502));
  });

  it('succeeds with a password that was changed in the secret meanwhile', async () => {
    const server = await withPassword('right');
    use(server.url.replace('right', 'old'));
    await call();

    use(server.url);

    expect((await call()).status).toBe(200);
  });

  it('never shows the password', async () => {
    const server = await withPassword('right');
    use(server.url.replace('right', 'sesame'));

    const { error } = await call();

    expect(JSON.stringify([error, lambda.log])).not.toContain('sesame');
  });
});

describe('a server that refuses', () => {
  it('fails with 422 when it is out of memory, and still acknowledges', async () => {
    const server = await redisServer({ args: ['--maxmemory', '2mb', '--maxmemory-policy', 'noeviction'] });
    use(server.url);
    await call();

    await server.command('CONFIG', 'SET', 'maxmemory', '1');

    expect(await call()).toEqual(failed(422, /^OOM/));
    expect((await call('xack', { group: 'g', ids: ['1'] })).output).toBe(0);
  });

  it('fails with 422 on a replica, and finds the master at the same address the next time', async () => {
    const [master, replica] = [await redisServer(), await redisServer()];
    await replica.command('REPLICAOF', '127.0.0.1', String(master.port));
    const proxy = await proxyTo(replica);
    use(`redis://127.0.0.1:${proxy.port}`);

    expect(await call()).toEqual(failed(422, /^READONLY/));
    proxy.target(master.port);

    expect((await call()).status).toBe(200);
  });

  it('fails with 422 while it loads, and works afterwards', async () => {
    const server = await redisServer({ args: ['--enable-debug-command', 'yes'] });
    use(server.url);
    await call();
    await server.command('DEBUG', 'POPULATE', '1000');
    await server.command('CONFIG', 'SET', 'key-load-delay', '1000', 'loading-process-events-interval-bytes', '1024');

    const loading = server.command('DEBUG', 'RELOAD');
    await sleep(200);

    expect(await call()).toEqual(failed(422, /^LOADING/));
    await loading;
    expect((await call()).status).toBe(200);
  });

  it('fails with 502 where the user may not', async () => {
    const server = await redisServer();
    await server.command('ACL', 'SETUSER', 'reader', 'on', '>x', '~*', '+xrange');
    use(`redis://reader:x@127.0.0.1:${server.port}`);

    expect(await call()).toEqual(failed(502, /^NOPERM/));
    expect((await call('xrange', { entry: undefined, start: '-', end: '+' })).status).toBe(200);
  });
});

it('tells when the secret names no Redis, or one that cannot be read', async () => {
  use('redis://:sesame@127.0.0.1:99999999');
  secrets.set('test/other', {});

  const missing = await call('xadd', { configRef: 'other', entry: { a: '1' } });
  const unreadable = await call();

  expect(missing).toMatchObject({ status: 500, error: { type: 'CONNECTOR:CONFIGURATION' } });
  expect(unreadable).toMatchObject({ status: 500, error: { type: 'CONNECTOR:CONFIGURATION' } });
  expect(JSON.stringify([unreadable, lambda.log])).not.toContain('sesame');
});

it('no call hangs while the server comes and goes', async () => {
  const server = await redisServer({ durable: true });
  use(server.url);

  const calls = Array.from({ length: 30 }, async (_, at) => {
    await sleep(at * 25);
    return call();
  });
  await sleep(200);
  await server.kill();
  await sleep(200);
  await server.start();
  const outcomes = await Promise.all(calls);

  await until(async () => (await call()).status === 200);
  expect(outcomes.at(-1)?.status).toBe(200);
  expect(outcomes.every(({ status }) => [200, 422, 503, 504].includes(status!))).toBe(true);
});

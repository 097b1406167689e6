import { afterEach, describe, expect, it } from '@jest/globals';
import { knownConfig, readConfig } from '#lib/config/config.ts';
import { Deadline } from '#lib/core/deadline.ts';
import { openRedis } from '#lib/redis/connections.ts';
import { readSecretsAt } from '../../support/aws/secrets-environment.ts';
import { failed, startFaultFixture } from '../../support/mdm/fault-fixture.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/jest/use.ts';

const fixture = await use(startFaultFixture());
afterEach(() => fixture.clear());

describe('a refused login', () => {
  const withPassword = (password: string) =>
    fixture.redisServer({ args: ['--requirepass', password], url: (port) => `redis://:${password}@127.0.0.1:${port}` });

  it.each([
    ['a wrong password', (url: string) => url.replace(':right@', ':wrong@'), /^WRONGPASS/],
    ['no password', (url: string) => url.replace(':right@', ''), /^NOAUTH/],
    ['an unknown user', (url: string) => url.replace('//:', '//nobody:'), /^WRONGPASS/],
  ])('a call fails with 502 for %s, and reads the secret again once', async (_what, change, message) => {
    const server = await withPassword('right');
    const readsBefore = fixture.secrets.reads;
    fixture.use(change(server.url));

    expect(await fixture.call()).toEqual(failed(502, message));
    expect(fixture.secrets.reads - readsBefore).toBe(2);
  });

  it('a call fails with 502 for a password if the server has none', async () => {
    const server = await fixture.redisServer();
    fixture.use(`redis://:password@127.0.0.1:${server.port}`);

    expect(await fixture.call()).toEqual(failed(502));
  });

  it('a call succeeds once the password was changed in the secret', async () => {
    const server = await withPassword('right');
    fixture.use(server.url.replace('right', 'old'));
    await fixture.call();

    fixture.use(server.url);

    expect((await fixture.call()).status).toBe(200);
  });

  it('many commands that are refused together read the secret again once, and then succeed', async () => {
    const server = await withPassword('right');
    const put = (url: string) => fixture.secrets.set('test/direct', { redis: { url } });
    readSecretsAt(fixture.secrets.url);
    put(server.url.replace('right', 'old'));
    const config = () => knownConfig('direct') ?? readConfig('direct', 'stream');
    const redis = await openRedis({ configRef: 'direct', config, deadline: Deadline.after(10_000) });
    const readsBefore = fixture.secrets.reads;
    put(server.url);

    const replies = await Promise.all(
      Array.from({ length: 50 }, () => redis.send({ key: 's', args: ['PING'], decode: (reply) => reply })),
    );

    expect(new Set(replies)).toEqual(new Set(['PONG']));
    expect(fixture.secrets.reads - readsBefore).toBe(1);
  });

  it('a refused login never shows the password', async () => {
    const server = await withPassword('right');
    fixture.use(server.url.replace('right', 'sesame'));

    const { error } = await fixture.call();

    expect(JSON.stringify([error, fixture.lambda.log])).not.toContain('sesame');
  });
});

describe('a refusing server', () => {
  it('a call fails with 503 while the server is out of memory, and can still acknowledge', async () => {
    const server = await fixture.redisServer({ args: ['--maxmemory', '2mb', '--maxmemory-policy', 'noeviction'] });
    fixture.use(server.url);
    await fixture.call();

    await server.command('CONFIG', 'SET', 'maxmemory', '1');

    expect(await fixture.call()).toEqual(failed(503, /^OOM/));
    expect((await fixture.call('xack', { group: 'g', ids: ['1'] })).output).toBe(0);
  });

  it('a call fails with 503 on a replica, and the next one finds the primary at the same address', async () => {
    const [master, replica] = [await fixture.redisServer(), await fixture.redisServer()];
    await replica.command('REPLICAOF', '127.0.0.1', String(master.port));
    const proxy = await fixture.proxyTo(replica);
    fixture.use(`redis://127.0.0.1:${proxy.port}`);

    expect(await fixture.call()).toEqual(failed(503, /is a replica: READONLY/));
    proxy.target(master.port);

    expect((await fixture.call()).status).toBe(200);
  });

  it.each([
    ['a replica that lost its primary', 503, /^MASTERDOWN/, [], ['REPLICAOF', '127.0.0.1', '1']],
    ['a node of a cluster that is down', 503, /^CLUSTERDOWN/, ['--cluster-enabled', 'yes'], ['PING']],
    ['a server that asks for a password', 502, /^NOAUTH/, [], ['CONFIG', 'SET', 'requirepass', 'x']],
  ])('a read fails on %s with %d, and the next one finds another server at the same address', async (...given) => {
    const [, status, message, args, command] = given;
    const refusing = await fixture.redisServer({
      args: ({ otherPort }) => ['--replica-serve-stale-data', 'no', '--cluster-port', String(otherPort), ...args],
    });
    await refusing.command(...command);
    const proxy = await fixture.proxyTo(refusing);
    fixture.use(`redis://127.0.0.1:${proxy.port}`);
    const read = () => fixture.call('xrange', { entry: undefined, start: '-', end: '+' });

    expect(await read()).toEqual(failed(status, message));
    proxy.target((await fixture.redisServer()).port);

    expect((await read()).status).toBe(200);
  });

  it('a call fails with 503 while the server loads, and works afterwards', async () => {
    const server = await fixture.redisServer({ args: ['--enable-debug-command', 'yes'] });
    fixture.use(server.url);
    await fixture.call();
    await server.command('DEBUG', 'POPULATE', '20000');
    await server.command('CONFIG', 'SET', 'key-load-delay', '2000', 'loading-process-events-interval-bytes', '1024');

    const loading = server.command('DEBUG', 'RELOAD');
    await until(async () => String(await server.command('INFO', 'persistence')).includes('loading:1'));

    expect(await fixture.call()).toEqual(failed(503, /^LOADING/));
    await server.command('CONFIG', 'SET', 'key-load-delay', '0');
    await loading;
    expect((await fixture.call()).status).toBe(200);
  });

  it('a call fails with 502 if the user lacks the right', async () => {
    const server = await fixture.redisServer();
    await server.command('ACL', 'SETUSER', 'reader', 'on', '>x', '~*', '+xrange');
    fixture.use(`redis://reader:x@127.0.0.1:${server.port}`);

    expect(await fixture.call()).toEqual(failed(502, /^NOPERM/));
    expect((await fixture.call('xrange', { entry: undefined, start: '-', end: '+' })).status).toBe(200);
  });
});

it('a call reports that the secret names no Redis, or an unreadable one', async () => {
  fixture.use('redis://:sesame@127.0.0.1:99999999');
  fixture.secrets.set('test/other', {});

  const missing = await fixture.call('xadd', { configRef: 'other', entry: { a: '1' } });
  const unreadable = await fixture.call();

  expect(missing).toMatchObject({ status: 500, error: { type: 'CONNECTOR:CONFIGURATION' } });
  expect(unreadable).toMatchObject({ status: 500, error: { type: 'CONNECTOR:CONFIGURATION' } });
  expect(JSON.stringify([unreadable, fixture.lambda.log])).not.toContain('sesame');
});

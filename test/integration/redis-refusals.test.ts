import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, setFaultStage, type FaultStage } from '../support/fault-stage.ts';

let stage: FaultStage;
beforeAll(async () => (stage = await setFaultStage()));
afterEach(() => stage.clear());
afterAll(() => stage.stop());

describe('a login that is refused', () => {
  const withPassword = (password: string) =>
    stage.redisServer({ args: ['--requirepass', password], url: (port) => `redis://:${password}@127.0.0.1:${port}` });

  it.each([
    ['a wrong password', (url: string) => url.replace(':right@', ':wrong@'), /^WRONGPASS/],
    ['no password', (url: string) => url.replace(':right@', ''), /^NOAUTH/],
    ['an unknown user', (url: string) => url.replace('//:', '//nobody:'), /^WRONGPASS/],
  ])('fails with 502 for %s, and reads the secret again once a call', async (_what, change, message) => {
    const server = await withPassword('right');
    const readsBefore = stage.secrets.reads;
    stage.use(change(server.url));

    expect(await stage.call()).toEqual(failed(502, message));
    expect(stage.secrets.reads - readsBefore).toBe(2);
  });

  it('fails with 502 for a password where the server has none', async () => {
    const server = await stage.redisServer();
    stage.use(`redis://:password@127.0.0.1:${server.port}`);

    expect(await stage.call()).toEqual(failed(502));
  });

  it('succeeds with a password that was changed in the secret meanwhile', async () => {
    const server = await withPassword('right');
    stage.use(server.url.replace('right', 'old'));
    await stage.call();

    stage.use(server.url);

    expect((await stage.call()).status).toBe(200);
  });

  it('never shows the password', async () => {
    const server = await withPassword('right');
    stage.use(server.url.replace('right', 'sesame'));

    const { error } = await stage.call();

    expect(JSON.stringify([error, stage.lambda.log])).not.toContain('sesame');
  });
});

describe('a server that refuses', () => {
  it('fails with 422 when it is out of memory, and still acknowledges', async () => {
    const server = await stage.redisServer({ args: ['--maxmemory', '2mb', '--maxmemory-policy', 'noeviction'] });
    stage.use(server.url);
    await stage.call();

    await server.command('CONFIG', 'SET', 'maxmemory', '1');

    expect(await stage.call()).toEqual(failed(422, /^OOM/));
    expect((await stage.call('xack', { group: 'g', ids: ['1'] })).output).toBe(0);
  });

  it('fails with 422 on a replica, and finds the master at the same address the next time', async () => {
    const [master, replica] = [await stage.redisServer(), await stage.redisServer()];
    await replica.command('REPLICAOF', '127.0.0.1', String(master.port));
    const proxy = await stage.proxyTo(replica);
    stage.use(`redis://127.0.0.1:${proxy.port}`);

    expect(await stage.call()).toEqual(failed(422, /^READONLY/));
    proxy.target(master.port);

    expect((await stage.call()).status).toBe(200);
  });

  it('fails with 422 while it loads, and works afterwards', async () => {
    const server = await stage.redisServer({ args: ['--enable-debug-command', 'yes'] });
    stage.use(server.url);
    await stage.call();
    await server.command('DEBUG', 'POPULATE', '1000');
    await server.command('CONFIG', 'SET', 'key-load-delay', '1000', 'loading-process-events-interval-bytes', '1024');

    const loading = server.command('DEBUG', 'RELOAD');
    await sleep(200);

    expect(await stage.call()).toEqual(failed(422, /^LOADING/));
    await loading;
    expect((await stage.call()).status).toBe(200);
  });

  it('fails with 502 where the user may not', async () => {
    const server = await stage.redisServer();
    await server.command('ACL', 'SETUSER', 'reader', 'on', '>x', '~*', '+xrange');
    stage.use(`redis://reader:x@127.0.0.1:${server.port}`);

    expect(await stage.call()).toEqual(failed(502, /^NOPERM/));
    expect((await stage.call('xrange', { entry: undefined, start: '-', end: '+' })).status).toBe(200);
  });
});

it('tells when the secret names no Redis, or one that cannot be read', async () => {
  stage.use('redis://:sesame@127.0.0.1:99999999');
  stage.secrets.set('test/other', {});

  const missing = await stage.call('xadd', { configRef: 'other', entry: { a: '1' } });
  const unreadable = await stage.call();

  expect(missing).toMatchObject({ status: 500, error: { type: 'CONNECTOR:CONFIGURATION' } });
  expect(unreadable).toMatchObject({ status: 500, error: { type: 'CONNECTOR:CONFIGURATION' } });
  expect(JSON.stringify([unreadable, stage.lambda.log])).not.toContain('sesame');
});

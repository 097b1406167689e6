import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, startFaultFixture } from '../../support/mdm/fault-fixture.ts';
import { freePort } from '#sandbox/network/free-port.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/jest/use.ts';

const fixture = await use(startFaultFixture());
afterEach(() => fixture.clear());

describe('an unreachable Redis', () => {
  it.each([
    ['refuses', async () => `redis://127.0.0.1:${await freePort()}`],
    ['has no address', async () => 'redis://redis.invalid:6379'],
  ])('a call fails with 503 when the server %s', async (_what, url) => {
    fixture.use(await url());

    expect(await fixture.call()).toEqual(failed(503, /^Redis is out of reach: /));
    expect(await fixture.call()).toEqual(failed(503));
  });

  it.each(['redis://127.0.0.1:port', 'redis://:password@127.0.0.1:port', 'rediss://127.0.0.1:port'])(
    'a call fails with 504 when the server accepts and is silent: %s',
    async (url) => {
      const proxy = await fixture.proxyTo(await fixture.redisServer());
      proxy.stall();

      fixture.use(url.replace('port', String(proxy.port)));

      expect(await fixture.call()).toEqual(failed(504, /^Redis did not answer in time: /));
    },
  );
});

describe('a lost connection', () => {
  it('a call reconnects after the server was killed and restarted', async () => {
    const server = await fixture.redisServer();
    fixture.use(server.url);
    await fixture.call();

    await server.kill();
    expect(await fixture.call()).toEqual(failed(503));
    await server.start();

    expect((await fixture.call()).status).toBe(200);
  });

  it('a call in flight fails when its connection is cut, and the next call works', async () => {
    const server = await fixture.redisServer();
    const proxy = await fixture.proxyTo(server);
    fixture.use(`redis://127.0.0.1:${proxy.port}`);
    await fixture.call();

    const reading = fixture.call('xread', { key: undefined, block: 5000, streamWatermarks: [{ key: 's', id: '$' }] });
    await until(async () => String(await server.command('INFO', 'clients')).includes('blocked_clients:1'));
    proxy.cut();

    expect(await reading).toEqual(failed(503));
    expect((await fixture.call()).status).toBe(200);
  });

  it('a half-open connection is given up, and the next call works', async () => {
    const proxy = await fixture.proxyTo(await fixture.redisServer());
    fixture.use(`redis://127.0.0.1:${proxy.port}`);
    await fixture.call();

    proxy.abandon();

    expect(await fixture.call()).toEqual(failed(504));
    expect((await fixture.call()).status).toBe(200);
  });

  it('a call fails with 504 while the server hangs, and works once it recovers', async () => {
    const server = await fixture.redisServer();
    fixture.use(server.url);
    await fixture.call();

    server.freeze();
    expect(await fixture.call()).toEqual(failed(504));
    expect(await fixture.call()).toEqual(failed(504));
    server.thaw();

    expect((await fixture.call()).status).toBe(200);
  });

  it.each(['abandon', 'cut'] as const)(
    'a lost connection does not fail the first call after a freeze of the container (%s)',
    async (fault) => {
      const proxy = await fixture.proxyTo(await fixture.redisServer());
      fixture.use(`redis://127.0.0.1:${proxy.port}`);
      await fixture.call();

      fixture.lambda.kill('SIGSTOP');
      await sleep(1100);
      proxy[fault]();
      fixture.lambda.kill('SIGCONT');

      expect((await fixture.call()).status).toBe(200);
      expect(proxy.connections).toBe(2);
    },
  );

  it('a sound connection is kept while idle', async () => {
    const proxy = await fixture.proxyTo(await fixture.redisServer());
    fixture.use(`redis://127.0.0.1:${proxy.port}`);
    await fixture.call();

    await sleep(1100);
    await fixture.call();

    expect(proxy.connections).toBe(1);
  });
});

it('no call hangs while the server comes and goes', async () => {
  const server = await fixture.redisServer({ durable: true });
  fixture.use(server.url);

  const calls = Array.from({ length: 30 }, async (_, at) => {
    await sleep(at * 25);
    return fixture.call();
  });
  await sleep(200);
  await server.kill();
  await sleep(200);
  await server.start();
  const outcomes = await Promise.all(calls);

  await until(async () => (await fixture.call()).status === 200);
  expect(outcomes.every(({ status }) => [200, 422, 503, 504].includes(status!))).toBe(true);
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, setFaultStage, type FaultStage } from '../support/fault-stage.ts';
import { freePort } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

let stage: FaultStage;
beforeAll(async () => (stage = await setFaultStage()));
afterEach(() => stage.clear());
afterAll(() => stage.stop());

describe('Redis that cannot be reached', () => {
  it.each([
    ['refuses', async () => `redis://127.0.0.1:${await freePort()}`],
    ['has no address', async () => 'redis://redis.invalid:6379'],
  ])('fails with 503 when the server %s', async (_what, url) => {
    stage.use(await url());

    expect(await stage.call()).toEqual(failed(503, /^Redis is out of reach$/));
    expect(await stage.call()).toEqual(failed(503));
  });

  it.each(['redis://127.0.0.1:port', 'redis://:password@127.0.0.1:port', 'rediss://127.0.0.1:port'])(
    'fails with 504 when the server accepts and is silent: %s',
    async (url) => {
      const proxy = await stage.proxyTo(await stage.redisServer());
      proxy.stall();

      stage.use(url.replace('port', String(proxy.port)));

      expect(await stage.call()).toEqual(failed(504, /^Redis did not answer in time$/));
    },
  );
});

describe('a connection that is lost', () => {
  it('is made anew after the server was killed and started again', async () => {
    const server = await stage.redisServer();
    stage.use(server.url);
    await stage.call();

    await server.kill();
    expect(await stage.call()).toEqual(failed(503));
    await server.start();

    expect((await stage.call()).status).toBe(200);
  });

  it('fails what is under way when it is cut, and the next call works', async () => {
    const server = await stage.redisServer();
    const proxy = await stage.proxyTo(server);
    stage.use(`redis://127.0.0.1:${proxy.port}`);
    await stage.call();

    const reading = stage.call('xread', { key: undefined, block: 5000, streamWatermarks: [{ key: 's', id: '$' }] });
    await until(async () => String(await server.command('INFO', 'clients')).includes('blocked_clients:1'));
    proxy.cut();

    expect(await reading).toEqual(failed(503));
    expect((await stage.call()).status).toBe(200);
  });

  it('is given up when it is half open, and the next call works', async () => {
    const proxy = await stage.proxyTo(await stage.redisServer());
    stage.use(`redis://127.0.0.1:${proxy.port}`);
    await stage.call();

    proxy.abandon();

    expect(await stage.call()).toEqual(failed(504));
    expect((await stage.call()).status).toBe(200);
  });

  it('fails with 504 while the server hangs, and works once it does not', async () => {
    const server = await stage.redisServer();
    stage.use(server.url);
    await stage.call();

    server.freeze();
    expect(await stage.call()).toEqual(failed(504));
    expect(await stage.call()).toEqual(failed(504));
    server.thaw();

    expect((await stage.call()).status).toBe(200);
  });

  it.each(['abandon', 'cut'] as const)(
    'does not fail the first call after a freeze of the container (%s)',
    async (fault) => {
      const proxy = await stage.proxyTo(await stage.redisServer());
      stage.use(`redis://127.0.0.1:${proxy.port}`);
      await stage.call();

      stage.lambda.kill('SIGSTOP');
      await sleep(1100);
      proxy[fault]();
      stage.lambda.kill('SIGCONT');

      expect((await stage.call()).status).toBe(200);
      expect(proxy.connections).toBe(2);
    },
  );

  it('is kept over a rest when it is sound', async () => {
    const proxy = await stage.proxyTo(await stage.redisServer());
    stage.use(`redis://127.0.0.1:${proxy.port}`);
    await stage.call();

    await sleep(1100);
    await stage.call();

    expect(proxy.connections).toBe(1);
  });
});

it('no call hangs while the server comes and goes', async () => {
  const server = await stage.redisServer({ durable: true });
  stage.use(server.url);

  const calls = Array.from({ length: 30 }, async (_, at) => {
    await sleep(at * 25);
    return stage.call();
  });
  await sleep(200);
  await server.kill();
  await sleep(200);
  await server.start();
  const outcomes = await Promise.all(calls);

  await until(async () => (await stage.call()).status === 200);
  expect(outcomes.at(-1)?.status).toBe(200);
  expect(outcomes.every(({ status }) => [200, 422, 503, 504].includes(status!))).toBe(true);
});

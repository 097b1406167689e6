import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Deadline } from '#lib/core/deadline.ts';
import { deadLetterStreamOf } from '#lib/consumer/redis-keys.ts';
import { redrive } from '#lib/consumer/dead-letters/redrive.ts';
import { startRedisServer } from '#sandbox/redis/redis-server.ts';
import { openRedis } from '#test/support/consumer/consumer-fixture.ts';
import { use } from '#test/support/jest/use.ts';

const LETTERS = 8000;
const origin = { stream: 'orders', group: 'g', deadLetterStream: deadLetterStreamOf('orders', 'g') };

const server = await use(startRedisServer({ durable: true }));
const redis = await use(openRedis(server.port));

const send = <T>(...args: string[]) => redis.send({ key: '', args, decode: (reply) => reply as T });

it('a redrive keeps each letter in exactly one stream, however often Redis dies or time runs out', async () => {
  const letterFields = (index: number) => ['dl-stream', 'orders', 'dl-group', 'g', 'dl-source-id', `${index + 1}-0`];
  const letters = Array.from({ length: LETTERS }, (_, index) => ['name', String(index), ...letterFields(index)]);
  await Promise.all(letters.map((fields) => send('XADD', origin.deadLetterStream, '*', ...fields)));
  const call = (ms: number) =>
    redrive(redis, { ...origin, count: 10_000, force: false, dryRun: false }, Deadline.after(ms));

  for (let kills = 0; kills < 4; kills++) {
    const calls = [call(5000), call(5000)];
    await sleep(60 + 40 * kills);
    await server.kill();
    await Promise.allSettled(calls);
    await server.start();
  }
  const cutShort = await Promise.allSettled([call(30), call(100)]);
  let last = await call(10_000);
  for (let calls = 0; last.remaining > 0 && calls < 10; calls++) last = await call(10_000);

  for (const outcome of cutShort) {
    if (outcome.status === 'fulfilled') expect(outcome.value.redriven).toBeLessThan(10_000);
    else expect(outcome.reason).toMatchObject({ type: 'STREAM:COMMAND', status: 504 });
  }
  expect(last.remaining).toBe(0);
  const back = await send<[string, string[]][]>('XRANGE', 'orders', '-', '+');
  const names = back.map(([, [, name]]) => Number(name));
  expect(names).toHaveLength(LETTERS);
  expect(new Set(names).size).toBe(LETTERS);
}, 60_000);

import { expect, it, jest } from '@jest/globals';
import { openClock } from '#lib/consumer/redis-clock.ts';
import type { Redis } from '#lib/redis/redis.ts';

it("the Redis clock returns whole milliseconds from the server's microseconds", async () => {
  const seconds = String(Math.floor(Date.now() / 1000));
  const redis = { send: () => Promise.resolve([seconds, '123457']) } as unknown as Redis;

  const clock = await openClock(redis, 'source-submit:0');

  expect(Number.isInteger(clock.epochMs())).toBe(true);
});

it('the clock of Redis stays the same when that of the function is set while a run works', async () => {
  const now = Date.now();
  const redis = { send: () => Promise.resolve([String(Math.floor(now / 1000)), '0']) } as unknown as Redis;
  const clock = await openClock(redis, 'source-submit:0');
  const before = clock.epochMs();

  jest.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);

  expect(clock.epochMs() - before).toBeLessThan(60_000);
});

it('the clock of Redis is right although that of the function is set while Redis is asked', async () => {
  const now = Date.now();
  const send = () => {
    jest.spyOn(Date, 'now').mockReturnValue(now + 30 * 86_400_000);
    return Promise.resolve([String(Math.floor(now / 1000)), '0']);
  };

  const clock = await openClock({ send } as unknown as Redis, 'source-submit:0');

  expect(Math.abs(clock.epochMs() - now)).toBeLessThan(60_000);
});

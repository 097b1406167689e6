import { expect, it } from '@jest/globals';
import { openClock } from '#lib/consumer/redis-clock.ts';
import type { Redis } from '#lib/redis/redis.ts';

it('the clock of Redis gives whole milliseconds, although the server gives microseconds', async () => {
  const seconds = String(Math.floor(Date.now() / 1000));
  const redis = { send: () => Promise.resolve([seconds, '123457']) } as unknown as Redis;

  const clock = await openClock(redis, 'source-submit:0');

  expect(Number.isInteger(clock.epochMs())).toBe(true);
});

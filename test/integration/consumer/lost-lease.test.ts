import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { systemClock, type Clock } from '#lib/consumer/clock.ts';
import { leaseKeyOf, stateKeyOf } from '#lib/consumer/redis-keys.ts';
import type { Command, Redis } from '#lib/redis/redis.ts';
import { openRedis, recorder } from '../../support/consumer/consumer-fixture.ts';
import { until } from '../../support/until.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';

const fixture = await useConsumer('lost');

/** Redis whose replies to some commands arrive only once they are let through, as over a stalled network. */
function delaying(isDelayed: (command: Command<unknown>) => boolean) {
  const arrival = Promise.withResolvers<undefined>();
  const redis = openRedis(fixture.server.port);
  let delayed = 0;
  const delayedRedis: Redis = {
    slotOf: () => 0,
    async send(command) {
      const reply = await redis.send(command);
      if (isDelayed(command)) {
        delayed++;
        await arrival.promise;
      }
      return reply;
    },
  };
  return {
    redis: delayedRedis,
    isWaiting: async () => delayed > 0,
    async letThrough() {
      arrival.resolve(undefined);
      await fixture.send('PING'); // what arrives has had its turn
      redis.end();
    },
  };
}

/**
 * Runs once, loses the lease while a reply is on its way, lets another run do everything, and then lets the reply
 * through.
 */
async function attemptedAcross(isDelayed: (command: Command<unknown>) => boolean): Promise<string[]> {
  const target = recorder();
  const slow = delaying(isDelayed);
  const first = fixture.run(target, { redis: slow.redis, leaseMs: 1000, backoffMs: 1 });
  await until(slow.isWaiting);
  await fixture.send('DEL', leaseKeyOf(fixture.stream, 'g'));

  expect(await first).toMatchObject({ stoppedBecause: 'lease-lost' });
  expect(await fixture.run(target, { backoffMs: 1 })).toMatchObject({ pending: 0, stoppedBecause: 'drained' });
  await slow.letThrough();
  return target.attempted;
}

it('a run that loses its lease while claiming a suspect calls the target no more', async () => {
  const [id] = await fixture.add('a=1', 'a=2');
  await fixture.send('XGROUP', 'CREATE', fixture.stream, 'g', '0');
  await fixture.send('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', '1', 'STREAMS', fixture.stream, '>');
  await fixture.send('XCLAIM', fixture.stream, 'g', 'c', '0', id!, 'RETRYCOUNT', '5', 'JUSTID', 'IDLE', '99999');

  const attempted = await attemptedAcross(({ args }) => args.includes('isolated') && !args.includes('HDEL'));

  expect(attempted).toEqual(['a=1', 'a=2']);
  expect(await fixture.send('HGET', stateKeyOf(fixture.stream, 'g'), 'alone')).toBeNull();
});

it('a run whose process waited for a core keeps a lease whose renewal is already answered', async () => {
  await fixture.add('a=1', 'b=1');
  const leaseMs = 10_000;
  let time = 0;
  const clock: Clock = { ...systemClock, now: () => time, timer: (_, callback) => systemClock.timer(1, callback) };
  const answer = Promise.withResolvers<undefined>();
  let renewals = 0;
  const redis: Redis = {
    ...fixture.redis,
    slotOf: () => 0,
    async send(command) {
      const reply = await fixture.redis.send(command);
      if (!isRenewal(command) || renewals++ > 0) return reply;
      time = leaseMs; // others had the core until then, when the target's answer is read before that of Redis
      answer.resolve(undefined);
      await turn();
      return reply;
    },
  };
  const target = recorder(async (name) => {
    if (name !== 'a=1') return;
    time = 600;
    await answer.promise;
  });

  const report = await fixture.run(target, { redis, clock, leaseMs });

  expect(report).toMatchObject({ processed: 2, stoppedBecause: 'drained' });
  expect(renewals).toBeGreaterThan(0);
});

/** It alone has the keys of a lease, its fence, a pause and a request, and two arguments. */
const isRenewal = ({ args }: Command<unknown>) =>
  args.some((word) => word.includes(':fence:')) && args.some((word) => word.includes(':pause:')) && args.length === 9;

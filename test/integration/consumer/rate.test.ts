import { expect, it } from '@jest/globals';
import { RedisRate } from '#lib/consumer/group/rate.ts';
import { rateKeyOf } from '#lib/consumer/redis-keys.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';

const fixture = await useConsumer('rate');

it('two runs over four shards keep to 100 calls a second together, and leave the rest to the schedule', async () => {
  const calls: number[] = [];
  let successors = 0;
  const target = {
    keyFields: ['k'],
    process: async () => void calls.push(performance.now()),
  };
  const { stream } = fixture;
  for (let shard = 0; shard < 4; shard++) {
    fixture.stream = `${stream}:${shard}`;
    await fixture.add(...Array.from({ length: 500 }, (_, n) => `${n}=x`));
  }
  fixture.stream = stream;
  const options = { shards: 4, ratePerSecond: 100, budgetMs: 4000, startSuccessor: async () => void successors++ };

  const reports = await Promise.all([fixture.run(target, options), fixture.run(target, options)]);

  expect(calls.length).toBeGreaterThan(100); // how close to the rate they come: test/unit/consumer/rate.test.ts
  for (const from of calls) {
    expect(calls.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(200);
  }
  const reasons = reports.map(({ stoppedBecause }) => stoppedBecause);
  expect(reasons).toContain('backpressure');
  expect(reasons).not.toContain('deadline');
  expect(successors).toBe(0);
});

it('runs of one shard and of all shards share one rate', async () => {
  const rateOf = (stream: string) => new RedisRate(fixture.redis, stream, 'g', 10);

  const startedAt = performance.now();
  expect(await rateOf(`${fixture.stream}:0`).reserve(5, 10_000)).toEqual({ calls: 5, afterMs: 0 });
  const next = await rateOf(`${fixture.stream}:7`).reserve(5, 10_000);
  const tookMs = performance.now() - startedAt;

  expect(next!.calls).toBe(5);
  expect(next!.afterMs).toBeGreaterThan(499 - tookMs);
  expect(next!.afterMs).toBeLessThanOrEqual(500);
  expect(await rateOf(`${fixture.stream}:1`).reserve(1, 1)).toBeUndefined(); // its time would be up by then
});

it('a due time from a clock that was ahead holds no call back', async () => {
  const key = rateKeyOf(fixture.stream, 'g');
  await fixture.send('HSET', key, 'due', String((Date.now() + 365 * 86_400_000) * 1000));

  const reserved = await new RedisRate(fixture.redis, fixture.stream, 'g', 10).reserve(1, 1000);

  expect(reserved).toEqual({ calls: 1, afterMs: 0 });
});

it('a rate that is new expires when it is unused for long', async () => {
  await fixture.send('DEL', rateKeyOf(fixture.stream, 'g'));
  await new RedisRate(fixture.redis, fixture.stream, 'g', 10).reserve(1, 1000);

  expect(Number(await fixture.send('PTTL', rateKeyOf(fixture.stream, 'g')))).toBeGreaterThan(800_000);
});

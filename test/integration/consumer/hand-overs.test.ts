import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Report } from '#lib/consumer/report.ts';
import type { Target } from '#lib/consumer/targets/target.ts';
import { openRedis, recorder, type RunOptions } from '#test/support/consumer/consumer-fixture.ts';
import { useConsumer } from '#test/support/consumer/use-consumer.ts';

const SHARDS = 16;
const fixture = await useConsumer('hand-overs');

/** Adds entries of so many keys to each shard. Returns their number. */
async function fill(perShard: number, keys: number): Promise<number> {
  const added = Array.from({ length: SHARDS * perShard }, (_, n) => {
    const [shard, at] = [n % SHARDS, Math.floor(n / SHARDS)];
    return fixture.send('XADD', `${fixture.stream}:${shard}`, '*', 'k', `s${shard}k${at % keys}`, 'v', `${at}`);
  });
  await Promise.all(added);
  return added.length;
}

/** Lets runs share the shards, each with a connection of its own. */
async function share(runs: number, target: Target, options: RunOptions): Promise<Report[]> {
  const connections = Array.from({ length: runs }, () => openRedis(fixture.server.port));
  const reports = connections.map((redis) => fixture.run(target, { shards: SHARDS, redis, ...options }));
  return Promise.all(reports).finally(() => connections.forEach((redis) => redis.end()));
}

/** Keeps the process from doing anything else, as a small share of a core does. */
function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

it.each([
  ['two runs', 2, {}],
  ['two runs with few places', 2, { concurrency: 3 }],
  ['two runs with a rate', 2, { ratePerSecond: 200 }],
  ['three runs with a rate and few places', 3, { ratePerSecond: 200, concurrency: 2 }],
])('%s hand few entries to each other', async (_, runs, options) => {
  const total = await fill(25, 20);
  const target = recorder(() => sleep(10));

  const reports = await share(runs, target, { budgetMs: 20_000, leaseMs: 15_000, ...options });

  const claimed = reports.reduce((sum, { recovered }) => sum + recovered, 0);
  expect(target.taken).toHaveLength(total);
  expect(claimed).toBeLessThanOrEqual(total / 4);
  expect(reports.reduce((sum, { read }) => sum + read, 0)).toBe(total);
});

it('two runs in a busy process fail no entry of a healthy target', async () => {
  const total = await fill(40, 5);
  const target = recorder(async () => {
    if (target.attempted.length % 50 === 0) block(300);
    await sleep(3);
  });

  const reports = await share(2, target, { maxDeliveries: 1, budgetMs: 20_000, leaseMs: 15_000 });

  expect(reports).toMatchObject([
    { failed: 0, deadLettered: 0 },
    { failed: 0, deadLettered: 0 },
  ]);
  expect(target.taken).toHaveLength(total);
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { leaseKeyOf } from '#lib/consumer/redis-keys.ts';
import type { Report } from '#lib/consumer/report.ts';
import type { Target } from '#lib/consumer/targets/target.ts';
import { openRedis, recorder, type Recorder, type RunOptions } from '#test/support/consumer/consumer-fixture.ts';
import { until } from '#test/support/until.ts';
import { useConsumer } from '#test/support/consumer/use-consumer.ts';

const SHARDS = 16;
const fixture = await useConsumer('hand-overs');

/** The runs that hold a shard, one for each of its leases. */
async function leasedShards(): Promise<string[]> {
  const keys = Array.from({ length: SHARDS }, (_, shard) => leaseKeyOf(`${fixture.stream}:${shard}`, 'g'));
  const leases = await fixture.send<(string | null)[]>('MGET', ...keys);
  return leases.flatMap((token) => token?.split('.')[0] ?? []);
}

/** Adds entries of this many keys to each shard. Returns their number. */
async function fill(perShard: number, keys: number): Promise<number> {
  const added = Array.from({ length: SHARDS * perShard }, (_, n) => {
    const [shard, at] = [n % SHARDS, Math.floor(n / SHARDS)];
    return fixture.send('XADD', `${fixture.stream}:${shard}`, '*', 'k', `s${shard}k${at % keys}`, 'v', `${at}`);
  });
  await Promise.all(added);
  return added.length;
}

/** Lets runs share the shards, each over its own connection. */
async function share(runs: number, target: Target, options: RunOptions): Promise<Report[]> {
  const connections = Array.from({ length: runs }, () => openRedis(fixture.server.port));
  const reports = connections.map((redis) => fixture.run(target, { shards: SHARDS, redis, ...options }));
  return Promise.all(reports).finally(() => connections.forEach((redis) => redis.end()));
}

/** Runs side by side, each followed by the next at once, until nothing is left. Returns the reports of all. */
async function chain(runs: number, target: Recorder, options: RunOptions & { total: number }): Promise<Report[]> {
  const { total, ...settings } = options;
  const reports: Report[] = [];
  const follow = async () => {
    const redis = openRedis(fixture.server.port);
    while (target.processed.length < total)
      reports.push(await fixture.run(target, { shards: SHARDS, redis, ...settings }));
    redis.end();
  };
  await Promise.all(Array.from({ length: runs }, follow));
  return reports;
}

/** Blocks the process, as a small share of a core would. */
function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

it.each([
  ['two runs', 2, {}],
  ['two runs with few places', 2, { concurrency: 3 }],
  ['two runs with a rate', 2, { ratePerSecond: 200 }],
  ['three runs with a rate and few places', 3, { ratePerSecond: 200, concurrency: 2 }],
])("%s rarely take over each other's entries", async (_, runs, options) => {
  const total = await fill(25, 20);
  const target = recorder(() => sleep(10));

  const reports = await share(runs, target, { budgetMs: 20_000, leaseMs: 15_000, ...options });

  const claimed = reports.reduce((sum, { recovered }) => sum + recovered, 0);
  expect(target.processed).toHaveLength(total);
  expect(claimed).toBeLessThanOrEqual(total / 4);
  expect(reports.reduce((sum, { read }) => sum + read, 0)).toBe(total);
});

it.each([
  ['two runs', 2, { concurrency: 8 }],
  ['three runs with a rate', 3, { ratePerSecond: 200 }],
  ['three runs with a rate and few places', 3, { ratePerSecond: 150, concurrency: 2 }],
])('%s share the work to its end instead of ending and restarting', async (_, runs, options) => {
  const total = await fill(40, 20);
  const target = recorder(() => sleep(30));

  const reports = await chain(runs, target, { total, budgetMs: 30_000, leaseMs: 15_000, ...options });

  expect(reports.reduce((sum, { read }) => sum + read, 0)).toBe(total);
  expect(reports.reduce((sum, { recovered }) => sum + recovered, 0)).toBeLessThanOrEqual(total / 2);
  expect(target.attempted).toHaveLength(total);
  expect(reports.length).toBeLessThanOrEqual(2 * runs);
  expect(reports.filter(({ processed }) => processed > total / runs / 3)).toHaveLength(runs);
});

it('a run that finds all shards held gets its share of them', async () => {
  const total = await fill(90, 30);
  const first = recorder(() => sleep(50));
  const second = recorder(() => sleep(50));
  const options = { budgetMs: 30_000, leaseMs: 15_000, concurrency: 16 };
  const running = share(1, first, options);
  await until(async () => (await leasedShards()).length === SHARDS);
  const joining = share(1, second, options);
  const leastOf = (holders: string[]) => {
    const sizes = [...Map.groupBy(holders, (run) => run).values()].map(({ length }) => length);
    return sizes.length === 2 ? Math.min(...sizes) : 0;
  };

  await until(async () => leastOf(await leasedShards()) >= SHARDS / 2 - 1); // one may be on its way
  const reports = [...(await running), ...(await joining)];

  expect(first.processed.length + second.processed.length).toBe(total);
  expect(second.processed.length).toBeGreaterThan(total / 4);
  expect(reports).toMatchObject([{ failed: 0 }, { failed: 0 }]);
});

it('a run ends within seconds if another one holds the only shard with work', async () => {
  await fixture.send('XADD', `${fixture.stream}:3`, '*', 'k', 'a', 'v', '1');
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const target = recorder(() => promise);
  const first = share(1, target, { budgetMs: 30_000, leaseMs: 15_000 });
  await until(async () => target.attempted.length === 1);
  const startedAt = performance.now();

  const [second] = await share(1, recorder(), { budgetMs: 60_000, leaseMs: 15_000 });

  expect(second).toMatchObject({ read: 0, processed: 0 });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  resolve(undefined);
  await first;
});

it('a run of an older version keeps its shards, and counts as a run', async () => {
  await fill(5, 5);
  const [held, left] = [`{${fixture.stream}:0}`, `{${fixture.stream}:1}`];
  for (const key of [held, left]) await fixture.send('SET', `${key}:lease:g`, randomUUID(), 'PX', '60000');
  const target = recorder();

  const [report] = await share(1, target, { budgetMs: 20_000, leaseMs: 15_000 });

  expect(report).toMatchObject({ processed: 5 * (SHARDS - 2), stoppedBecause: 'drained' });
  expect(await fixture.send('EXISTS', `${held}:asked:g`, `${left}:asked:g`)).toBe('0');
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
  expect(target.processed).toHaveLength(total);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { openRedis, outage, recorder } from '../../support/consumer/consumer-fixture.ts';
import { useConsumer } from '../../support/consumer/use-consumer.ts';

const fixture = await useConsumer('progress');

/** Simulates a run that reads `count` entries and crashes. */
async function leavePending(count: number): Promise<void> {
  const { stream } = fixture;
  await fixture.send('XGROUP', 'CREATE', stream, 'g', '0', 'MKSTREAM');
  await fixture.send('XREADGROUP', 'GROUP', 'g', 'stream-consumer', 'COUNT', `${count}`, 'STREAMS', stream, '>');
}

it('a long backlog of one failing key does not keep a run from 4,000 entries of other keys', async () => {
  await fixture.add(...Array.from({ length: 11_000 }, (_, index) => `bad=${index}`));
  await leavePending(11_000);
  await fixture.add(...Array.from({ length: 4000 }, (_, index) => `k${index % 100}=${index}`));
  const target = recorder((name) => {
    if (name.startsWith('bad')) throw outage();
  });

  const report = await fixture.run(target, { backoffMs: 60_000, budgetMs: 60_000, leaseMs: 15_000 });

  expect(report).toMatchObject({ processed: 4000, lag: 0, pending: 11_000, stoppedBecause: 'drained' });
  expect(target.attempted.length).toBeLessThanOrEqual(4001);
});

it('the target gets the first calls of a full window before the last ones are made', async () => {
  await fixture.add(...Array.from({ length: 50 }, (_, index) => `k${index}=${index}`));
  let [inTurn, most] = [0, 0];
  const target = recorder(async () => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    most = Math.max(most, ++inTurn);
    await sleep(200);
  });

  const report = await fixture.run(target, { concurrency: 50 });

  expect(report).toMatchObject({ processed: 50, stoppedBecause: 'drained' });
  expect(most).toBeLessThanOrEqual(8);
});

it('a run that loses its lease with a full buffer ends soon, without reordering', async () => {
  await fixture.add(...Array.from({ length: 400 }, (_, index) => `k${index % 40}=${index}`));
  const arrivals: { name: string; by: number }[] = [];
  const targetOf = (by: number) =>
    recorder(async (name, signal) => {
      await sleep(40);
      if (!signal.aborted) arrivals.push({ name, by });
    });
  const options = { concurrency: 10, budgetMs: 15_000, backoffMs: 1, leaseMs: 15_000 };
  const first = fixture.run(targetOf(1), { ...options, batchSize: 400 });
  await sleep(300);
  const keys = await fixture.send<string[]>('KEYS', `{${fixture.stream}}:*`);
  await fixture.send('DEL', ...keys); // as a failover to a replica that lagged does

  const lostAt = performance.now();
  const report = await first;

  expect(report.stoppedBecause).toBe('lease-lost');
  expect(performance.now() - lostAt).toBeLessThan(10_000);
  const second = openRedis(fixture.server.port);
  expect(await fixture.run(targetOf(2), { ...options, redis: second })).toMatchObject({ pending: 0, lag: 0 });
  second.end();
  for (const names of Map.groupBy(arrivals, ({ name }) => name.split('=')[0]).values()) {
    const values = names.map(({ name }) => Number(name.split('=')[1]));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  }
});

it('one run carries 5,000 entries behind one that a killed run left', async () => {
  await fixture.add(...Array.from({ length: 5000 }, (_, index) => `a=${index}`));
  await leavePending(100);
  const target = recorder();

  const report = await fixture.run(target, { backoffMs: 1, budgetMs: 20_000 });

  expect(report).toMatchObject({ processed: 5000, pending: 0, lag: 0, stoppedBecause: 'drained' });
  expect(target.processed).toEqual(Array.from({ length: 5000 }, (_, index) => `a=${index}`));
});

it('an entry that comes too late for a lingering run is left to the next one, and no failure', async () => {
  const target = recorder(() => sleep(400));
  const run = fixture.run(target, { budgetMs: 3000, lingerMs: 3000 });
  await sleep(2500);
  await fixture.add('a=1');

  expect(await run).toMatchObject({ processed: 0, failed: 0, pending: 0 });
  expect(await fixture.run(target)).toMatchObject({ processed: 1, failed: 0 });
});

import { expect, it } from '@jest/globals';
import { createLog } from '#lib/core/log.ts';
import { consume } from '#lib/consumer/consume.ts';
import { fieldOf } from '#lib/consumer/entry.ts';
import { VIEW_LIMIT } from '#lib/consumer/settings.ts';
import type { Target } from '#lib/consumer/targets/target.ts';
import { MemoryGroup, MemoryStream } from '../../support/consumer/memory-group.ts';
import { VirtualTime } from '../../support/consumer/virtual-time.ts';
import { VirtualRuns } from '../../model/virtual-runs.ts';

/*
 * How well runs that work side by side share 16 shards: in virtual time, so that what is measured is how busy their
 * slots are, and not the machine.
 */

const TARGET_MS = 50;
const CONCURRENCY = 10;
const LEASE_MS = 15_000;
/** Entries a second that a run does whose slots are never idle. */
const FULL = (CONCURRENCY * 1000) / TARGET_MS;

interface Backlog {
  keys: number;
  entries: (shard: number) => number;
}

/** Lets runs begin at these times; returns what the target took in each of the first seconds. */
const takenBySecond = async (startsAt: readonly number[], backlog: Backlog, seconds: number): Promise<number[]> =>
  (await carry(startsAt, backlog, seconds)).taken;

/** The same, and when the first entry of each shard came to the target. */
async function carry(startsAt: readonly number[], { keys, entries }: Backlog, seconds: number) {
  const time = new VirtualTime();
  const taken = Array.from({ length: seconds }, () => 0);
  const streams = Array.from({ length: 16 }, (_, shard) => {
    const stream = new MemoryStream();
    for (let n = 0; n < entries(shard); n++) stream.add(0, 'key', String(n % keys));
    return stream;
  });
  const firstAt = new Map<string, number>();
  const process = async (_: unknown, { stream }: { stream: string }) => {
    if (!firstAt.has(stream)) firstAt.set(stream, time.now);
    await time.sleep(TARGET_MS);
    const second = Math.floor((time.now - 1) / 1000);
    if (second < seconds) taken[second]!++;
  };
  const call = async <T>(reply: () => T): Promise<T> => {
    await time.sleep(1);
    return reply();
  };
  const settings = {
    batchSize: 100,
    concurrency: CONCURRENCY,
    maxDeliveries: 5,
    backoffMs: 1000,
    leaseMs: LEASE_MS,
    trim: false,
    refusalLimit: 20,
    lingerMs: 0,
    budgetMs: 58_000,
    bodyBytes: 2 ** 27,
    viewLimit: VIEW_LIMIT,
  };
  const log = createLog('error', {}, () => {});
  const runs = startsAt.map(async (startAt, number) => {
    await time.sleep(startAt);
    const clock = time.clock();
    const shards = streams.map((stream, shard) => {
      return { stream: `s:${shard}`, group: new MemoryGroup(stream, clock, LEASE_MS, call, { run: `run-${number}` }) };
    });
    await consume({ shards, target: { keyFields: ['key'], process }, settings, log, clock });
  });
  await time.until(Promise.race([Promise.all(runs), time.sleep(seconds * 1000)]));
  return { taken, firstAt };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const EVEN = { keys: 100, entries: () => 1500 };

it.each<[string, Backlog]>([
  ['many keys', EVEN],
  ['fewer keys a shard than a run has slots', { keys: 4, entries: () => 1500 }],
  ['shards of very different backlogs', { keys: 50, entries: (shard) => 200 * (shard + 1) }],
])('four runs carry at least 3.6 times as much as one: %s', async (_, backlog) => {
  const one = sum(await takenBySecond([0], backlog, 20));
  const four = sum(await takenBySecond([0, 0, 0, 0], backlog, 20));

  expect(one / (20 * FULL)).toBeGreaterThan(0.95);
  expect(four / one).toBeGreaterThan(3.6);
});

it('runs that join are busy within a second, no matter which shard they take', async () => {
  const bySecond = await takenBySecond([0, 5000, 5000, 5000], EVEN, 20);

  for (const taken of bySecond.slice(1, 5)) expect(taken / FULL).toBeGreaterThan(0.95);
  for (const taken of bySecond.slice(6)) expect(taken / (4 * FULL)).toBeGreaterThan(0.95);
});

it.each([
  ['one run', 1, 4],
  ['two runs', 2, 2],
])('no shard waits longer than twice its turn: %s', async (_, runs, turns) => {
  const startsAt = Array.from({ length: runs }, () => 0);

  const { firstAt } = await carry(startsAt, { keys: 100, entries: () => 3000 }, turns * 10);

  expect([...firstAt.keys()].sort()).toEqual(Array.from({ length: 16 }, (_, shard) => `s:${shard}`).sort());
});

it('a run that has drained a shard immediately continues with the next shard that has work', async () => {
  const [first] = await takenBySecond([0], { keys: 10, entries: () => 10 }, 1);

  expect(first! / FULL).toBeGreaterThan(0.7);
});

it('a run gets a shard from a run that just started, before that one has read its entries', async () => {
  const runs = new VirtualRuns(2);
  for (const stream of runs.streams) for (let n = 0; n < 60; n++) stream.add(0, 'key', String(n % 4));
  const process = () => runs.time.sleep(600); // a container that compiles its code at a tenth of a core
  const settings = { concurrency: 10 };
  const first = runs.consume({ process, settings });
  await runs.until(100);
  const reports = Promise.all([first, runs.consume({ process, settings })]);

  await runs.time.until(reports);

  expect(sum((await reports).map(({ report }) => report.recovered))).toBeLessThanOrEqual(2 * settings.concurrency);
  expect(sum((await reports).map(({ report }) => report.processed))).toBe(120);
});

it.each<[string, (key: string, startedAt: number) => number]>([
  ['slower than all before it', (_, startedAt) => (startedAt < 2400 ? 300 : 550)],
  [
    'as slow as one that has not ended',
    (key, startedAt) => (key === '0' && startedAt > 1000 ? 1400 : startedAt < 2300 ? 50 : 600),
  ],
])('an attempt that is %s ends before the run, so none is abandoned and repeated', async (_, durationOf) => {
  const runs = new VirtualRuns(1);
  for (let n = 0; n < 1000; n++) runs.streams[0]!.add(0, 'key', String(n % 20));
  const ended: string[] = [];
  const process: Target['process'] = async (entry) => {
    await runs.time.sleep(durationOf(fieldOf(entry, 'key')!, runs.time.now));
    ended.push(entry.id);
  };

  const consumed = runs.consume({ process, settings: { budgetMs: 3200 } });
  await runs.time.until(consumed);

  const { report } = await consumed;
  expect(report).toMatchObject({ stoppedBecause: 'deadline', failed: 0, processed: ended.length });
  expect(report.processed).toBeGreaterThan(10);
});

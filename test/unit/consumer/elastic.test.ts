import { expect, it } from '@jest/globals';
import { createLog } from '#lib/core/log.ts';
import { consume } from '#lib/consumer/consume.ts';
import { VIEW_LIMIT } from '#lib/consumer/settings.ts';
import { MemoryGroup, MemoryStream } from '../../support/consumer/memory-group.ts';
import { VirtualTime } from '../../support/consumer/virtual-time.ts';

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
async function takenBySecond(
  startsAt: readonly number[],
  { keys, entries }: Backlog,
  seconds: number,
): Promise<number[]> {
  const time = new VirtualTime();
  const taken = Array.from({ length: seconds }, () => 0);
  const streams = Array.from({ length: 16 }, (_, shard) => {
    const stream = new MemoryStream();
    for (let n = 0; n < entries(shard); n++) stream.add(0, 'key', String(n % keys));
    return stream;
  });
  const process = async () => {
    await time.sleep(TARGET_MS);
    const second = Math.floor((time.now - 1) / 1000);
    if (second < seconds) taken[second]!++;
  };
  const call = async <T>(reply: () => T): Promise<T> => {
    await time.sleep(1);
    return reply();
  };
  const settings = {
    ...{ batchSize: 100, concurrency: CONCURRENCY, maxDeliveries: 5, backoffMs: 1000, leaseMs: LEASE_MS, trim: false },
    ...{ refusalLimit: 20, lingerMs: 0, budgetMs: 58_000, bodyBytes: 2 ** 27, viewLimit: VIEW_LIMIT },
  };
  const log = createLog('error', {}, () => {});
  const runs = startsAt.map(async (startAt) => {
    await time.sleep(startAt);
    const clock = time.clock();
    const shards = streams.map((stream, shard) => {
      return { stream: `s:${shard}`, group: new MemoryGroup(stream, clock, LEASE_MS, call) };
    });
    await consume({ shards, target: { keyFields: ['key'], process }, settings, log, clock });
  });
  await time.until(Promise.race([Promise.all(runs), time.sleep(seconds * 1000)]));
  return taken;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const EVEN = { keys: 100, entries: () => 1500 };

it.each<[string, Backlog]>([
  ['many keys', EVEN],
  ['fewer keys a shard than a run has slots', { keys: 4, entries: () => 1500 }],
  ['shards of very different backlogs', { keys: 50, entries: (shard) => 200 * (shard + 1) }],
])('four runs carry at least 3.6 times what one does: %s', async (_, backlog) => {
  const one = sum(await takenBySecond([0], backlog, 20));
  const four = sum(await takenBySecond([0, 0, 0, 0], backlog, 20));

  expect(one / (20 * FULL)).toBeGreaterThan(0.95);
  expect(four / one).toBeGreaterThan(3.6);
});

it('runs that join are busy within a second, from shard to shard', async () => {
  const bySecond = await takenBySecond([0, 5000, 5000, 5000], EVEN, 20);

  for (const taken of bySecond.slice(1, 5)) expect(taken / FULL).toBeGreaterThan(0.95);
  for (const taken of bySecond.slice(6)) expect(taken / (4 * FULL)).toBeGreaterThan(0.95);
});

it('a run that has worked off a shard goes on with the next one that it saw work in, without a rest', async () => {
  const [first] = await takenBySecond([0], { keys: 10, entries: () => 10 }, 1);

  expect(first! / FULL).toBeGreaterThan(0.7);
});

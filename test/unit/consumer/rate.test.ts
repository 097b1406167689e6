import { expect, it } from '@jest/globals';
import { consume } from '#lib/consumer/consume.ts';
import type { StopReason } from '#lib/consumer/report.ts';
import { VIEW_LIMIT } from '#lib/consumer/settings.ts';
import { createLog } from '#lib/core/log.ts';
import { MemoryGroup, MemoryStream } from '../../support/consumer/memory-group.ts';
import { MemoryRate } from '../../support/consumer/memory-rate.ts';
import { VirtualTime } from '../../support/consumer/virtual-time.ts';

/* What `ratePerSecond` promises, in virtual time: bounds on calls, on questions to the server, and on successors. */

interface Limited {
  /** When each call to the target started, in milliseconds. */
  readonly calls: readonly number[];
  readonly reservations: number;
  readonly stops: readonly StopReason[];
  readonly successors: number;
}

async function runsAtRate(
  perSecond: number,
  { runs = 1, entries = 40_000, targetMs = 5, budgetMs = 25_000 },
): Promise<Limited> {
  const time = new VirtualTime();
  const streams = Array.from({ length: runs }, () => new MemoryStream());
  for (let n = 0; n < entries; n++) streams[n % runs]!.add(0, 'key', String(n));
  const call = async <T>(reply: () => T): Promise<T> => {
    await time.sleep(1);
    return reply();
  };
  const rate = new MemoryRate(time.clock(), perSecond, call);
  const calls: number[] = [];
  const process = async () => {
    calls.push(time.now);
    await time.sleep(targetMs);
  };
  let successors = 0;
  const startSuccessor = async () => void successors++;
  const settings = {
    batchSize: 100,
    concurrency: 100,
    maxDeliveries: 5,
    backoffMs: 1000,
    leaseMs: 15_000,
    trim: false,
    refusalLimit: 20,
    lingerMs: 0,
    bodyBytes: 2 ** 27,
    viewLimit: VIEW_LIMIT,
    budgetMs,
    ratePerSecond: perSecond,
  };
  const log = createLog('error', {}, () => {});
  const consumed = streams.map((_, number) => {
    const clock = time.clock();
    const shards = streams.map((stream, index) => {
      return {
        stream: `s:${index}`,
        group: new MemoryGroup(stream, clock, settings.leaseMs, call, { run: `run-${number}` }),
      };
    });
    return consume({ shards, target: { keyFields: ['key'], process }, rate, settings, log, clock, startSuccessor });
  });
  const all = Promise.all(consumed);
  await time.until(all);
  const stops = (await all).map(({ report }) => report.stoppedBecause);
  return { calls, reservations: rate.reservations, stops, successors };
}

/** The most calls in any window of this many milliseconds. */
function mostWithin(ms: number, calls: readonly number[]): number {
  let first = 0;
  return calls.reduce((most, at, last) => {
    while (calls[first]! <= at - ms) first++;
    return Math.max(most, last - first + 1);
  }, 0);
}

it.each([
  { perSecond: 1, runs: 1 },
  { perSecond: 7, runs: 3 },
  { perSecond: 50, runs: 16 },
  { perSecond: 1000, runs: 4 },
])(
  '$runs runs make $perSecond calls a second together, and no second has twice as many',
  async ({ perSecond, runs }) => {
    const { calls, reservations } = await runsAtRate(perSecond, { runs });

    expect(mostWithin(1000, calls)).toBeLessThanOrEqual(2 * perSecond);
    const inTen = calls.filter((at) => at >= 5000 && at < 15_000).length;
    expect(inTen).toBeGreaterThanOrEqual(0.85 * 10 * perSecond);
    expect(reservations).toBeLessThanOrEqual(calls.length + runs);
    expect(reservations / 25).toBeLessThanOrEqual(Math.max(perSecond, 20 * runs) + runs);
  },
);

it('a run limited by the rate ends with backpressure and starts no successor', async () => {
  const { stops, successors } = await runsAtRate(10, { runs: 2, entries: 1000, budgetMs: 10_000 });

  expect(stops).toEqual(['backpressure', 'backpressure']);
  expect(successors).toBe(0);
});

it('a rate that the target never reaches changes nothing', async () => {
  const { calls, stops } = await runsAtRate(10_000, { entries: 5000, targetMs: 50 });

  expect(calls).toHaveLength(5000);
  expect(stops).toEqual(['drained']);
});

import { createLog } from '#lib/core/log.ts';
import { consume } from '#lib/consumer/consume.ts';
import { TargetFailure } from '#lib/consumer/targets/failure.ts';
import { VIEW_LIMIT } from '#lib/consumer/settings.ts';
import { MemoryGroup, MemoryStream } from '#test/support/consumer/memory-group.ts';
import { VirtualTime } from '#test/support/consumer/virtual-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What the function's timeout of 60 s leaves for work. */
const BUDGET_MS = 58 * SECOND;
/** Loading, connecting and answering, on a warm container. */
const OVERHEAD_MS = 20;
const REDIS_MS = 1;
const LEASE_MS = 15 * SECOND;

export interface DayOptions {
  /** Entries a second, over all shards. */
  rate: number;
  shards: number;
  keys: number;
  concurrency: number;
  /** When the target is out of service, and after how long a call fails then. */
  outages: { from: number; to: number; failsAfterMs: number }[];
}

/** Where a shard stood at one moment. */
export interface Sample {
  time: number;
  /** Entries not yet delivered, and pending ones. */
  behind: number;
  /** Age of the oldest of them, in milliseconds. */
  oldestMs: number;
}

export interface Day {
  samples: Sample[];
  invocations: number;
  billedMs: number;
  processed: number;
  attempts: number;
  deadLetters: number;
}

/**
 * Lets the engine itself work through a day of one shard in virtual time: fired every minute, against a stream in memory
 * and a target that takes 40 to 60 ms. The other shards are like it.
 */
export async function simulateDay({ rate, shards, keys, concurrency, outages }: DayOptions): Promise<Day> {
  const time = new VirtualTime();
  const stream = new MemoryStream();
  const day: Day = { samples: [], invocations: 0, billedMs: 0, processed: 0, attempts: 0, deadLetters: 0 };
  const settings = {
    ...{ batchSize: 100, concurrency, maxDeliveries: 5, backoffMs: 1000, leaseMs: LEASE_MS, trim: false },
    ...{ refusalLimit: 20, lingerMs: 0, budgetMs: BUDGET_MS, bodyBytes: 2 ** 27, viewLimit: VIEW_LIMIT },
  };
  const log = createLog('error', {}, () => {});
  const perSecond = rate / shards;

  const process = async () => {
    const attempt = day.attempts++;
    const outage = outages.find(({ from, to }) => time.now >= from && time.now < to);
    await time.sleep(outage?.failsAfterMs ?? 40 + 5 * (attempt % 5));
    if (outage) throw new TargetFailure('outage', 'MDM:CONNECTIVITY', 'out of service');
    day.processed++;
  };
  const target = { keyFields: ['key'], process };
  const call = async <T>(reply: () => T): Promise<T> => {
    await time.sleep(REDIS_MS);
    return reply();
  };
  const invoke = async () => {
    const startedAt = time.now;
    const clock = time.clock();
    const group = new MemoryGroup(stream, clock, LEASE_MS, call);
    await consume({ shards: [{ stream: 'day', group }], target, settings, log, clock });
    day.invocations++;
    day.billedMs += time.now - startedAt + OVERHEAD_MS;
  };

  const runs: Promise<void>[] = [];
  for (let second = 0; second * SECOND < DAY; second++) {
    for (let n = 0; n < perSecond; n++) stream.add(time.now, 'key', String((second * perSecond + n) % keys));
    if (second % 60 === 0) {
      stream.forgetDelivered();
      day.samples.push(sample(stream, time.now));
      runs.push(invoke());
    }
    await time.until(time.sleep(SECOND));
  }
  await time.until(Promise.all(runs));
  day.deadLetters = stream.deadLetters.length;
  return day;
}

function sample({ entries, next, pending }: MemoryStream, time: number): Sample {
  const [first = entries[next]?.id] = pending.keys();
  return {
    time,
    behind: entries.length - next + pending.size,
    oldestMs: first ? time - Number(first.split('-')[0]) : 0,
  };
}

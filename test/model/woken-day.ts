import { createLog } from '#lib/core/log.ts';
import { consume } from '#lib/consumer/consume.ts';
import { addedAt } from '#lib/consumer/entry.ts';
import { TargetFailure } from '#lib/consumer/targets/failure.ts';
import { VIEW_LIMIT } from '#lib/consumer/settings.ts';
import { Random } from '#test/support/random.ts';
import { MemoryGroup, MemoryStream } from '#test/support/consumer/memory-group.ts';
import { VirtualTime } from '#test/support/consumer/virtual-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const SHARDS = 16;
/** From the enqueue to the begin of the run, in a warm container. */
const START_MS = 15;
const REDIS_MS = 1;
const LEASE_MS = 15 * SECOND;
/** A wake stands for those of others for so long, and its run stays for so long after its last entry. */
const WAKE_MS = 1000;
const LINGER_MS = 1000;
const BUDGET_MS = 58 * SECOND;
const CONCURRENCY = 10;

export interface WokenDayOptions {
  /** Entries an hour that come one by one. */
  single: number;
  /** Entries that come at once, each hour. */
  burst: number;
  isWoken: boolean;
  /** When the target is out of service, and after how long a call fails then. */
  outages: { from: number; to: number; failsAfterMs: number }[];
}

export interface WokenDay {
  /** From the enqueue until the target was called with success, sorted, in milliseconds: of entries that came one by
   * one, and of those in bursts, in hours without an outage. */
  single: number[];
  burst: number[];
  invocations: number;
  billedMs: number;
  /** Failed attempts, one line of the log each. */
  failures: number;
  left: number;
}

/** Lets the engine work through a day of 16 shards in virtual time: fired every minute, and by each enqueue that finds no run. */
export async function simulateWokenDay({ single, burst, isWoken, outages }: WokenDayOptions): Promise<WokenDay> {
  const time = new VirtualTime();
  const random = new Random(7);
  const streams = Array.from({ length: SHARDS }, () => new MemoryStream());
  const day: WokenDay = { single: [], burst: [], invocations: 0, billedMs: 0, failures: 0, left: 0 };
  const log = createLog('error', {}, () => {});
  const runs = new Set<Promise<void>>();
  const isOut = (at: number) => outages.find(({ from, to }) => at >= from && at < to);
  const hourOf = (at: number) => Math.floor(at / (60 * MINUTE));
  const badHours = new Set(
    outages.flatMap(({ from, to }) => [hourOf(from) - 1, hourOf(from), hourOf(to), hourOf(to) + 1]),
  );

  const process = async (entry: { id: string; fields: readonly string[] }) => {
    const outage = isOut(time.now);
    const calledAt = time.now;
    await time.sleep(outage?.failsAfterMs ?? 50);
    if (outage) {
      day.failures++;
      throw new TargetFailure('outage', 'MDM:CONNECTIVITY', 'out of service');
    }
    const added = addedAt(entry.id);
    if (!badHours.has(hourOf(added))) day[entry.fields[3] as 'single' | 'burst'].push(calledAt - added);
  };
  const call = async <T>(reply: () => T): Promise<T> => {
    await time.sleep(REDIS_MS);
    return reply();
  };
  const invoke = (lingerMs: number) => {
    const run = (async () => {
      await time.sleep(START_MS);
      const startedAt = time.now;
      const clock = time.clock();
      const settings = {
        ...{ batchSize: 100, concurrency: CONCURRENCY, maxDeliveries: 5, backoffMs: 1000, leaseMs: LEASE_MS },
        ...{ trim: false, refusalLimit: 20, lingerMs, budgetMs: BUDGET_MS, bodyBytes: 2 ** 27, viewLimit: VIEW_LIMIT },
      };
      const shards = streams.map((stream, at) => {
        return { stream: `day:${at}`, group: new MemoryGroup(stream, clock, LEASE_MS, call) };
      });
      const startSuccessor = isWoken ? () => Promise.resolve(invoke(lingerMs)) : undefined;
      await consume({ shards, target: { keyFields: ['key'], process }, settings, log, clock, startSuccessor });
      day.invocations++;
      day.billedMs += time.now - startedAt + START_MS;
    })().finally(() => runs.delete(run));
    runs.add(run);
  };
  const add = (kind: string) => {
    const stream = streams[random.between(0, SHARDS - 1)]!;
    stream.add(time.now, 'key', String(random.between(1, 5000)), 'kind', kind);
    const isTaken = (stream.lease?.until ?? 0) > time.now || stream.restUntil > time.now;
    if (!isWoken || isTaken || stream.wakeUntil > time.now) return;
    stream.wakeUntil = time.now + WAKE_MS;
    invoke(LINGER_MS);
  };

  const until = (at: number) => time.until(time.sleep(Math.max(0, at - time.now)));
  let nextSingle = 0;
  let nextBurst = 30 * MINUTE;
  for (let minute = 0; minute * MINUTE < DAY; minute++) {
    await until(minute * MINUTE);
    invoke(0);
    for (; nextSingle < (minute + 1) * MINUTE; nextSingle += (-Math.log(1 - random.next()) * 60 * MINUTE) / single) {
      await until(nextSingle);
      add('single');
    }
    if (nextBurst < (minute + 1) * MINUTE) {
      for (let n = 0; n < burst; n++) add('burst');
      nextBurst += 60 * MINUTE;
    }
  }
  await until(DAY);
  invoke(0);
  while (runs.size > 0) await time.until(Promise.all(runs));
  for (const list of [day.single, day.burst]) list.sort((a, b) => a - b);
  day.left = streams.reduce((sum, { pending, entries, next }) => sum + pending.size + entries.length - next, 0);
  return day;
}

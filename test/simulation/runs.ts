import { consume } from '#lib/consumer/consume.ts';
import { VIEW_LIMIT } from '#lib/consumer/settings.ts';
import { createLog } from '#lib/core/log.ts';
import { quantile } from '../bench/rounds.ts';
import { MemoryGroup, MemoryStream } from '../support/consumer/memory-group.ts';
import { VirtualTime } from '../support/consumer/virtual-time.ts';

const REDIS_MS = 1;
const LEASE_MS = 15_000;
/** Entries are added so often, in milliseconds. */
const TICK_MS = 20;
/** At the end of its time a run takes in nothing more. */
const CLOSING_SECONDS = 2;

export interface RunsOptions {
  /** Entries a second, over all shards. */
  rate: number;
  shards: number;
  runs: number;
  /** Of each run. */
  concurrency: number;
  mdmMs: number;
  seconds: number;
  /** From here on it is measured. */
  fromSecond: number;
}

export interface RunsOutcome {
  /** Entries processed a second, over entries added. */
  share: number;
  /** From an entry's arrival until the target took it, in milliseconds. */
  p50: number;
  p99: number;
  /** Looks at shards, and all other exchanges with the server, a second. */
  looks: number;
  exchanges: number;
  /** The most entries that any shard had unread at the end of what is measured. */
  behind: number;
}

/** Lets runs of the engine share shards in virtual time, each entry of a key of its own, and watches what they do. */
export async function simulateRuns(options: RunsOptions): Promise<RunsOutcome> {
  const { rate, shards, runs, concurrency, mdmMs, seconds, fromSecond } = options;
  const time = new VirtualTime();
  const streams = Array.from({ length: shards }, () => new MemoryStream());
  const latencies: number[] = [];
  const [from, to] = [fromSecond * 1000, (seconds - CLOSING_SECONDS) * 1000];
  const isMeasured = () => time.now >= from && time.now < to;
  let [added, looks, exchanges] = [0, 0, 0];

  const process = async ({ id }: { id: string }) => {
    await time.sleep(mdmMs);
    if (isMeasured()) latencies.push(time.now - Number(id.split('-')[0]));
  };
  const call = async <T>(reply: () => T): Promise<T> => {
    if (isMeasured()) exchanges++;
    await time.sleep(REDIS_MS);
    return reply();
  };
  const settings = {
    ...{ batchSize: 100, concurrency, maxDeliveries: 5, backoffMs: 1000, leaseMs: LEASE_MS, trim: false },
    ...{ refusalLimit: 20, lingerMs: 1000, budgetMs: seconds * 1000, bodyBytes: 2 ** 27, viewLimit: VIEW_LIMIT },
  };
  const run = async () => {
    const clock = time.clock();
    const own = streams.map((stream, shard) => {
      const group = new MemoryGroup(stream, clock, LEASE_MS, call);
      const look = group.look.bind(group);
      group.look = () => {
        if (isMeasured()) looks++;
        return look();
      };
      return { stream: `scale:${shard}`, group };
    });
    const target = { keyFields: ['key'], process };
    await consume({ shards: own, target, settings, log: createLog('error', {}, () => {}), clock });
  };

  const running = Array.from({ length: runs }, run);
  let behind = 0;
  for (let at = 0; at < seconds * 1000; at += TICK_MS) {
    const until = Math.round((rate * (at + TICK_MS)) / 1000);
    for (; added < until; added++) streams[added % shards]!.add(time.now, 'key', String(added));
    await time.until(time.sleep(TICK_MS));
    if (at === to) behind = mostBehind(streams);
  }
  await time.until(Promise.all(running));
  const measured = seconds - CLOSING_SECONDS - fromSecond;
  return {
    share: latencies.length / (rate * measured),
    ...{ p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
    ...{ looks: looks / measured, exchanges: (exchanges - looks) / measured, behind },
  };
}

const mostBehind = (streams: readonly MemoryStream[]) =>
  Math.max(...streams.map(({ entries, next }) => entries.length - next));

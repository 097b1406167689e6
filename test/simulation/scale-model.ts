import priceList from '#deploy/cost/prices.json' with { type: 'json' };

const listPrices = priceList.regions['us-east-1'];

/** A use of the consumer, and how it is set up. */
export interface Setup {
  readonly recordsADay: number;
  /** The busiest minutes, over the mean of the day. */
  readonly peakFactor: number;
  readonly recordKb: number;
  /** Time of a call of the MDM, in milliseconds. */
  readonly mdmMs: number;
  /** Records a call of `source-enqueue-batch`; 1 stands for `source-enqueue`. */
  readonly batch: number;
  readonly shards: number;
  /** A run's; and the memory of its function, in MB. */
  readonly concurrency: number;
  readonly memoryMb: number;
  /** Masters of the Redis Cluster. */
  readonly masters: number;
}

/** Something that is used up as load grows. */
export interface Use {
  readonly what: string;
  readonly amount: number;
  readonly unit: string;
  readonly limit: number;
  /** Where the limit is from. */
  readonly limitOf: string;
  /** What to turn when it is near. */
  readonly turn: string;
}

export const BILLION_A_DAY: Setup = {
  ...{ recordsADay: 1e9, peakFactor: 2, recordKb: 1, mdmMs: 50, batch: 100 },
  ...{ shards: 256, concurrency: 50, memoryMb: 1024, masters: 8 },
};

const SECONDS_A_DAY = 86_400;
/** Memory that comes with one core, in MB; what the consumer and an enqueue need of it for a record, in ms. */
const MB_A_CORE = 1769;
const CONSUMER_CPU_MS = 0.6;
const ENQUEUE_CPU_MS = { call: 5, record: 0.02 };
/** A run reaches at least so much of concurrency ÷ latency: the target of the bench at concurrency 50. */
const EFFICIENCY = 0.91;
/**
 * A lingering run asks each of its shards so often a second for new entries, acknowledges each shard's at most so often,
 * and looks so often at a shard that another run holds. The simulation of scale confirms them.
 */
const [READS, ACKS, LOOKS] = [50, 100, 4];
/** What a master does a second: plain commands, each script counted as three of them. */
const COMMANDS_A_MASTER = 80_000;
const SCRIPT = 3;
const MEMORY_OVERHEAD = 1.3;
/** Added, read, acknowledged, and a look at the lease. */
const COMMANDS_A_RECORD = 4;
const LOG_KB_A_CALL = 0.9;

/** What a setup uses in its busiest minutes. */
export function usesOf(setup: Setup) {
  const { recordsADay, peakFactor, recordKb, mdmMs, batch, shards, concurrency, memoryMb, masters } = setup;
  const mean = recordsADay / SECONDS_A_DAY;
  const peak = mean * peakFactor;
  const runRate = Math.min(
    (EFFICIENCY * concurrency * 1000) / mdmMs,
    (1000 / CONSUMER_CPU_MS) * (memoryMb / MB_A_CORE),
  );
  const runs = Math.ceil(peak / runRate);
  const enqueueCalls = peak / batch;
  const enqueueMs = (ENQUEUE_CPU_MS.call + ENQUEUE_CPU_MS.record * batch) * (MB_A_CORE / 512) + 2;
  const enqueues = Math.ceil((enqueueCalls * enqueueMs) / 1000);
  const written = peak + (batch === 1 ? SCRIPT * peak : SCRIPT * enqueueCalls * Math.min(batch, shards));
  const carried = shards * READS + 2 * Math.min(peak, shards * ACKS);
  const looked = (runs - 1) * shards * LOOKS * SCRIPT;
  // prettier-ignore
  const uses: Use[] = [
    { what: 'Calls of the MDM', amount: peak, unit: 'a second', limit: 25_000, limitOf: 'an assumption: what its operator grants', turn: 'nothing here: ask its operator first' },
    { what: 'Runs of the consumer', amount: runs, unit: 'at a time', limit: 50, limitOf: '`consumers` of a deployment', turn: '`memoryMb` up to a core, then `concurrency`; a second deployment with shards of its own' },
    { what: 'Runs, one a shard', amount: runs, unit: 'at a time', limit: shards, limitOf: '`shards`', turn: '`shards`, while the streams are empty' },
    { what: 'Executions of Lambda', amount: runs + enqueues, unit: 'at a time', limit: 1000, limitOf: 'the default quota of an account', turn: 'the quota; bigger batches' },
    { what: 'Invocations of Lambda', amount: enqueueCalls + runs / 60, unit: 'a second', limit: 10_000, limitOf: 'ten times that quota', turn: 'bigger batches' },
    { what: 'Connections of a master', amount: runs + enqueues, unit: '', limit: 10_000, limitOf: 'the default `maxclients` of Redis; ElastiCache has 65,000', turn: '`maxclients`; bigger batches: a container has one connection to each master' },
    { what: 'Commands of a master', amount: (written + carried + looked) / masters, unit: 'a second', limit: COMMANDS_A_MASTER, limitOf: 'one core of the server; a script counts as three', turn: '`masters`; batches of more records than there are shards' },
    { what: 'of them, looks at shards of other runs', amount: looked / masters, unit: 'a second', limit: COMMANDS_A_MASTER, limitOf: 'the same', turn: 'fewer runs of more `concurrency`: they grow with runs × shards' },
    { what: 'Memory of a master after an hour without the MDM', amount: (mean * 3600 * recordKb * MEMORY_OVERHEAD) / 1e6 / masters, unit: 'GB', limit: 26, limitOf: 'a cache.r7g.xlarge', turn: '`masters`, larger nodes; producers that wait' },
    { what: 'Network of a master', amount: (peak * recordKb * 2 * 8) / 1e6 / masters, unit: 'Gbit a second', limit: 2.5, limitOf: 'the lasting rate of such a node', turn: '`masters`' },
  ];
  return { mean, peak, runRate, runs, enqueues, enqueueCalls, enqueueMs, uses };
}

/** What a day costs, part by part, in dollars; direct invocations, no HTTP API. */
export function costOf(setup: Setup, prices: typeof listPrices = listPrices): [part: string, usd: number][] {
  const { recordsADay, peakFactor, recordKb, batch, memoryMb } = setup;
  const { runs, enqueueMs } = usesOf(setup);
  const calls = recordsADay / batch;
  const runSeconds = (runs / peakFactor) * SECONDS_A_DAY;
  const gbSeconds = (calls * enqueueMs * 0.5) / 1000 + (runSeconds * memoryMb) / 1024;
  const logGb = ((calls + runSeconds / 60) * LOG_KB_A_CALL) / 1e6;
  const commands = recordsADay * Math.max(1, recordKb) * COMMANDS_A_RECORD;
  return [
    ['Lambda, duration', gbSeconds * prices.lambdaGbSecond],
    ['Lambda, requests', ((calls + runSeconds / 60) / 1e6) * prices.lambdaMillionRequests],
    ['Logs, written and kept', logGb * (prices.logsIngestedGb + prices.logsStoredGbMonth)],
    ['NAT gateways, data', ((recordsADay * recordKb) / 1e6) * prices.natGb],
    ['ElastiCache Serverless, commands', (commands / 1e6) * prices.valkeyMillionEcpu],
  ];
}

/** Figures that the simulation of scale must come near to: exchanges of all runs with the server a second, at the mean. */
export function exchangesOf(setup: Setup, runs: number): { carried: number; looked: number } {
  const mean = setup.recordsADay / SECONDS_A_DAY;
  return {
    carried: setup.shards * READS + Math.min(mean, setup.shards * ACKS),
    looked: (runs - 1) * setup.shards * LOOKS,
  };
}

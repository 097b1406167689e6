import listPrices from './prices.json' with { type: 'json' };

/**
 * Processor time of an entry, in milliseconds of a whole core: measured at 0.29 of a core on a two-core machine, with
 * an MDM that answers at once. A processor of Lambda may be slower.
 */
const PROCESSOR_MS_AN_ENTRY = 0.7;
/** Memory with which Lambda gives a function a whole core. A consumer uses no second one. */
const MEMORY_OF_A_CORE = 1769;
const ENTRIES = 1_000_000;

/** A run of the consumer. */
export interface RunOfConsumer {
  readonly memoryMb: number;
  readonly concurrency: number;
  /** Latency of the target. */
  readonly latencyMs: number;
}

/** Entries a second: as many as the target's latency allows, or the share of a core. */
export function entriesASecond({ memoryMb, concurrency, latencyMs }: RunOfConsumer): number {
  const byLatency = (concurrency * 1000) / latencyMs;
  const byProcessor = (Math.min(1, memoryMb / MEMORY_OF_A_CORE) * 1000) / PROCESSOR_MS_AN_ENTRY;
  return Math.min(byLatency, byProcessor);
}

/** Function time of a million entries, in dollars by list price. */
export function usdAMillion(run: RunOfConsumer): number {
  const price = listPrices.regions['eu-central-1'].lambdaGbSecond;
  return (ENTRIES / entriesASecond(run)) * (run.memoryMb / 1024) * price;
}

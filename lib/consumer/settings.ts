/** How a run works. Defaults stand in the contract of `stream-consumer`. */
export interface Settings {
  /** Entries a read. */
  batchSize: number;
  /** Attempts at a time, over all shards. */
  concurrency: number;
  /** Failures by its own fault after which an entry becomes a dead letter. */
  maxDeliveries: number;
  /** Age after which any failure is the last, in milliseconds. */
  maxAgeMs?: number;
  /** Rest after the first failure, in milliseconds; doubled with each failure. */
  backoffMs: number;
  /** How long the lease outlives the last sign of life, in milliseconds. */
  leaseMs: number;
  /** Whether to drop what every group of the stream is done with. */
  trim: boolean;
  /** Permanent refusals of fresh keys in a row that open the breaker; 0: never. */
  refusalLimit: number;
  /** How long a drained run goes on looking, counted anew from each entry, in milliseconds. */
  lingerMs: number;
  /** Time of the run, in milliseconds. */
  budgetMs: number;
  /** Most bytes that bodies in view may take. */
  bodyBytes: number;
  /** Entries kept in view a shard, most of them without their bodies. With more pending, nothing new is read. */
  viewLimit: number;
}

/** Ids and keys of so many entries take about 60 MB. */
export const VIEW_LIMIT = 250_000;

/** A quarter of the function's memory. */
export const bodyBytesOf = (memoryMb: number): number => (memoryMb * 2 ** 20) / 4;

/** How a run works. Defaults stand in the contract of `stream-consumer`. */
export interface Settings {
  /** Entries a read. */
  batchSize: number;
  /** Attempts at a time. */
  concurrency: number;
  /** Deliveries after which a counted failure is the last. */
  maxDeliveries: number;
  /** Age after which any failure is the last, in milliseconds. */
  maxAgeMs?: number;
  /** Rest after the first failure, in milliseconds; doubled with each delivery. */
  backoffMs: number;
  /** How long the lease outlives the last sign of life, in milliseconds. */
  leaseMs: number;
  /** Whether to drop what every group of the stream is done with. */
  trim: boolean;
  /** Time of the run, in milliseconds. */
  budgetMs: number;
}

/** Entries that a run keeps in view. With more pending, it reads nothing new. */
export const PENDING_LIMIT = 10_000;

import type { RunSettings } from './run-settings.schema.ts';

/** Parameters that say where a run works, and not how. */
type Whereabouts = 'target' | 'startId' | 'keyField' | 'targetBatchSize';

/** How a run works: what the contract of `stream-consumer` describes, and what its surroundings allow. */
export interface Settings extends Omit<RunSettings, Whereabouts> {
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

import type { Entry } from './entry.ts';

/**
 * Where entries go. A team adds its own in one file.
 *
 * @example
 * const print: Target = { keyOf: (entry) => fieldOf(entry, 'orderId') ?? '', process: async (entry) => console.log(entry) };
 */
export interface Target {
  /** Entries of the same key are processed one after the other, in the order of the stream. */
  keyOf(entry: Entry): string;
  /**
   * Takes an entry: settles once it is done for good. It may be given the same entry again.
   *
   * @param signal fires when the run gives up: its time is over, or its lease is lost
   * @throws what `classify` tells apart: a fault of the entry, a failure that counts, an outage
   */
  process(entry: Entry, signal: AbortSignal): Promise<void>;
}

import type { ConnectorError } from '../core/errors.ts';
import type { PendingEntry } from '../stream/commands/xpending.ts';
import type { DeadLetter } from './dead-letter.ts';
import type { Entry } from './entry.ts';

/** Where a group stands. */
export interface Progress {
  readonly pending: number;
  /** Entries not yet delivered; null where the server cannot tell. */
  readonly lag: number | null;
  /** Id of the oldest pending entry. */
  readonly oldestId: string | null;
}

/**
 * In whose name an entry is pending: the consumer's; or, for one that is tried alone, a name that tells the how manyeth
 * trial that is. Found pending in that name, it was alone when its run ended without a word.
 */
export type Holder = 'stream-consumer' | `stream-consumer:alone:${number}`;

/** Which trial alone a name stands for; 0 for other names. */
export function trialOf(holder: string): number {
  return Number(/^stream-consumer:alone:(\d+)$/.exec(holder)?.[1] ?? 0);
}

/** What came of asking for the lease: it is ours, another run holds it, or the target asked for rest. */
export type Acquired = 'acquired' | 'held' | 'paused';

/**
 * A consumer group, and the lease that makes a run its only reader. All methods throw a `ConnectorError`; whether the
 * command ran is then unknown.
 */
export interface Group {
  acquire(): Promise<Acquired>;
  /** Prolongs the lease; false when it is lost. */
  renew(): Promise<boolean>;
  /** Ends the lease if it is still ours; no run may begin for another `pauseMs`. */
  release(pauseMs: number): Promise<void>;
  /** Makes the group, and the stream. Returns whether it was missing. */
  create(): Promise<boolean>;
  /** New entries, delivered; nothing without the lease. Throws NOGROUP when the lease or the group is gone. */
  read(count: number): Promise<Entry[]>;
  ack(ids: readonly string[]): Promise<void>;
  /** Pending entries after this id (all: `0-0`), in the order of the stream. */
  pendingAfter(id: string, count: number): Promise<PendingEntry[]>;
  /** The bodies of these entries, without delivering them; deleted ones are left out. */
  peek(ids: readonly string[]): Promise<Entry[]>;
  /** Delivers pending entries again, which counts; deleted ones leave the group and the answer. */
  claim(ids: readonly string[], holder: Holder): Promise<Entry[]>;
  /** Sets the count of pending entries, and how long ago they were delivered. */
  giveBack(ids: readonly string[], deliveries: number, idleMs: number): Promise<void>;
  /** Writes the dead letter and acknowledges, both or neither. Returns whether the entry was still pending. */
  bury(letter: DeadLetter): Promise<boolean>;
  progress(): Promise<Progress>;
  /** Drops the entries that every group of the stream is done with. Returns how many. */
  trim(): Promise<number>;
}

/** Whether the group, or the lease that reading needs, does not exist. */
export function isNoGroup(error: unknown): boolean {
  return (error as Partial<ConnectorError> | undefined)?.upstreamCode === 'NOGROUP';
}

/** The lease is another run's, or nobody's, by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

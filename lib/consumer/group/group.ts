import type { ConnectorError } from '../../core/errors.ts';
import type { DeadLetter } from '../dead-letters/letter.ts';
import type { Entry } from '../entry.ts';

/** Where a group stands. */
export interface Progress {
  readonly pending: number;
  /** Entries not yet delivered; null where the server does not know. */
  readonly lag: number | null;
  /** Id of the oldest pending entry. */
  readonly oldestId: string | null;
  /** Id of the first entry that is not yet delivered. */
  readonly unreadId: string | null;
}

/**
 * Whether there is something to do in a group, and whether a run may begin: `work` (unread or pending entries), `idle`,
 * `missing` (no stream or no group yet); or not: `held` by another run, `resting` for the target, `paused` by an operator.
 */
export interface Look extends Progress {
  readonly state: 'work' | 'idle' | 'missing' | 'held' | 'resting' | 'paused';
}

/** What came of asking for the lease. */
export interface Acquired {
  readonly outcome: 'acquired' | 'held' | 'resting' | 'paused';
  /** How often in a row the breaker opened in earlier runs. */
  readonly level: number;
  /** Whether the group exists. */
  readonly hasGroup: boolean;
  /** How many of the next entries are small enough to be read at once without knowing more of them; at least 1. */
  readonly firstRead: number;
}

/** A pending entry as the server knows it, without its body. */
export interface PendingRow {
  readonly id: string;
  /** Its ordering key; undefined where its body was deleted. */
  readonly key: string | undefined;
  /** Size of its body. */
  readonly bytes: number;
  /** Since the last delivery. */
  readonly idleMs: number;
  /** Deliveries whose end nobody wrote. */
  readonly unended: number;
  readonly own: number;
  readonly outages: number;
  readonly crashes: number;
  /** Not to be attempted before, in milliseconds since 1970; 0 where it has not failed. */
  readonly dueAt: number;
}

export interface PendingPage {
  readonly rows: readonly PendingRow[];
  readonly isLast: boolean;
}

/** An entry that leaves the group, as far as the server must know it. */
export interface Leaving {
  readonly id: string;
  /** Whether the server remembers failures of it. */
  readonly hasState: boolean;
  readonly keyQueue: { readonly key: string };
}

/** How the last attempt of an entry left it. */
export interface Failed {
  readonly id: string;
  readonly own: number;
  readonly outages: number;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

/** An entry that is to become a dead letter. */
export interface Burial {
  readonly letter: DeadLetter;
  /** Its ordering key. */
  readonly key: string;
}

/** What came of giving the lease back. `unread`: it is still held, because there is more to read. */
export type Released = 'released' | 'released-unread' | 'unread' | 'lost';

/**
 * A consumer group, and the lease that makes a run its only reader. All methods throw a `ConnectorError`; whether the
 * command ran is then unknown. Those that need the lease throw `LeaseLost` without it, and `read` NOGROUP.
 */
export interface Group {
  /** Writes nothing. */
  look(): Promise<Look>;
  acquire(): Promise<Acquired>;
  /** Prolongs the lease. */
  renew(): Promise<'renewed' | 'paused' | 'lost'>;
  /** Gives the lease back, a `drained` one only if nothing is unread; no run may begin for `restMs`. */
  release(options: { isDrained: boolean; restMs: number }): Promise<Released>;
  /** Keeps runs away for so long, where no run is active. */
  rest(ms: number): Promise<void>;
  /** Makes the group, and the stream; what was remembered of entries is forgotten. Returns whether it was missing. */
  create(): Promise<boolean>;
  /** New entries, delivered; waits for them for so long. */
  read(count: number, blockMs?: number): Promise<Entry[]>;
  /** Acknowledges what its target took, whoever holds the lease; then says whether it is still held. */
  ack(items: readonly Leaving[]): Promise<void>;
  /** Acknowledges entries that have no body any more, and forgets their failures. */
  forget(ids: readonly string[]): Promise<void>;
  /** The lease was lost while this entry was tried alone, but the run goes on: it did not crash. Needs no lease. */
  survived(id: string): Promise<void>;
  /** Pending entries after this id (all: `0-0`), in the order of the stream, up to a number and a size of bodies. */
  lookUp(after: string, count: number, bytes: number): Promise<PendingPage>;
  /** Delivers pending entries again, which counts; deleted ones leave the group and the reply. */
  claim(ids: readonly string[], options?: { isAlone: boolean }): Promise<Entry[]>;
  /** Sets the count of deliveries of entries that were not attempted. */
  giveBack(ids: readonly string[], unended: number): Promise<void>;
  /** Remembers how attempts ended; their deliveries count no more. */
  fail(failed: readonly Failed[]): Promise<void>;
  /**
   * For each entry, writes the dead letter and acknowledges, both or neither. Returns for each whether it was still
   * pending, or why the server refused it.
   */
  bury(burials: readonly Burial[]): Promise<(boolean | ConnectorError)[]>;
  /** Remembers how often in a row the breaker opened. */
  setLevel(level: number): Promise<void>;
  /**
   * Whether all names and values of an entry are UTF-8, so that what was decoded is what the server has; undefined where it
   * no longer has it.
   */
  isUtf8(entry: Entry): Promise<boolean | undefined>;
  /** Drops the entries that every group of the stream is done with. Returns how many. */
  trim(): Promise<number>;
}

/** Whether the group, or the lease that reading needs, does not exist (any more, under a read that waited). */
export function isNoGroup(error: unknown): boolean {
  const { upstreamCode } = (error ?? {}) as Partial<ConnectorError>;
  return upstreamCode === 'NOGROUP' || upstreamCode === 'UNBLOCKED';
}

/** The lease is another run's, or nobody's, by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

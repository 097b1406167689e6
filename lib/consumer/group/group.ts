import type { ConnectorError } from '../../core/errors.ts';
import type { DeadLetter } from '../dead-letters/letter.ts';
import type { Entry } from '../entry.ts';

/** The status of a group. */
export interface Progress {
  readonly pending: number;
  /** Unread entries; null if the server does not know. */
  readonly lag: number | null;
  /** Id of the oldest pending entry. */
  readonly oldestId: string | null;
  /** Id of the first unread entry. */
  readonly unreadId: string | null;
  /** Entries in the stream, processed ones included. */
  readonly length: number;
  readonly deadLetters: number;
  /** Fields of the notes about keys with dead letters. */
  readonly notes: number;
}

/**
 * What a run finds in a group. It may begin: `work` (unread or pending entries), `idle`, `missing` (no stream or no
 * group yet). It may not: `held` by another run, `resting` for the target, `paused` by an operator.
 */
export interface ShardStatus extends Progress {
  readonly state: 'work' | 'idle' | 'missing' | 'held' | 'resting' | 'paused';
  /** The run that holds the lease; empty for a run of version 1.0. */
  readonly holder?: string | undefined;
  /** Another run that asks for the shard. */
  readonly asker?: Asker | undefined;
}

/** A run that has fewer shards than its fair share, and asks another one for a shard. */
export interface Asker {
  readonly run: string;
  /** The fair share of each run, as it counts them. */
  readonly share: number;
}

export interface Renewed {
  readonly result: 'renewed' | 'paused' | 'lost';
  /** Another run that asks for the shard. */
  readonly asker?: Asker | undefined;
}

/** The result of asking for the lease. `asked`: another run has asked for the shard before. */
export interface Acquired {
  readonly result: 'acquired' | 'held' | 'asked' | 'resting' | 'paused';
  /** The breaker's level: how often in a row it opened in earlier runs. */
  readonly level: number;
  /** Whether the group exists. */
  readonly hasGroup: boolean;
  /** The next entries that are small enough to read at once, at least one, and their bytes. */
  readonly firstRead: { readonly count: number; readonly bytes: number };
}

/** A pending entry without its body. */
export interface PendingRow {
  readonly id: string;
  /** Its ordering key; undefined if its body was deleted. */
  readonly key: string | undefined;
  /** Size of its body. */
  readonly bytes: number;
  /** Milliseconds since the last delivery. */
  readonly idleMs: number;
  /** Deliveries whose result no run has written. */
  readonly unconfirmedDeliveries: number;
  readonly entryFailures: number;
  readonly targetFailures: number;
  readonly crashes: number;
  /** Earliest time of the next attempt, in milliseconds since 1970; 0 if it has not failed. */
  readonly dueAt: number;
}

export interface PendingPage {
  readonly rows: readonly PendingRow[];
  readonly isLast: boolean;
}

/** An entry that leaves the group. */
export interface LeavingEntry {
  readonly id: string;
  /** Whether the server remembers failures of it. */
  readonly hasState: boolean;
  readonly keyQueue: { readonly key: string };
}

/** Why an attempt failed. */
export interface Cause {
  readonly type: string;
  /** Without a value of the entry. */
  readonly detail: string;
  readonly target: string;
}

/** The state of an entry after its last attempt. */
export interface FailureState {
  readonly id: string;
  readonly entryFailures: number;
  readonly targetFailures: number;
  /** Earliest time of the next attempt, in milliseconds since 1970. */
  readonly dueAt: number;
  /** Time of the last failure, in milliseconds since 1970. */
  readonly failedAt?: number;
  readonly cause?: Cause;
}

/** An entry to bury. */
export interface Burial {
  readonly letter: DeadLetter;
  /** Its ordering key. */
  readonly key: string;
}

/** What became of an entry to bury: without a letter if it was deleted, or is not pending in the group (any more). */
export type Buried = 'buried' | 'deleted' | 'not-pending';

/** The result of giving the lease back. `unread`: it is still held, because there is more to read. */
export type Released = 'released' | 'released-unread' | 'unread' | 'lost';

/**
 * A consumer group, and the lease that makes a run its only reader. All methods throw a `ConnectorError`; the command
 * may then have run. Without the lease, those that need it throw `LeaseLost`, and `read` NOGROUP.
 */
export interface Group {
  /** Whether other shards may be on other servers, which work while the one of this shard does not. */
  readonly isOnCluster: boolean;
  /** Writes nothing. */
  readStatus(): Promise<ShardStatus>;
  acquire(): Promise<Acquired>;
  /** Renews the lease. */
  renew(): Promise<Renewed>;
  /** Asks the run that holds the lease to give the shard to this run. */
  ask(share: number): Promise<void>;
  /** Asks for it no longer. */
  withdraw(): Promise<void>;
  /** Gives the lease back; if `drained`, only if nothing is unread. No run may begin for `restMs`. */
  release(options: { isDrained: boolean; restMs: number }): Promise<Released>;
  /** Keeps runs away for this long, if no run is active. */
  startRest(ms: number): Promise<void>;
  /** Creates the group and the stream, and drops the state of entries. Returns whether the group was missing. */
  create(): Promise<boolean>;
  /** Delivers new entries; waits for them for this long. */
  read(count: number, blockMs?: number): Promise<Entry[]>;
  /** Acknowledges processed entries, whoever holds the lease. Then returns whether it is still held. */
  ack(items: readonly LeavingEntry[]): Promise<void>;
  /** Makes delivered entries pending again: they were acknowledged for an earlier delivery. */
  restore(ids: readonly string[]): Promise<void>;
  /** Acknowledges those of the entries that the stream no longer has, and drops their failures. Returns how many. */
  forgetDeleted(ids: readonly string[]): Promise<number>;
  /** Notes that the run lost its lease during this isolated attempt, but did not crash. Needs no lease. */
  survived(id: string): Promise<void>;
  /** Lists pending entries after this id (all: `0-0`), in order, up to a number and a size of bodies. */
  listPending(after: string, count: number, bytes: number): Promise<PendingPage>;
  /**
   * Delivers pending entries again, which counts as a delivery. Omits those that were deleted, which leave the group,
   * and those that are not pending, because the group was made anew.
   */
  claim(ids: readonly string[], options?: { isIsolated: boolean }): Promise<Entry[]>;
  /**
   * Resets the deliveries of entries that were not attempted. Returns those that are not pending, so they have none.
   */
  giveBack(ids: readonly string[], unconfirmedDeliveries: number): Promise<readonly string[]>;
  /** Writes the results of attempts, and resets their deliveries. Returns the entries that are not pending. */
  fail(failed: readonly FailureState[]): Promise<readonly string[]>;
  /**
   * For each entry, writes its dead letter and acknowledges it, both or neither. Returns for each what became of it, or
   * why the server refused it.
   */
  bury(burials: readonly Burial[]): Promise<(Buried | ConnectorError)[]>;
  /** Writes the breaker's level. */
  setLevel(level: number): Promise<void>;
  /** Deletes the entries that every group of the stream has processed, as far as time allows. Returns how many. */
  trim(): Promise<number>;
}

/** Whether an error means that the group, or the lease that a read needs, does not exist (any more). */
export function isNoGroup(error: unknown): boolean {
  const { upstreamCode } = (error ?? {}) as Partial<ConnectorError>;
  return upstreamCode === 'NOGROUP' || upstreamCode === 'UNBLOCKED';
}

/** Another run, or none, holds the lease now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

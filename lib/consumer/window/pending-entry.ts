import type { Entry } from '../entry.ts';
import type { Cause } from '../group/group.ts';

/** The pending entries of one ordering key, in the order of the stream. Its head is attempted; in a batch, more. */
export interface KeyQueue {
  readonly key: string;
  head: PendingEntry;
  tail: PendingEntry;
  /** Number of its entries. */
  size: number;
}

/**
 * How far an entry has come in the window: behind another of its key; a head that waits for its time; in a queue for
 * its body or its attempt; out of the queue, for a claim, an attempt or its dead letter; or no longer in the window.
 */
export type Stage = 'behind' | 'delayed' | 'queued' | 'inProgress' | 'removed';

/** The server's facts about a pending entry. */
export interface EntryFacts {
  /** Size of the body in bytes; 0 while it is unknown. */
  bytes: number;
  /** Earlier deliveries whose result no run has written: their run was killed. */
  unconfirmedDeliveries: number;
  /** Failures that were its own fault. */
  entryFailures: number;
  /** Failures that were the target's fault. */
  targetFailures: number;
  /** How often a run was killed during an isolated attempt of it. */
  crashes: number;
  /** Whether the server remembers failures or crashes of it. */
  hasState: boolean;
  /** Earliest time of the next attempt, by the run's clock. */
  dueAt: number;
}

/** A pending entry in the window of a run. */
export interface PendingEntry extends EntryFacts {
  readonly id: string;
  /** Its body, while it is delivered to this run; absent while only its id and key are known. */
  body: Entry | undefined;
  /** Whether an earlier run left it pending and this one has not taken it up yet. */
  isRecovered: boolean;
  /** Whether its last attempt is counted in the report as failed. */
  isCountedFailed: boolean;
  /** Whether an attempt of it is in flight. */
  isAttempted: boolean;
  /** Whether the group, which an operator moved back, delivered it again meanwhile: it is in the window twice. */
  isRedelivered: boolean;
  stage: Stage;
  queue: { leave(pending: PendingEntry): void } | undefined;
  /** Why its last attempt in this run failed. */
  cause: Cause | undefined;
  /** Set when it is added. */
  keyQueue: KeyQueue;
  next: PendingEntry | undefined;
}

/** An entry that can be given to the target. */
export type LoadedEntry = PendingEntry & { body: Entry };

export const isLoaded = (pending: PendingEntry): pending is LoadedEntry => pending.body !== undefined;

const NOTHING_KNOWN: EntryFacts = {
  bytes: 0,
  unconfirmedDeliveries: 0,
  entryFailures: 0,
  targetFailures: 0,
  crashes: 0,
  hasState: false,
  dueAt: 0,
};

/** An entry that was just read. */
export const readNow = (body: Entry, bytes: number): PendingEntry => make(body.id, body, bytes, NOTHING_KNOWN);

/** An entry that an earlier run left pending. */
export const leftPending = (id: string, known: EntryFacts): PendingEntry => make(id, undefined, known.bytes, known);

/** One literal for all, so that they have one shape on the hot path. */
function make(id: string, body: Entry | undefined, bytes: number, known: EntryFacts): PendingEntry {
  const { unconfirmedDeliveries, entryFailures, targetFailures, crashes, hasState, dueAt } = known;
  const isRecovered = body === undefined;
  // oxfmt-ignore
  return {
    id, body, bytes, unconfirmedDeliveries, entryFailures, targetFailures, crashes, hasState, dueAt, isRecovered,
    isCountedFailed: false, isAttempted: false, isRedelivered: false, stage: 'behind', queue: undefined,
    cause: undefined, keyQueue: undefined as unknown as KeyQueue, next: undefined,
  };
}

/** Whether an attempt has failed before, as far as known. */
export const isFailing = ({ entryFailures, targetFailures }: PendingEntry): boolean =>
  entryFailures + targetFailures > 0;

/** Number of earlier attempts with any result. */
export const attemptsOf = ({ entryFailures, targetFailures, unconfirmedDeliveries }: PendingEntry): number =>
  entryFailures + targetFailures + unconfirmedDeliveries;

/** Longest delay before the next attempt, in milliseconds. */
const MAX_DELAY_MS = 60_000;

/**
 * Delay of an entry after its last delivery, in milliseconds: none before its first attempt, then `backoffMs`, doubled
 * with each delivery up to a minute (or `backoffMs`, if that is longer).
 */
export function delayAfter(deliveries: number, backoffMs: number): number {
  if (deliveries === 0) return 0;
  return Math.min(backoffMs * 2 ** (deliveries - 1), Math.max(MAX_DELAY_MS, backoffMs));
}

import type { Entry } from '../entry.ts';
import type { Cause } from '../group/group.ts';

/** The pending entries of one ordering key, in the order of the stream. Only its head is attempted. */
export interface KeyQueue {
  readonly key: string;
  head: PendingEntry;
  tail: PendingEntry;
  /** Number of its entries. */
  size: number;
}

/**
 * The place of an entry in the window: behind another of its key; a head that waits for its time; in a queue for its
 * body or its attempt; taken out for a claim, an attempt or its dead letter; or no longer in the window.
 */
export type Place = 'behind' | 'delayed' | 'queued' | 'taken' | 'gone';

/** The server's facts about a pending entry. */
export interface Known {
  /** Size of the body in bytes; 0 while it is unknown. */
  bytes: number;
  /** Earlier deliveries of unknown result: their run was killed. */
  unended: number;
  /** Failures by its own fault. */
  own: number;
  /** Failures that were not its own fault. */
  outages: number;
  /** How often a run was killed while it tried this entry alone. */
  crashes: number;
  /** Whether the server remembers failures or crashes of it. */
  hasState: boolean;
  /** Earliest time of the next attempt, by the run's clock. */
  dueAt: number;
}

/** A pending entry in the window of a run. */
export interface PendingEntry extends Known {
  readonly id: string;
  /** Its body, while it is delivered to this run; absent while only its id and key are known. */
  body: Entry | undefined;
  /** Whether an earlier run left it pending and this one has not taken it up yet. */
  isRecovered: boolean;
  /** Whether its last attempt is counted in the report as failed. */
  isCountedFailed: boolean;
  /** Whether an attempt of it is in flight. */
  isAttempted: boolean;
  place: Place;
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

const NOTHING_KNOWN: Known = { bytes: 0, unended: 0, own: 0, outages: 0, crashes: 0, hasState: false, dueAt: 0 };

/** An entry that was just read. */
export const readNow = (body: Entry, bytes: number): PendingEntry => make(body.id, body, bytes, NOTHING_KNOWN);

/** An entry that an earlier run left pending. */
export const leftPending = (id: string, known: Known): PendingEntry => make(id, undefined, known.bytes, known);

/** One literal for all, so that they have one shape on the hot path. */
function make(id: string, body: Entry | undefined, bytes: number, known: Known): PendingEntry {
  const { unended, own, outages, crashes, hasState, dueAt } = known;
  const isRecovered = body === undefined;
  // prettier-ignore
  return {
    id, body, bytes, unended, own, outages, crashes, hasState, dueAt, isRecovered, isCountedFailed: false,
    isAttempted: false, place: 'behind', queue: undefined, cause: undefined,
    keyQueue: undefined as unknown as KeyQueue, next: undefined,
  };
}

/** Whether an attempt has failed before, as far as known. */
export const isFailing = ({ own, outages }: PendingEntry): boolean => own + outages > 0;

/** Number of earlier attempts with any result. */
export const attemptsOf = ({ own, outages, unended }: PendingEntry): number => own + outages + unended;

/** Longest delay before the next attempt, in milliseconds. */
export const MAX_DELAY_MS = 60_000;

/**
 * Delay of an entry after its last delivery, in milliseconds: none before its first attempt, then `backoffMs`, doubled
 * with each delivery up to a minute (or `backoffMs`, if that is longer).
 */
export function delayAfter(deliveries: number, backoffMs: number): number {
  if (deliveries === 0) return 0;
  return Math.min(backoffMs * 2 ** (deliveries - 1), Math.max(MAX_DELAY_MS, backoffMs));
}

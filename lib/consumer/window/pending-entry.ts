import type { Entry } from '../entry.ts';

/** The pending entries of one ordering key, in the order of the stream. Only its head is attempted. */
export interface KeyQueue {
  readonly key: string;
  head: PendingEntry;
  tail: PendingEntry;
  /** How many entries are in it. */
  size: number;
}

/**
 * Where an entry of the window is: behind another of its key; a head that waits for its time, or in a queue for its body
 * or its attempt; taken out for a claim, an attempt or its dead letter; or no longer in the window.
 */
export type Place = 'behind' | 'delayed' | 'queued' | 'taken' | 'gone';

/** What the server knows of a pending entry beside its id. */
export interface Known {
  /** Size of the body, in bytes; 0 while it is not known. */
  bytes: number;
  /** Earlier deliveries whose end nobody wrote: their run was killed. */
  unended: number;
  /** Failures by its own fault. */
  own: number;
  /** Failures that were no fault of its own. */
  outages: number;
  /** How often a run was killed while it had this entry alone. */
  crashes: number;
  /** Whether the server remembers failures or crashes of it. */
  hasState: boolean;
  /** Not to be attempted before, by the clock of the run. */
  dueAt: number;
}

/** An entry of the group that is delivered and not yet acknowledged, in the window of a run. */
export interface PendingEntry extends Known {
  readonly id: string;
  /** What it holds, while it is delivered to this run; absent while only its id and key are in view. */
  body: Entry | undefined;
  /** Whether an earlier run left it pending, and this one has not taken it up yet. */
  isRecovered: boolean;
  /** Whether its last attempt is counted in the report as failed. */
  isCountedFailed: boolean;
  place: Place;
  /** The queue that it stands in. */
  queue: { leave(pending: PendingEntry): void } | undefined;
  /** Set when it is added. */
  keyQueue: KeyQueue;
  next: PendingEntry | undefined;
}

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
    place: 'behind', queue: undefined, keyQueue: undefined as unknown as KeyQueue, next: undefined,
  };
}

/** Whether an attempt has failed before, as far as is known. */
export const isFailing = ({ own, outages }: PendingEntry): boolean => own + outages > 0;

/** How often it was attempted, the present attempt left out, of whatever end. */
export const attemptsOf = ({ own, outages, unended }: PendingEntry): number => own + outages + unended;

/** No entry waits longer than this for its next attempt, however often it failed, in milliseconds. */
const MAX_DELAY_MS = 60_000;

/**
 * How long an entry rests after its last delivery, in milliseconds: nothing before its first attempt, then `backoffMs`,
 * doubled with each delivery up to a minute (or `backoffMs`, where that is longer).
 */
export function delayAfter(deliveries: number, backoffMs: number): number {
  if (deliveries === 0) return 0;
  return Math.min(backoffMs * 2 ** (deliveries - 1), Math.max(MAX_DELAY_MS, backoffMs));
}

import type { Entry } from './entry.ts';

/** The entries of one ordering key, in the order of the stream. Only its head is attempted. */
export interface Lane {
  readonly key: string;
  head: Item;
  tail: Item;
  /** How many entries are in it. */
  size: number;
}

/**
 * Where an entry of the window is: behind another of its key; a head that waits for its time, or in a queue for its body
 * or its attempt; taken out for a claim or an attempt; or no longer in the window.
 */
export type Place = 'behind' | 'delayed' | 'queued' | 'taken' | 'gone';

/** An entry in the window of a run. */
export interface Item {
  readonly id: string;
  /** Its body, while it is delivered to this run; absent while only its id and key are in view. */
  entry: Entry | undefined;
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
  /** Whether an earlier run left it pending, and this one has not taken it up yet. */
  isRecovered: boolean;
  place: Place;
  /** The queue that it stands in. */
  queue: { leave(item: Item): void } | undefined;
  /** Set when it is added. */
  lane: Lane;
  next: Item | undefined;
}

/** What the server knows of a pending entry beside its id. */
export type Known = Pick<Item, 'bytes' | 'unended' | 'own' | 'outages' | 'crashes' | 'hasState' | 'dueAt'>;

const NOTHING_KNOWN: Known = { bytes: 0, unended: 0, own: 0, outages: 0, crashes: 0, hasState: false, dueAt: 0 };

/** An entry that was just read. */
export const freshItem = (entry: Entry, bytes: number): Item => makeItem(entry.id, entry, bytes, NOTHING_KNOWN);

/** An entry that an earlier run left pending. */
export const pendingItem = (id: string, known: Known): Item => makeItem(id, undefined, known.bytes, known);

/** One literal for all, so that they have one shape on the hot path. */
function makeItem(id: string, entry: Entry | undefined, bytes: number, known: Known): Item {
  const { unended, own, outages, crashes, hasState, dueAt } = known;
  const isRecovered = entry === undefined;
  // prettier-ignore
  return {
    id, entry, bytes, unended, own, outages, crashes, hasState, dueAt, isRecovered,
    place: 'behind', queue: undefined, lane: undefined as unknown as Lane, next: undefined,
  };
}

/** Whether an attempt has failed before, as far as is known. */
export const isFailing = ({ own, outages }: Item): boolean => own + outages > 0;

/** How often it was attempted, the present attempt left out, of whatever end. */
export const attemptsOf = ({ own, outages, unended }: Item): number => own + outages + unended;

export const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

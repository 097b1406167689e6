import { type ApiError, post } from './api.ts';

/** An entry as text, where bytes that are not UTF-8 show as U+FFFD. A field may come twice. */
export interface Entry {
  readonly id: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface Page {
  readonly entries: readonly Entry[];
  /** Where the next page begins; undefined at the end of the range. */
  readonly next: string | undefined;
  /** Number of entries read, whether they are on the page or not. */
  readonly scanned: number;
}

export const PAGE_SIZE = 20;
/** Entries that are read at a time where not all are shown. */
const PORTION = 500;
/** Stops scanning after this many entries even if the page isn't full. */
const MAX_SCANNED = 10_000;

/** A page of a stream, newest first: all entries from an end of the range on, or those that are wanted. */
export async function readPage(key: string, from: string, isWanted?: (entry: Entry) => boolean): Promise<Page> {
  const found: Entry[] = [];
  let next = from;
  let scanned = 0;
  for await (const entry of entriesFrom(key, from, isWanted ? PORTION : PAGE_SIZE + 1)) {
    if (isWanted?.(entry) ?? true) {
      if (found.length === PAGE_SIZE) return { entries: found, next, scanned };
      found.push(entry);
    }
    next = `(${entry.id}`;
    if (++scanned >= MAX_SCANNED) return { entries: found, next, scanned };
  }
  return { entries: found, next: undefined, scanned };
}

async function* entriesFrom(key: string, from: string, count: number): AsyncGenerator<Entry> {
  let [end, isLast] = [from, false];
  while (!isLast) {
    const portion = await readPortion(key, end, count);
    yield* portion.entries;
    end = `(${portion.entries.at(-1)?.id}`;
    isLast = portion.isLast;
  }
}

/** Reads fewer entries at a time if they are too large for one response. */
async function readPortion(key: string, end: string, count: number): Promise<{ entries: Entry[]; isLast: boolean }> {
  try {
    const entries = await readRange('stream/xrevrange', { key, end, count });
    return { entries, isLast: entries.length < count };
  } catch (error) {
    if ((error as ApiError).status !== 413 || count === 1) throw error;
    return readPortion(key, end, Math.ceil(count / 10));
  }
}

/** Entries of a range as the operation lists them, with any bytes. */
export async function readRange(operation: string, range: object): Promise<Entry[]> {
  const parameters = { ...range, format: 'pairs', encoding: 'base64' };
  const entries = await post<Record<string, [string, string][]>>(operation, parameters);
  return Object.entries(entries).map(([id, fields]) => ({
    id,
    fields: fields.map(([name, value]) => [decode(name), decode(value)] as const),
  }));
}

function decode(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

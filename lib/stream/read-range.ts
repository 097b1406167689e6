import { tooLarge } from '../contract/connector.ts';
import { isReplyTooLong } from '../redis/errors.ts';
import type { Command, Redis } from '../redis/redis.ts';
import type { ResponseSize } from '../runtime/response-size.ts';
import { lengthOf, mayHaveLostBytes, readEntries, type EntryOptions, type RawEntry } from './entries.ts';

/** Entries of a first portion: their size is not known yet. */
export const FIRST_PORTION = 128;
/** What a portion should hold, in characters. */
const PORTION_LENGTH = 2_000_000;
/** How much longer than the one before it a portion may be. */
const MAX_GROWTH = 32;
/** A reply of several entries that is longer is given up, and asked for in fewer. */
const MAX_PORTION_BYTES = 4 * 1024 * 1024;
/** The longest reply of one entry: what no response holds, however well it compresses. */
export const MAX_ENTRY_BYTES = 65 * 1024 * 1024;

/** Counts the text of a read, and refuses more than could travel. */
export class TextLimit {
  #left: number;

  constructor(size: ResponseSize) {
    this.#left = size.textLimit;
  }

  /** @throws {ConnectorError} 413 */
  take(length: number): void {
    this.#left -= length;
    if (this.#left < 0) throw tooLarge('stream', 'count');
  }

  get left(): number {
    return this.#left;
  }
}

export interface Range {
  key: string;
  /** Where the read begins: the low end, or of a reverse one the high end. */
  from: string;
  to: string;
  reverse?: boolean;
  /** Most entries. */
  count: number;
}

/**
 * Reads a range portion by portion, so that no more is in memory than could travel.
 *
 * @throws {ConnectorError} `STREAM:*`; 413 where it cannot travel.
 */
export async function readRange(
  redis: Redis,
  range: Range,
  options: EntryOptions,
  limit: TextLimit,
): Promise<RawEntry[]> {
  const entries: RawEntry[] = [];
  let portion = FIRST_PORTION;
  let growth = MAX_GROWTH;
  for (let from = range.from; ;) {
    portion = Math.max(-1, Math.min(portion, range.count - entries.length));
    const read = await readPortion(redis, portion, (count) => rangeCommand({ ...range, from }, count, options));
    if (read.entries.some(mayHaveLostBytes)) {
      const asBytes = rangeCommand({ ...range, from }, read.asked, { encoding: 'base64' });
      read.entries = await redis.send({ ...asBytes, maxReplyBytes: MAX_ENTRY_BYTES });
    }
    let largest = 1;
    for (const entry of read.entries) {
      const length = lengthOf(entry);
      largest = Math.max(largest, length);
      limit.take(length);
    }
    for (const entry of read.entries) entries.push(entry);
    if (read.entries.length < read.asked || entries.length >= range.count) return entries;
    from = `(${String(read.entries.at(-1)![0])}`;
    if (read.asked < portion) growth = 2; // sizes differ here
    const fitting = Math.min(PORTION_LENGTH, limit.left + largest) / largest;
    portion = Math.max(1, Math.floor(Math.min(fitting, read.asked * growth)));
  }
}

/**
 * Reads so many entries, or fewer where they are larger than anyone could know.
 *
 * @returns the entries, and how many were asked for in the end
 */
export async function readPortion<T>(
  redis: Redis,
  count: number,
  command: (count: number) => Command<T>,
): Promise<{ entries: T; asked: number }> {
  for (let asked = count; ; asked = Math.max(1, Math.floor(asked / 16))) {
    const maxReplyBytes = asked <= 1 ? MAX_ENTRY_BYTES : MAX_PORTION_BYTES;
    try {
      return { entries: await redis.send({ ...command(asked), maxReplyBytes }), asked };
    } catch (error) {
      if (!isReplyTooLong(error)) throw error;
      if (asked <= 1) throw tooLarge('stream', 'count');
    }
  }
}

function rangeCommand({ key, from, to, reverse }: Range, count: number, options: EntryOptions): Command<RawEntry[]> {
  return {
    key,
    asBytes: options.encoding === 'base64',
    args: [reverse ? 'XREVRANGE' : 'XRANGE', key, from, to, 'COUNT', String(count)],
    decode: readEntries,
  };
}

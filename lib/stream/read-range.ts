import { tooLarge } from '../contract/connector.ts';
import { wholeTurn } from '../core/turn.ts';
import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import { isReplyTooLong } from '../redis/errors.ts';
import type { Command, Redis } from '../redis/redis.ts';
import type { Output, Travel } from '../runtime/output.ts';
import { lengthOf, readEntries, type RawEntry } from './entries.ts';
import type { EntryDecoder } from './entry-decoder.ts';

/** Entries of a first portion: their size is not known yet. */
export const FIRST_PORTION = 128;
/**
 * What a portion should hold, in characters: a way to Redis and back for each 64 kB took a tenth of the time. What is
 * gzipped may be ten times as much, of which only the compressed text stays: small portions die among V8's young objects.
 */
const PORTION_LENGTH: Record<Travel, number> = { json: 1024 * 1024, text: 1024 * 1024, gzip: 64 * 1024 };
/** How much longer than the one before it a portion may be. */
const MAX_GROWTH = 32;
/** A reply of several entries that is longer is given up, and asked for in fewer. */
const MAX_PORTION_BYTES = 4 * 1024 * 1024;
/** The longest reply of one entry: what no response holds, however well it compresses. */
export const MAX_ENTRY_BYTES = 65 * 1024 * 1024;

/** Counts the text of a read, and refuses more than could travel. */
export class TextLimit {
  #left: number;
  /** What a portion should hold. */
  readonly portionLength: number;

  constructor({ textLimit, travel }: Output) {
    this.#left = textLimit;
    this.portionLength = PORTION_LENGTH[travel];
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

/** Entries of a range, decoded. */
interface Portion<T> {
  values: T[];
  /** What they take as they travel, at most. */
  bytes: number;
}

/**
 * Reads a range portion by portion, so that no more is in memory than two of them. The next one is on its way while the
 * one before it is decoded and written.
 *
 * @param decode with `decoder`
 * @throws {ConnectorError} `STREAM:*`; 413 where it cannot travel.
 */
export async function* readRange<T>(
  redis: Redis,
  range: Range,
  decoder: EntryDecoder,
  decode: (entry: RawEntry) => T,
  limit: TextLimit,
): AsyncGenerator<Portion<T>> {
  const read = (from: string, count: number) =>
    readPortion(redis, count, (most) => rangeCommand({ ...range, from }, most, decoder.asBytes));
  let { from, count } = range;
  let portion = Math.max(-1, Math.min(FIRST_PORTION, count));
  let growth = MAX_GROWTH;
  let reading: ReturnType<typeof read> | undefined = read(from, portion);
  while (reading) {
    const { entries, asked } = await reading;
    const largest = measure(entries, limit);
    count -= entries.length;
    reading = undefined;
    const last = String(entries.at(-1)?.[0]);
    if (entries.length === asked && count > 0 && last !== LAST_POSSIBLE_ID) {
      if (asked < portion) growth = 2; // sizes differ here
      const fitting = Math.min(limit.portionLength, limit.left + largest) / largest;
      portion = Math.min(count, Math.max(1, Math.floor(Math.min(fitting, asked * growth))));
      from = `(${last}`;
      reading = read(from, portion);
      reading.catch(() => {}); // where it is not waited for any more
      await wholeTurn(); // the client writes at its end, and Redis is to work while we decode
    }
    yield { values: entries.map(decode), bytes: decoder.takeBytes() };
  }
}

/** The length of the largest entry. */
function measure(entries: readonly RawEntry[], limit: TextLimit): number {
  let largest = 1;
  let sum = 0;
  for (const entry of entries) {
    const length = lengthOf(entry);
    largest = Math.max(largest, length);
    sum += length;
  }
  limit.take(sum);
  return largest;
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

function rangeCommand({ key, from, to, reverse }: Range, count: number, asBytes: boolean): Command<RawEntry[]> {
  return {
    key,
    asBytes,
    args: [reverse ? 'XREVRANGE' : 'XRANGE', key, from, to, 'COUNT', String(count)],
    decode: readEntries,
  };
}

import { tooLarge } from '../contract/connector.ts';
import { wholeTurn } from '../core/turn.ts';
import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import { isReplyTooLong } from '../redis/errors.ts';
import type { Command, Redis } from '../redis/redis.ts';
import type { Output, Travel } from '../runtime/output.ts';
import { lengthOf, readEntries, type RawEntry } from './entries.ts';
import type { EntryDecoder } from './entry-decoder.ts';

const MB = 1024 * 1024;

/** Entries of a first portion: their size is not known yet. */
export const FIRST_PORTION = 128;
/**
 * What a portion should have as it arrives, in bytes: a way to Redis and back for each 64 kB took a tenth of the time, and a
 * text over 1 MB stays outside V8's heap, which would copy it. What is gzipped may be ten times as much, of which only the
 * compressed text stays: small portions die among V8's young objects.
 */
const PORTION_BYTES: Record<Travel, number> = { json: 1.5 * MB, text: 1.5 * MB, gzip: 128 * 1024 };
/** How much longer than the one before it a portion may be. */
const MAX_GROWTH = 32;
/** Most entries of a portion: Redis holds it as a whole before it sends it, and the next ones may be large. */
const MAX_PORTION = 8192;
/**
 * What a reply may have, in bytes. What is not gzipped fits no response where its reply is longer: a reply has at most 2.1
 * times the bytes of its JSON (`{"":""}` is an entry with two strings of nothing). What is gzipped may fit all the same,
 * and is asked for in fewer entries.
 */
const MAX_REPLY_BYTES: Record<Travel, number> = { json: 14 * MB, text: 14 * MB, gzip: 4 * MB };
/**
 * The longest reply of one entry, in bytes. Read, decoded, written and compressed, an entry is in memory several times, so
 * that one of 64 MB, which gzip might make fit, would take more than a function has.
 */
export const MAX_ENTRY_BYTES: Record<Travel, number> = { json: 14 * MB, text: 14 * MB, gzip: 26 * MB };
/** The most text of one entry, in bytes. */
export const MAX_ENTRY_TEXT = 24 * MB;

/** What an entry, and each text in it, have beside their characters: in a reply at most, as JSON at least. */
const REPLY_BYTES = { entry: 32, text: 15 };
const JSON_BYTES = { entry: 4, text: 3 };

/** How many names and values an entry has. */
const textsOf = ([, fields]: RawEntry) => fields?.length ?? 0;

/** Counts the text of a read, and refuses more than could travel. */
export class TextLimit {
  #left: number;
  readonly travel: Travel;

  constructor({ textLimit, travel }: Output) {
    this.#left = textLimit;
    this.travel = travel;
  }

  /**
   * Counts an entry, and gives the characters of its texts.
   *
   * @throws {ConnectorError} 413
   */
  take(entry: RawEntry): number {
    const length = lengthOf(entry);
    this.#left -= length + JSON_BYTES.entry + JSON_BYTES.text * textsOf(entry);
    if (this.#left < 0) throw tooLarge('stream', 'count');
    return length;
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
    readPortion(redis, limit.travel, count, (most) => rangeCommand({ ...range, from }, most, decoder.asBytes));
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
    if (entries.length === asked && count > 0 && (range.reverse || last !== LAST_POSSIBLE_ID)) {
      if (asked < portion) growth = 2; // sizes differ here
      const fitting = Math.floor(Math.min(PORTION_BYTES[limit.travel], limit.left + largest) / largest);
      portion = Math.max(1, Math.min(count, fitting, asked * growth, MAX_PORTION));
      from = `(${last}`;
      reading = read(from, portion);
      reading.catch(() => {}); // where it is not waited for any more
      await wholeTurn(); // the client writes at its end, and Redis is to work while we decode
    }
    yield { values: entries.map(decode), bytes: decoder.takeBytes() };
  }
}

/** What the largest entry takes in a reply, in bytes at most where it is ASCII. */
function measure(entries: readonly RawEntry[], limit: TextLimit): number {
  let largest = 1;
  for (const entry of entries) {
    largest = Math.max(largest, limit.take(entry) + REPLY_BYTES.entry + REPLY_BYTES.text * textsOf(entry));
  }
  return largest;
}

/**
 * Reads so many entries, or fewer where they are larger than anyone could know.
 *
 * @returns the entries, and how many were asked for in the end
 */
export async function readPortion<T>(
  redis: Redis,
  travel: Travel,
  count: number,
  command: (count: number) => Command<T>,
): Promise<{ entries: T; asked: number }> {
  for (let asked = count; ; asked = Math.max(1, Math.floor(asked / 16))) {
    const isLast = asked <= 1 || travel !== 'gzip';
    const maxReplyBytes = asked <= 1 ? MAX_ENTRY_BYTES[travel] : MAX_REPLY_BYTES[travel];
    try {
      return { entries: await redis.send({ ...command(asked), maxReplyBytes }), asked };
    } catch (error) {
      if (!isReplyTooLong(error)) throw error;
      if (isLast) throw tooLarge('stream', 'count');
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

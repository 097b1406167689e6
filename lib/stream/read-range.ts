import { tooLarge } from '../contract/refusals.ts';
import { wholeTurn } from '../core/turn.ts';
import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import { isReplyTooLong } from '../redis/errors.ts';
import type { Command, Redis } from '../redis/redis.ts';
import type { Output, Travel } from '../invocation/output.ts';
import { lengthOf, readEntries, type RawEntry } from './entries.ts';
import type { EntryDecoder } from './entry-decoder.ts';

const MB = 1024 * 1024;

/** Entries of the first portion, before their size is known. */
export const FIRST_PORTION = 128;
/**
 * Intended bytes of a portion's reply. A round trip per 64 kB took a tenth of the time, and text over 1 MB stays
 * outside V8's heap, which would copy it. Gzipped reads may have ten times as much, of which only the compressed text
 * stays: small portions die among V8's young objects.
 */
const PORTION_BYTES: Record<Travel, number> = { json: 1.5 * MB, text: 1.5 * MB, gzip: 128 * 1024 };
/** How much larger than the previous one a portion may be. */
const MAX_GROWTH = 32;
/** Maximum entries of a portion: Redis builds the whole reply before it sends it, and the entries may be large. */
const MAX_PORTION = 8192;
/**
 * Maximum bytes of a reply. Without gzip, a longer reply fits into no response: a reply has at most 2.1 times the bytes
 * of its JSON (`{"":""}` is an entry with two empty strings). With gzip it may fit, and is requested again with fewer
 * entries.
 */
const MAX_REPLY_BYTES: Record<Travel, number> = { json: 14 * MB, text: 14 * MB, gzip: 4 * MB };
/**
 * Maximum bytes of a reply with one entry. Read, decoded, written and compressed, an entry is in memory several times;
 * one of 64 MB, which might fit with gzip, would take more memory than a function has.
 */
export const MAX_ENTRY_BYTES: Record<Travel, number> = { json: 14 * MB, text: 14 * MB, gzip: 26 * MB };
/** Maximum bytes of one entry's text. */
export const MAX_ENTRY_TEXT = 24 * MB;

/** Bytes of an entry and of each text besides their characters: at most in a reply, at least in JSON. */
const REPLY_BYTES = { entry: 32, text: 15 };
const JSON_BYTES = { entry: 4, text: 3 };

/** The number of names and values of an entry. */
const textsOf = ([, fields]: RawEntry) => fields?.length ?? 0;

/** Counts the text of a read, and refuses more than fits into a response. */
export class TextLimit {
  #left: number;
  readonly travel: Travel;

  constructor({ textLimit, travel }: Output) {
    this.#left = textLimit;
    this.travel = travel;
  }

  /**
   * Counts an entry, and returns the characters of its texts.
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
  /** Start of the read: the low end, or with `reverse` the high end. */
  from: string;
  to: string;
  reverse?: boolean;
  /** Maximum entries. */
  count: number;
}

/** Entries of a range, decoded. */
interface Portion<T> {
  values: T[];
  /** Maximum bytes when they travel. */
  bytes: number;
}

/**
 * Reads a range in portions, with at most two of them in memory: the next one is requested while the previous one is
 * decoded and written.
 *
 * @param decode uses `decoder`
 * @throws {ConnectorError} `STREAM:*`; 413 if it is too large for a response.
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
      if (asked < portion) growth = 2; // sizes vary
      const fitting = Math.floor(Math.min(PORTION_BYTES[limit.travel], limit.left + largest) / largest);
      portion = Math.max(1, Math.min(count, fitting, asked * growth, MAX_PORTION));
      from = `(${last}`;
      reading = read(from, portion);
      reading.catch(() => {}); // nobody may await it
      await wholeTurn(); // the client writes at its end, so that Redis works during decoding
    }
    yield { values: entries.map(decode), bytes: decoder.takeBytes() };
  }
}

/** Maximum bytes of the largest entry in a reply, if it is ASCII. */
function measure(entries: readonly RawEntry[], limit: TextLimit): number {
  let largest = 1;
  for (const entry of entries) {
    largest = Math.max(largest, limit.take(entry) + REPLY_BYTES.entry + REPLY_BYTES.text * textsOf(entry));
  }
  return largest;
}

/**
 * Reads this many entries, or fewer if they are larger than expected.
 *
 * @returns the entries, and the number requested in the end
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

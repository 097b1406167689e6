import { orderedObject } from '../core/json.ts';
import type { Command, Redis } from '../redis/redis.ts';
import type { ResponseSize } from '../runtime/response-size.ts';
import { streamArgs } from './stream-args.ts';
import { decodeEntry, lengthOf, readStreamReplies, type EntryOptions, type RawEntry, type Streams } from './entries.ts';
import { FIRST_PORTION, readPortion, readRange, TextLimit } from './read-range.ts';
import { readUntil, type Waiting } from './wait.ts';
import { bySlot, readCount, refuseRepeated, type Watermark } from './watermarks.ts';

export interface StreamsRead extends EntryOptions, Waiting {
  watermarks: readonly Watermark[];
  /** Most entries a stream; 0 or less is no limit. */
  count?: number | string;
  size: ResponseSize;
}

/** Entries of each stream that has some, by key. */
type RawStreams = Map<string, RawEntry[]>;

/**
 * Reads what came to several streams after their watermarks (XREAD), in portions.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a stream that is named twice; `STREAM:COMMAND` 413 for what cannot
 *   travel, 422 for an entry that the chosen form cannot hold.
 */
export async function readStreams(redis: Redis, read: StreamsRead): Promise<Streams> {
  refuseRepeated(read.watermarks);
  const asked = readCount(read.count);
  const count = asked > 0 ? asked : Infinity;
  const watermarks = read.block === undefined ? read.watermarks : await resolveEnds(redis, read.watermarks);
  const readOnce = async (): Promise<RawStreams | undefined> => {
    const limit = new TextLimit(read.size);
    const slots = await Promise.all(bySlot(redis, watermarks).map((slot) => readFirst(redis, slot, count)));
    const streams = new Map(slots.flatMap(({ entries }) => entries));
    const portion = Math.min(...slots.map(({ asked }) => asked));
    for (const entries of streams.values()) entries.forEach((entry) => limit.take(lengthOf(entry)));
    for (const { key, id } of watermarks) {
      const entries = streams.get(key);
      if (entries && entries.length >= portion && id !== '+' && entries.length < count) {
        const range = { key, from: `(${String(entries.at(-1)![0])}`, to: '+', count: count - entries.length };
        entries.push(...(await readRange(redis, range, read, limit)));
      }
    }
    return streams.size > 0 ? streams : undefined;
  };
  const streams = await readUntil(redis, read, readOnce, () => watermarks.map(afterNothing));
  return streams ? decodeStreams(watermarks, streams, read) : {};
}

/** The first portion of each stream of a slot. */
function readFirst(redis: Redis, slot: readonly Watermark[], count: number) {
  const portion = Math.max(1, Math.floor(FIRST_PORTION / slot.length));
  return readPortion(redis, Math.min(count, portion), (most): Command<[string, RawEntry[]][]> => ({
    key: slot[0]!.key,
    asBytes: true,
    args: ['XREAD', 'COUNT', String(most), ...streamArgs(slot)],
    decode: (reply) => readStreamReplies(reply).map(([key, entries]) => [String(key), entries]),
  }));
}

function decodeStreams(watermarks: readonly Watermark[], streams: RawStreams, options: EntryOptions): Streams {
  return orderedObject(
    watermarks.flatMap(({ key }) => {
      const entries = streams.get(key);
      return entries ? [[key, entries.map((entry) => decodeEntry(entry, options))] as const] : [];
    }),
  );
}

/** `+` reads the last entry; where it found none, the stream is empty, and the next one will be the first. */
const afterNothing = ({ key, id }: Watermark): Watermark => ({ key, id: id === '+' ? '0-0' : id });

/** `$` means the end at the time of the call: a read that waits in several steps would skip what came in between. */
async function resolveEnds(redis: Redis, watermarks: readonly Watermark[]): Promise<Watermark[]> {
  const resolve = async ({ key, id }: Watermark) => ({ key, id: id === '$' ? await redis.send(lastId(key)) : id });
  return Promise.all(watermarks.map(resolve));
}

/** A script, because the last entry may be large and its id is not. */
const LAST_ID = `local entry = redis.pcall('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if entry.err then return entry end
return entry[1] and entry[1][1] or '0-0'`;

function lastId(key: string): Command<string> {
  return { key, args: ['EVAL', LAST_ID, '1', key], decode: String };
}

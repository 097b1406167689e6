import { tooLarge } from '../contract/refusals.ts';
import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import type { Capability, Command, Redis } from '../redis/redis.ts';
import { readId } from '../redis/reply-shapes.ts';
import { defineScript } from '../redis/script.ts';
import type { Output, Travel, WrittenOutput } from '../invocation/output.ts';
import { readStreamReplies, type EntryOptions, type RawEntry, type Streams } from './entries.ts';
import { EntryDecoder } from './entry-decoder.ts';
import { FIRST_PORTION, readPortion, readRange, TextLimit } from './read-range.ts';
import { readUntil, type Waiting } from './wait.ts';
import { bySlot, readCount, refuseRepeated, streamArgs, type Watermark } from './watermarks.ts';
import lastId from './scripts/last-id.lua';

export interface StreamsRead extends EntryOptions, Waiting {
  watermarks: readonly Watermark[];
  /** Maximum entries per stream; 0 or less for no limit. */
  count?: number | string;
  /** Receives the entries. */
  output: Output;
}

/**
 * Reads entries of several streams after their watermarks (XREAD), in portions.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a stream named twice or an id beyond 64 bits; `STREAM:COMMAND` 413 if
 *   they do not fit into a response, 422 for an entry that the chosen form cannot hold.
 */
export async function readStreams(redis: Redis, read: StreamsRead): Promise<WrittenOutput<Streams>> {
  refuseRepeated(read.watermarks);
  read.output.reserve(read.watermarks.map(({ key }) => key));
  const asked = readCount(read.count);
  const count = asked > 0 ? asked : Infinity;
  const watermarks = read.block === undefined ? read.watermarks : await resolveEnds(redis, read.watermarks);
  const readFirstOnce = async (): Promise<Begun | undefined> => {
    const slots = await Promise.all(
      bySlot(redis, watermarks).map((slot) => readFirst(redis, slot, read.output.travel, count)),
    );
    const streams = new Map(slots.flatMap(({ entries }) => entries));
    return streams.size > 0 ? { streams, portion: Math.min(...slots.map(({ asked }) => asked)) } : undefined;
  };
  const begun = await readUntil(redis, read, readFirstOnce, () => watermarks.map(afterNothing));
  if (begun) await writeStreams(redis, { ...read, watermarks, count }, begun);
  return read.output.end();
}

/** The first portion of each stream with entries, and the number requested. */
interface Begun {
  streams: Map<string, RawEntry[]>;
  portion: number;
}

/** Writes the streams one after the other: the first portion, then the rest. */
async function writeStreams(
  redis: Redis,
  { watermarks, output, ...read }: StreamsRead & { count: number },
  { streams, portion }: Begun,
): Promise<void> {
  const limit = new TextLimit(output);
  const decoder = new EntryDecoder(read, output.travel);
  const decode = (entry: RawEntry) => decoder.entry(entry);
  for (const { key, id } of watermarks) {
    const first = streams.get(key);
    if (!first) continue;
    streams.delete(key);
    first.forEach((entry) => limit.take(entry));
    output.append(key, first.map(decode), decoder.takeBytes());
    const last = String(first.at(-1)?.[0]);
    if (first.length < portion || id === '+' || first.length >= read.count || last === LAST_POSSIBLE_ID) continue;
    const range = { key, from: `(${last}`, to: '+', count: read.count - first.length };
    for await (const { values, bytes } of readRange(redis, range, decoder, decode, limit)) {
      output.append(key, values, bytes);
      if (output.isTooLarge) throw tooLarge('stream', 'count');
    }
  }
}

/** The first portion of each stream of a slot. */
function readFirst(redis: Redis, slot: readonly Watermark[], travel: Travel, count: number) {
  const portion = Math.max(1, Math.floor(FIRST_PORTION / slot.length));
  return readPortion(redis, travel, Math.min(count, portion), (most): Command<[string, RawEntry[]][]> => ({
    key: slot[0]!.key,
    asBytes: true,
    args: ['XREAD', 'COUNT', String(most), ...streamArgs(slot)],
    needs: slot.some(({ id }) => id === '+') ? LAST_ENTRY : undefined,
    decode: readStreamReplies,
  }));
}

/** No server lists `+` among its words: one that lacks it refuses the id. */
const LAST_ENTRY: Capability = { since: 'Redis 7.4', command: 'XREAD' };

/** `+` reads the last entry. If there is none, the stream is empty and the next entry will be the first. */
const afterNothing = ({ key, id }: Watermark): Watermark => ({ key, id: id === '+' ? '0-0' : id });

/** Resolves `$` to the end at the time of the call: a read that waits in several steps would otherwise skip entries. */
async function resolveEnds(redis: Redis, watermarks: readonly Watermark[]): Promise<Watermark[]> {
  const resolve = async ({ key, id }: Watermark) => ({
    key,
    id: id === '$' ? await redis.send(lastIdScript([key], [])) : id,
  });
  return Promise.all(watermarks.map(resolve));
}

const lastIdScript = defineScript(lastId, readId, 'EVAL_RO');

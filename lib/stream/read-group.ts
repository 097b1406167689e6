import type { Redis } from '../redis/redis.ts';
import { MAX_RESPONSE_BYTES, type Output, type WrittenOutput } from '../runtime/output.ts';
import type { EntryOptions, Streams } from './entries.ts';
import { EntryDecoder, lossOf } from './entry-decoder.ts';
import { fitsAlone, oversized } from './oversized.ts';
import { groupReadScript, type GroupReadResult, type GroupWatermark } from './scripts/group-read.ts';
import { measureArgs } from './scripts/measure.ts';
import { readUntil, type Waiting } from './wait.ts';
import { bySlot, readCount, refuseRepeated, type Watermark } from './watermarks.ts';

export interface GroupStreamsRead extends EntryOptions, Waiting {
  watermarks: readonly Watermark[];
  group: string;
  consumer: string;
  /** Most entries a stream; 0 or less is no limit. */
  count?: number | string;
  noack?: boolean;
  /** Take over what has been pending for at least so long, before new entries. Redis 8.4 and newer. */
  claimMinIdleMs?: number | string;
  /** Where the entries go. */
  output: Output;
}

/**
 * Reads for a consumer of a group (XREADGROUP): as many entries as fit the response. The others stay undelivered.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a stream that is named twice; `STREAM:COMMAND` 413 where not one entry
 *   fits, 422 where the first is one that the chosen form cannot hold. Neither delivers anything.
 */
export async function readGroup(redis: Redis, read: GroupStreamsRead): Promise<WrittenOutput<Streams>> {
  refuseRepeated(read.watermarks);
  read.output.reserve(read.watermarks.map(({ key }) => key));
  const reading = new GroupReading(redis, read);
  await readUntil(
    redis,
    waitingOf(read),
    () => reading.read(),
    () => reading.after(),
  );
  return read.output.end();
}

/** The history of a consumer is there or not: to wait for it means nothing. */
const waitingOf = ({ watermarks, block, deadline }: GroupStreamsRead): Waiting =>
  watermarks.every(({ id }) => id === '>') ? { block, deadline } : { deadline };

/** What is delivered at a time, in bytes, unless an entry is larger: what a response holds is more than memory should. */
const ROUND_BYTES = { json: MAX_RESPONSE_BYTES, text: MAX_RESPONSE_BYTES, gzip: 256 * 1024 };

/** A reading of streams for a group, from the first look to the last entry that fits. */
class GroupReading {
  readonly #redis: Redis;
  readonly #read: GroupStreamsRead;
  readonly #decoder: EntryDecoder;
  readonly #after = new Map<string, string>();
  #hasEntries = false;
  #hasLists = false;

  constructor(redis: Redis, read: GroupStreamsRead) {
    this.#redis = redis;
    this.#read = read;
    this.#decoder = new EntryDecoder(read, read.output.travel);
  }

  /** Where each stream stands now. */
  after(): Watermark[] {
    return this.#read.watermarks.map(({ key }) => ({ key, id: this.#after.get(key) ?? '0-0' }));
  }

  /** Reads as much as fits; undefined where there is nothing. What was delivered once is never lost again. */
  async read(): Promise<true | undefined> {
    const count = readCount(this.#read.count);
    const places = this.#read.watermarks.map((place) => ({ ...place, most: count > 0 ? count : -1 }));
    try {
      for (const slot of bySlot(this.#redis, places)) if (!(await this.#readSlot(slot))) break;
    } catch (error) {
      if (!this.#hasEntries) throw error;
    }
    return this.#hasLists || undefined;
  }

  /** Reads streams of one slot, one after the other; gives whether there is place for more. */
  async #readSlot(places: readonly GroupWatermark[]): Promise<boolean> {
    const { output } = this.#read;
    let alone: { id: string; size: number } | undefined;
    let round = ROUND_BYTES[output.travel];
    for (let rest = places; rest.length > 0;) {
      const { streams, stop } = await this.#deliver(rest, alone?.size ?? Math.min(round, output.left), alone?.id);
      if (!stop) return true;
      const { key } = rest[streams.length - 1]!;
      rest = rest.slice(streams.length - 1).filter(({ most }) => most !== 0);
      alone = undefined;
      round = Math.max(ROUND_BYTES[output.travel], stop.size);
      if (stop.kind === 'changed' || (stop.kind === 'size' && stop.size <= output.left)) continue;
      if (this.#hasEntries) return false;
      if (stop.kind !== 'size') throw lossOf(stop.kind, stop.id, stop.field);
      if (!(await fitsAlone(this.#redis, { ...stop, key }, this.#read))) throw oversized(stop.id);
      alone = stop;
    }
    return true;
  }

  /** One look at streams of one slot, and the delivery of what fits. */
  async #deliver(watermarks: readonly GroupWatermark[], budget: number, expectedId?: string): Promise<GroupReadResult> {
    const { group, consumer, noack, claimMinIdleMs, output } = this.#read;
    const measure = measureArgs(this.#read, output.travel, budget, expectedId);
    const { asBytes } = this.#decoder;
    const options = { group, consumer, noack, claimMinIdleMs, measure, asBytes };
    const result = await this.#redis.send(groupReadScript({ watermarks, ...options }));
    for (const [at, { entries, after }] of result.streams.entries()) {
      const place = watermarks[at]!;
      this.#after.set(place.key, after);
      if (entries.length === 0 && place.id === '>') continue;
      this.#hasLists = true;
      this.#hasEntries ||= entries.length > 0;
      const decoded = entries.map((entry) => this.#decoder.entry(entry));
      output.append(place.key, decoded, this.#decoder.takeBytes());
      if (place.most > 0) place.most -= entries.length;
      if (place.id !== '>' && entries.length > 0) place.id = String(entries.at(-1)![0]);
    }
    return result;
  }
}

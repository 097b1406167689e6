import type { Redis } from '../redis/redis.ts';
import type { WrittenOutput } from '../invocation/output.ts';
import type { Streams } from './entries.ts';
import { EntryDecoder, lossOf } from './entry-decoder.ts';
import { fitsAlone, oversized } from './oversized.ts';
import type { StreamsRead } from './read-streams.ts';
import { groupReadScript, type GroupReadResult, type GroupWatermark } from './scripts/group-read.ts';
import { mayGoOn, measureArgs } from './scripts/measure.ts';
import { readUntil, type Waiting } from './wait.ts';
import { bySlot, readCount, refuseIntegers, refuseRepeated, type Watermark } from './watermarks.ts';

export interface GroupStreamsRead extends StreamsRead {
  group: string;
  consumer: string;
  noack?: boolean;
  /** Claim entries pending for at least this long, before new ones. Redis 8.4 and newer. */
  claimMinIdleMs?: number | string;
}

/**
 * Reads for a consumer of a group (XREADGROUP), as many entries as the response has room for. The others stay
 * undelivered.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a stream named twice or an id beyond 64 bits; `STREAM:COMMAND` 413 if
 *   the first entry is too large, 422 if the chosen form cannot hold it. Neither delivers anything.
 */
export async function readGroup(redis: Redis, read: GroupStreamsRead): Promise<WrittenOutput<Streams>> {
  refuseRepeated(read.watermarks);
  refuseIntegers({ claimMinIdleMs: read.claimMinIdleMs });
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

/** Reading a consumer's history never waits. */
const waitingOf = ({ watermarks, block, deadline }: GroupStreamsRead): Waiting =>
  watermarks.every(({ id }) => id === '>') ? { block, deadline } : { deadline };

/** Maximum pending entries that a call looks at to find some to claim. */
const MAX_SCAN = 100_000;
/** With less time left than this, in milliseconds, a read that has entries ends. */
const LAST_PORTION_MS = 250;

/** One read of streams for a group. */
class GroupReading {
  readonly #redis: Redis;
  readonly #read: GroupStreamsRead;
  readonly #decoder: EntryDecoder;
  readonly #after = new Map<string, string>();
  #scan = MAX_SCAN;
  #hasEntries = false;
  #hasLists = false;

  constructor(redis: Redis, read: GroupStreamsRead) {
    this.#redis = redis;
    this.#read = read;
    this.#decoder = new EntryDecoder(read, read.output.travel);
  }

  /** The current position in each stream. */
  after(): Watermark[] {
    return this.#read.watermarks.map(({ key }) => ({ key, id: this.#after.get(key) ?? '0-0' }));
  }

  /** Reads as much as fits; undefined if there is nothing. Never loses delivered entries. */
  async read(): Promise<true | undefined> {
    const { watermarks, count: asked, claimMinIdleMs } = this.#read;
    const count = readCount(asked);
    const places = watermarks.map((place) => ({
      ...place,
      most: count > 0 ? count : -1,
      claimFrom: claimMinIdleMs !== undefined && place.id === '>' ? '-' : '',
    }));
    try {
      for (const slot of bySlot(this.#redis, places)) if (!(await this.#readSlot(slot))) break;
    } catch (error) {
      if (!this.#hasEntries) throw error;
    }
    return this.#hasLists || undefined;
  }

  /** Reads streams of one slot, one after the other, in portions; returns whether there is room for more. */
  async #readSlot(places: readonly GroupWatermark[]): Promise<boolean> {
    const { output, deadline } = this.#read;
    let oversizedEntry: { id: string; size: number } | undefined;
    let isFirst = true;
    for (let rest = places; rest.length > 0;) {
      const { done, stop } = await this.#deliver(
        rest,
        isFirst,
        oversizedEntry?.size ?? output.left,
        oversizedEntry?.id,
      );
      if (!stop) return true;
      rest = rest.slice(done).filter(({ most }) => most !== 0);
      isFirst = false;
      oversizedEntry = undefined;
      if (this.#hasEntries && deadline.remainingMs() < LAST_PORTION_MS) return false;
      if (mayGoOn(stop, output.left)) continue;
      if (this.#hasEntries) return false;
      if (stop.kind === 'repeated' || stop.kind === 'bytes') throw lossOf(stop.kind, stop.id, stop.field);
      if (!(await fitsAlone(this.#redis, { ...stop, key: rest[0]!.key }, this.#read))) throw oversized(stop.id);
      oversizedEntry = stop;
    }
    return true;
  }

  /** Measures streams of one slot once, and delivers what fits. */
  async #deliver(
    watermarks: readonly GroupWatermark[],
    isFirst: boolean,
    budget: number,
    expectedId?: string,
  ): Promise<GroupReadResult> {
    const { group, consumer, noack, claimMinIdleMs, output } = this.#read;
    const measure = measureArgs(this.#read, output.travel, budget, expectedId);
    const { asBytes } = this.#decoder;
    const options = { group, consumer, noack, claimMinIdleMs, isFirst, scan: this.#scan, measure, asBytes };
    const result = await this.#redis.send(groupReadScript({ watermarks, ...options }));
    for (const [at, { entries, after, claimFrom, scanned }] of result.streams.entries()) {
      const watermark = watermarks[at]!;
      watermark.claimFrom = claimFrom;
      this.#scan -= scanned;
      if (after !== undefined) this.#after.set(watermark.key, after);
      if (entries.length === 0 && watermark.id === '>') continue;
      this.#hasLists = true;
      this.#hasEntries ||= entries.length > 0;
      const decoded = entries.map((entry) => this.#decoder.entry(entry));
      output.append(watermark.key, decoded, this.#decoder.takeBytes());
      if (watermark.most > 0) watermark.most -= entries.length;
      if (watermark.id !== '>' && entries.length > 0) watermark.id = String(entries.at(-1)![0]);
    }
    return result;
  }
}

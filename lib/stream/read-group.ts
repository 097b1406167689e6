import { orderedObject } from '../core/json.ts';
import type { Redis } from '../redis/redis.ts';
import type { ResponseSize } from '../runtime/response-size.ts';
import { decodeEntry, lossOf, type EntryOptions, type RawEntry, type StreamEntry, type Streams } from './entries.ts';
import { fitsAlone, oversized } from './oversized.ts';
import { groupReadScript, type GroupReadResult, type GroupWatermark } from './scripts/group-read.ts';
import { measureArgs, type Stop } from './scripts/measure.ts';
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
  size: ResponseSize;
}

/**
 * Reads for a consumer of a group (XREADGROUP): as many entries as fit the response. The others stay undelivered.
 *
 * @throws {ConnectorError} `STREAM:ARGUMENT` for a stream that is named twice; `STREAM:COMMAND` 413 where not one entry
 *   fits, 422 where the first is one that the chosen form cannot hold. Neither delivers anything.
 */
export async function readGroup(redis: Redis, read: GroupStreamsRead): Promise<Streams> {
  refuseRepeated(read.watermarks);
  const round = new GroupRound(redis, read);
  const streams = await readUntil(
    redis,
    waitingOf(read),
    () => round.read(),
    () => round.after(),
  );
  return streams ?? {};
}

/** The history of a consumer is there or not: to wait for it means nothing. */
const waitingOf = ({ watermarks, block, deadline }: GroupStreamsRead): Waiting =>
  watermarks.every(({ id }) => id === '>') ? { block, deadline } : { deadline };

/** Why a read stopped, and at which stream. */
type StopAt = Stop & { key: string };

/** Reads of the same streams, from their first look to the last that fits. */
class GroupRound {
  readonly #redis: Redis;
  readonly #read: GroupStreamsRead;
  readonly #after = new Map<string, string>();
  readonly #taken = new Map<string, StreamEntry[]>();

  constructor(redis: Redis, read: GroupStreamsRead) {
    this.#redis = redis;
    this.#read = read;
  }

  /** Where each stream stands now. */
  after(): Watermark[] {
    return this.#read.watermarks.map(({ key }) => ({ key, id: this.#after.get(key) ?? '0-0' }));
  }

  /** Reads on as long as more fits; undefined where there is nothing. What was delivered once is never lost again. */
  async read(): Promise<Streams | undefined> {
    const count = readCount(this.#read.count);
    const places = this.#read.watermarks.map((place) => ({ ...place, most: count > 0 ? count : -1 }));
    let alone: StopAt | undefined;
    for (;;) {
      let stop: StopAt | undefined;
      try {
        stop = await this.#readSlots(places, alone);
      } catch (error) {
        if (this.#isEmpty()) throw error;
        return this.#output();
      }
      if (!stop) return this.#isEmpty() && this.#taken.size === 0 ? undefined : this.#output();
      const { kind, id } = stop;
      alone = undefined;
      if (kind === 'changed' || (kind === 'size' && stop.size <= this.#read.size.left)) continue;
      if (!this.#isEmpty()) return this.#output();
      if (kind !== 'size') throw lossOf(kind, id, stop.field);
      if (!(await fitsAlone(this.#redis, stop, this.#read))) throw oversized(id);
      alone = stop;
    }
  }

  /** One look at each slot in turn, as far as the response has place. */
  async #readSlots(places: GroupWatermark[], alone?: StopAt): Promise<StopAt | undefined> {
    const { size, group, consumer, noack, claimMinIdleMs } = this.#read;
    for (const slot of bySlot(this.#redis, places)) {
      const measure = measureArgs(this.#read, size.travel, alone?.size ?? size.left);
      const watermarks = slot.filter(({ most }) => most !== 0);
      if (watermarks.length === 0) continue;
      const options = { group, consumer, noack, claimMinIdleMs, expectedId: alone?.id, measure };
      const result = await this.#redis.send(groupReadScript({ watermarks, ...options }));
      this.#take(watermarks, result);
      if (result.stop) return { ...result.stop, key: watermarks[result.streams.length - 1]!.key };
    }
    return undefined;
  }

  #take(watermarks: GroupWatermark[], { streams }: GroupReadResult): void {
    for (const [at, { entries, after }] of streams.entries()) {
      const place = watermarks[at]!;
      this.#after.set(place.key, after);
      if (entries.length === 0 && place.id === '>') continue;
      const decoded = entries.map((entry) => decodeEntry(entry, this.#read));
      this.#read.size.take(JSON.stringify(decoded));
      this.#taken.set(place.key, [...(this.#taken.get(place.key) ?? []), ...decoded]);
      if (place.most > 0) place.most -= entries.length;
      if (place.id !== '>' && entries.length > 0) place.id = String(lastOf(entries)[0]);
    }
  }

  #isEmpty(): boolean {
    return [...this.#taken.values()].every((entries) => entries.length === 0);
  }

  #output(): Streams {
    const entries = this.#read.watermarks.filter(({ key }) => this.#taken.has(key));
    return orderedObject(entries.map(({ key }) => [key, this.#taken.get(key)!]));
  }
}

const lastOf = (entries: readonly RawEntry[]) => entries.at(-1)!;

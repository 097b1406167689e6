import type { openRedis } from '../support/consumer/consumer-fixture.ts';
import { shardOf } from '#lib/consumer/producer/source-change-entry.ts';
import type { BadKeys } from './ledger-mdm.ts';
import type { Expected, Ledger } from './ledger.ts';
import type { Random } from '#test/support/random.ts';

export const STREAM = 'chaos';
export const GROUP = 'mdm';
export const KEY = { businessEntity: 'c360.city', sourceSystem: 'chaos' };
/** Of so many entries one is broken. */
const BROKEN_EVERY = 97;

export interface EntryOptions {
  random: Random;
  entries: number;
  keys: number;
  shards: number;
  /** Keys called `bad-<n>`, with one entry each: in front of all others, or spread evenly between them. */
  bad?: { count: number; place: 'front' | 'between'; how: BadKeys };
  /** One key that has so many entries, in front of all others. */
  hotEntries?: number;
}

/** The shard that a key belongs to. */
export const streamOf = (sourcePKey: string, shards: number): string => shardOf({ ...KEY, sourcePKey }, STREAM, shards);

/** Whether an entry can never succeed, by the status that its key gets. */
const isPermanent = (how: BadKeys | undefined) => typeof how === 'number' && how >= 400 && how < 500;

/** Puts the entries of a scenario on its streams, and into the ledger, and ends the connection. */
export async function fill(redis: ReturnType<typeof openRedis>, ledger: Ledger, options: EntryOptions): Promise<void> {
  const { shards, bad, random, hotEntries = 0 } = options;
  const seqOf = new Map<string, number>();
  const entries = options.entries + (bad?.count ?? 0) + hotEntries;
  const add = async (place: number): Promise<Expected> => {
    const key = keyAt(place, entries, options);
    const seq = (seqOf.get(key) ?? 0) + 1;
    seqOf.set(key, seq);
    const isBad = key.startsWith('bad');
    const isRefused = isBad && isPermanent(bad!.how);
    const isBroken = isRefused || (!isBad && place % BROKEN_EVERY === BROKEN_EVERY - 1);
    const record = isBroken && !isRefused ? brokenRecord(random, seq) : ['record', JSON.stringify({ seq })];
    const stream = streamOf(key, shards);
    const fields = [...Object.entries({ ...KEY, sourcePKey: key }).flat(), ...record];
    const id = await redis.send({ key: stream, args: ['XADD', stream, '*', ...fields], decode: String });
    return { stream, id, key, seq, isBroken };
  };
  for (let from = 0; from < entries; from += 1000) {
    const batch = Array.from({ length: Math.min(1000, entries - from) }, (_, at) => add(from + at));
    for (const entry of await Promise.all(batch)) ledger.expect(entry);
  }
  for (let shard = 0; shard < shards; shard++) {
    const args = ['XGROUP', 'CREATE', `${STREAM}:${shard}`, GROUP, '0', 'MKSTREAM'];
    await redis.send({ key: args[2]!, args, decode: String });
  }
  redis.end();
}

function keyAt(place: number, entries: number, { bad, hotEntries = 0, random, keys }: EntryOptions): string {
  const count = bad?.count ?? 0;
  if (bad?.place === 'between') {
    const every = Math.floor(entries / count);
    if (place % every === 0 && place / every < count) return `bad-${place / every}`;
  } else if (place < count) {
    return `bad-${place}`;
  }
  return place < hotEntries ? 'hot' : `key-${random.between(1, keys)}`;
}

/** No record, none that is JSON, or one that the MDM refuses. */
function brokenRecord(random: Random, seq: number): string[] {
  const kinds = [['note', 'no record'], ['record', '{"seq":'], ['record', JSON.stringify({ seq, broken: true })]]; // prettier-ignore
  return kinds[random.between(0, 2)]!;
}

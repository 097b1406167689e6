import { orderedObject } from '../core/json.ts';
import type { Reply } from '../redis/redis.ts';

/** Field-value pairs. Of a field that an entry holds twice, the last value. */
export type Fields = Record<string, string>;

export interface StreamEntry {
  readonly id: string;
  /** `null` where the entry was deleted while it was pending. */
  readonly entry: Fields | null;
}

/** Entries by stream key. */
export type Streams = Record<string, StreamEntry[]>;

/** Reads entries as XRANGE answers them: `[[id, [field, value, …]], …]`; nil stands for none. */
export function decodeEntries(reply: Reply): StreamEntry[] {
  return ((reply ?? []) as [string, string[] | null][]).map(([id, pairs]) => ({
    id,
    entry: pairs && decodeFields(pairs),
  }));
}

/** Reads streams as XREAD answers them: `[[key, entries], …]`; nil stands for none. */
export function decodeStreams(reply: Reply): Streams {
  return orderedObject(((reply ?? []) as [string, Reply][]).map(([key, entries]) => [key, decodeEntries(entries)]));
}

function decodeFields(pairs: readonly string[]): Fields {
  const fields: [string, string][] = [];
  for (let at = 0; at < pairs.length; at += 2) fields.push([pairs[at]!, pairs[at + 1]!]);
  return orderedObject(fields);
}

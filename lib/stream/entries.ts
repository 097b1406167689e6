import type { Reply } from '../redis/redis.ts';
import { readList, readText, unknownReply } from '../redis/reply-shapes.ts';

/** Field-value pairs of an entry, by name. */
export type Fields = Record<string, string>;
/** Field-value pairs of an entry as they stand in the stream: a name may come twice. */
export type Pairs = [name: string, value: string][];

/** How entries are written in parameters and outputs. */
export interface EntryOptions {
  /** `object` (default) holds each field once; `pairs` keeps repeated fields. */
  format?: 'object' | 'pairs';
  /** `utf8` (default) holds text; `base64`, of names and values, any bytes. */
  encoding?: 'utf8' | 'base64';
}

export interface StreamEntry {
  readonly id: string;
  /** `null` where the entry was deleted while it was pending. */
  readonly entry: Fields | Pairs | null;
  /** Milliseconds since the last delivery, of an entry that was claimed. */
  readonly idleMs?: number;
  /** How often it was delivered before, of an entry that was claimed. */
  readonly deliveries?: number;
}

/** Entries by stream key. */
export type Streams = Record<string, StreamEntry[]>;

/** An entry as Redis replies it: `[id, [name, value, …]]`; the fields are null where it was deleted while pending. */
export type RawEntry = [id: string | Buffer, fields: (string | Buffer)[] | null, idleMs?: string, deliveries?: string];

/** The words of an entry on the wire. */
export function fieldArgs(entry: Fields | Pairs, { encoding }: EntryOptions = {}): (string | Buffer)[] {
  const words: string[] = [];
  for (const [name, value] of Array.isArray(entry) ? entry : Object.entries(entry)) words.push(name, value);
  return encoding === 'base64' ? words.map((word) => Buffer.from(word, 'base64')) : words;
}

/** Text that an entry holds, in characters: no more than its JSON has bytes. */
export function lengthOf([id, fields]: RawEntry): number {
  let length = id.length;
  for (const text of fields ?? []) length += text.length;
  return length;
}

/**
 * An entry as XRANGE replies it: `[id, [name, value, …]]`.
 *
 * @throws {ConnectorError} `STREAM:COMMAND` 502 for any other reply
 */
export function readEntry(reply: Reply): RawEntry {
  const [id, fields] = reply as RawEntry;
  const hasFields = fields === null || (Array.isArray(fields) && fields.length % 2 === 0);
  if (!Array.isArray(reply) || !hasFields || typeof id !== (id instanceof Buffer ? 'object' : 'string')) {
    throw unknownReply();
  }
  return reply as RawEntry;
}

/** Entries as XRANGE replies them: `[[id, [name, value, …]], …]`; nil stands for none. */
export function readEntries(reply: Reply | undefined): RawEntry[] {
  const entries = readList(reply, { orNil: true });
  for (const entry of entries) readEntry(entry);
  return entries as RawEntry[];
}

/** Streams as XREAD replies them: `[[key, entries], …]`; nil stands for none. */
export function readStreamReplies(reply: Reply): [key: string, entries: RawEntry[]][] {
  return readList(reply, { orNil: true }).map((stream) => {
    const [key, entries] = readList(stream);
    return [readText(key), readEntries(entries)];
  });
}

import type Type from 'typebox';
import type { DeliveredEntry, EntriesByStream } from '../contract/parameters/entry.ts';
import type { Reply } from '../redis/redis.ts';
import { readList, readText, unknownReply } from '../redis/reply-shapes.ts';

/** Field-value pairs of an entry, by name. */
export type Fields = Record<string, string>;
/** Field-value pairs of an entry in their order in the stream; a name may occur twice. */
export type Pairs = [name: string, value: string][];

/** The form of entries in parameters and outputs. */
export interface EntryOptions {
  /** `object` (default) has each field once; `pairs` keeps repeated fields. */
  format?: 'object' | 'pairs';
  /** `utf8` (default) is text; `base64` keeps any bytes of names and values. */
  encoding?: 'utf8' | 'base64';
}

/** An entry of a read; null if it was deleted while it was pending. */
export type StreamEntry = Readonly<Type.Static<typeof DeliveredEntry>>;

/** Entries by stream key. */
export type Streams = Type.Static<typeof EntriesByStream>;

/** An entry in a reply: `[id, [name, value, …]]`; the fields are null if it was deleted while it was pending. */
export type RawEntry = [id: string | Buffer, fields: (string | Buffer)[] | null, idleMs?: string, deliveries?: string];

/** The words of an entry in a command. */
export function fieldArgs(entry: Fields | Pairs, { encoding }: EntryOptions = {}): (string | Buffer)[] {
  const words: string[] = [];
  for (const [name, value] of Array.isArray(entry) ? entry : Object.entries(entry)) words.push(name, value);
  return encoding === 'base64' ? words.map((word) => Buffer.from(word, 'base64')) : words;
}

/** Characters of an entry's text: at most the bytes of its JSON. */
export function lengthOf([id, fields]: RawEntry): number {
  let length = id.length;
  for (const text of fields ?? []) length += text.length;
  return length;
}

/**
 * An entry in a reply of XRANGE: `[id, [name, value, …]]`.
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

/** The entries in a reply of XRANGE: `[[id, [name, value, …]], …]`; nil for none. */
export function readEntries(reply: Reply | undefined): RawEntry[] {
  const entries = readList(reply, { orNil: true });
  for (const entry of entries) readEntry(entry);
  return entries as RawEntry[];
}

/** The streams in a reply of XREAD: `[[key, entries], …]`; nil for none. */
export function readStreamReplies(reply: Reply): [key: string, entries: RawEntry[]][] {
  return readList(reply, { orNil: true }).map((stream) => {
    const [key, entries] = readList(stream);
    return [readText(key), readEntries(entries)];
  });
}

import { isUtf8 } from 'node:buffer';
import { ConnectorError } from '../core/errors.ts';
import { orderedObject } from '../core/json.ts';
import type { Reply } from '../redis/redis.ts';

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

/** What `object` or `utf8` cannot hold. */
export type Loss = 'repeated' | 'bytes';

/** Reads an entry, and refuses one that would lose something in the chosen form. */
export function decodeEntry([id, fields, idleMs, deliveries]: RawEntry, options: EntryOptions): StreamEntry {
  const entry = fields && decodeFields(String(id), fields, options);
  if (idleMs === undefined) return { id: String(id), entry };
  return { id: String(id), entry, idleMs: Number(idleMs), deliveries: Number(deliveries) };
}

/**
 * Reads the fields of an entry.
 *
 * @throws {ConnectorError} `STREAM:COMMAND` for a repeated field or bytes that are not UTF-8, where the options have no
 *   place for them.
 */
export function decodeFields(id: string, fields: (string | Buffer)[], options: EntryOptions): Fields | Pairs {
  const { format = 'object', encoding = 'utf8' } = options;
  const pairs: Pairs = [];
  const names = new Set<string>();
  for (let at = 0; at < fields.length; at += 2) {
    const name = readText(fields[at]!, encoding);
    const value = readText(fields[at + 1]!, encoding);
    if (name === undefined || value === undefined) throw lossOf('bytes', id, String(fields[at]));
    if (format === 'object') {
      if (names.has(name)) throw lossOf('repeated', id, name);
      names.add(name);
    }
    pairs.push([name, value]);
  }
  return format === 'pairs' ? pairs : orderedObject(pairs);
}

/** Text, or undefined for bytes that are none. (Bytes that were read as text already are taken as they are.) */
function readText(value: string | Buffer, encoding: 'utf8' | 'base64'): string | undefined {
  if (typeof value === 'string') return value;
  if (encoding === 'base64') return value.toString('base64');
  const text = value.toString();
  return text.includes(REPLACEMENT) && !isUtf8(value) ? undefined : text;
}

/** What bytes that are not UTF-8 become when they are read as text; it may also stand in a text. */
const REPLACEMENT = '\uFFFD';

/** Whether an entry that was read as text may have lost bytes by that. */
export function mayHaveLostBytes([, fields]: RawEntry): boolean {
  return fields?.some((text) => typeof text === 'string' && text.includes(REPLACEMENT)) ?? false;
}

const LOSSES: Record<Loss, [what: string, advice: string]> = {
  repeated: ['comes more than once', 'read it with format "pairs"'],
  bytes: ['holds bytes that are not UTF-8', 'read it with encoding "base64"'],
};

/** The error for an entry that would lose something. It names the field, and no value. */
export function lossOf(loss: Loss, id: string, field: string): ConnectorError {
  const [what, advice] = LOSSES[loss];
  return new ConnectorError('STREAM:COMMAND', `Field ${JSON.stringify(field)} of entry ${id} ${what}: ${advice}`);
}

/** The words of an entry on the wire. */
export function fieldArgs(entry: Fields | Pairs, { encoding }: EntryOptions = {}): (string | Buffer)[] {
  const words = Array.isArray(entry) ? entry.flat() : Object.entries(entry).flat();
  return encoding === 'base64' ? words.map((word) => Buffer.from(word, 'base64')) : words;
}

/** Text that an entry holds, in characters: no more than its JSON has bytes. */
export function lengthOf([id, fields]: RawEntry): number {
  let length = id.length;
  for (const text of fields ?? []) length += text.length;
  return length;
}

/** Entries as XRANGE replies them: `[[id, [name, value, …]], …]`; nil stands for none. */
export const readEntries = (reply: Reply) => (reply ?? []) as RawEntry[];

/** Streams as XREAD replies them: `[[key, entries], …]`; nil stands for none. */
export const readStreamReplies = (reply: Reply) => (reply ?? []) as [key: string | Buffer, entries: RawEntry[]][];

import { orderedObject } from '../core/json.ts';
import { isTraceField } from '../core/trace.ts';
import type { Reply } from '../redis/redis.ts';
import { readEntries } from '../stream/entries.ts';
import { hash } from 'node:crypto';

/** An entry of the stream, with its fields in order: name, value, name, value, … (a name may occur twice). */
export interface Entry {
  readonly id: string;
  readonly fields: readonly string[];
  /** Whether a name or value is not UTF-8, and has U+FFFD instead of its bytes. Default: false. */
  readonly hasBytes?: boolean;
}

/** The value of a field, the last one if its name is repeated; undefined if it is missing. */
export function fieldOf({ fields }: Entry, name: string): string | undefined {
  for (let index = fields.length - 2; index >= 0; index -= 2) if (fields[index] === name) return fields[index + 1];
  return undefined;
}

/** The fields by name, in order, as targets see them: without those of the trace. */
export function fieldsOf({ fields }: Entry): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let index = 0; index < fields.length; index += 2) {
    if (!isTraceField(fields[index]!)) pairs.push([fields[index]!, fields[index + 1]!]);
  }
  return orderedObject(pairs);
}

/** The size of an entry's body in memory: its bytes, and a constant for each string. */
export function sizeOf({ fields }: Entry): number {
  let size = 0;
  for (const text of fields) size += Buffer.byteLength(text) + 20;
  return size;
}

/** When an entry was added, in milliseconds since 1970: the first part of an id that the server made. */
export function addedAt(id: string): number {
  return Number(id.slice(0, id.indexOf('-')));
}

/** Reads a reply whose texts stay bytes where they are not UTF-8; omits entries whose body was deleted. */
export function decodeEntries(reply: Reply): Entry[] {
  const entries: Entry[] = [];
  for (const [id, fields] of readEntries(reply)) {
    if (!fields) continue;
    const hasBytes = fields.some((text) => typeof text !== 'string');
    entries.push({ id: id as string, fields: hasBytes ? fields.map(String) : (fields as string[]), hasBytes });
  }
  return entries;
}

export const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);

/** The fields that identify a source record: entries with equal values are processed in order. */
export const SOURCE_RECORD_KEY_FIELDS: readonly string[] = ['businessEntity', 'sourceSystem', 'sourcePKey'];

/**
 * The ordering key from the values of its fields; a missing one counts as empty. Without fields, the shard is one key.
 */
export const joinKey = (values: readonly (string | null | undefined)[]): string => {
  return values.map((value) => value ?? '').join('\0');
};

/**
 * The ordering key of an entry.
 *
 * @param keyFields the names of its fields, in order; without any, all entries of the shard share one key
 */
export function orderingKeyOf(entry: Entry, keyFields: readonly string[]): string {
  if (keyFields.length === 1) return copyOf(fieldOf(entry, keyFields[0]!) ?? '');
  return joinKey(keyFields.map((name) => fieldOf(entry, name)));
}

/** V8 copies shorter texts anyway. */
const LONGEST_COPIED = 12;

/** Copies a value that may be a slice of the entry's text: a key outlives its entry, and must not keep that text. */
function copyOf(text: string): string {
  return text.length > LONGEST_COPIED ? Buffer.from(text).toString() : text;
}

/** The name of an ordering key in the hash of notes: the first 32 characters of its hex SHA-256. */
export const hashOfKey = (key: string): string => hash('sha256', key).slice(0, 32);

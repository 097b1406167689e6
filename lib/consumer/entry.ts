import { LAST_POSSIBLE_ID } from '../core/entry-id.ts';
import { orderedObject } from '../core/json.ts';
import { isTraceField } from '../core/trace.ts';
import type { Reply } from '../redis/redis.ts';
import { readEntries } from '../stream/entries.ts';
import { hash } from 'node:crypto';

/** An entry of the stream, its fields as they came: name, value, name, value, … (a name may come twice). */
export interface Entry {
  readonly id: string;
  readonly fields: readonly string[];
}

/** The value of a field, the last one where the name comes twice; undefined where there is none. */
export function fieldOf({ fields }: Entry, name: string): string | undefined {
  for (let at = fields.length - 2; at >= 0; at -= 2) if (fields[at] === name) return fields[at + 1];
  return undefined;
}

/** The fields by name, in their order, as targets see them: without those that carry the trace. */
export function fieldsOf({ fields }: Entry): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let at = 0; at < fields.length; at += 2) {
    if (!isTraceField(fields[at]!)) pairs.push([fields[at]!, fields[at + 1]!]);
  }
  return orderedObject(pairs);
}

/** What the body of an entry takes: its characters, and something for each string. */
export function sizeOf({ fields }: Entry): number {
  let size = 0;
  for (const text of fields) size += text.length + 20;
  return size;
}

/** Whether any name or value holds U+FFFD: an entry's own, or what stands for bytes that are not UTF-8. */
export function isDoubtful({ fields }: Entry): boolean {
  for (const text of fields) if (text.includes('\ufffd')) return true;
  return false;
}

/** When an entry was added, in milliseconds since 1970: the first part of its id, where the server made the id. */
export function addedAt(id: string): number {
  return Number(id.slice(0, id.indexOf('-')));
}

/** Reads a list of entries that were asked for as text; one whose body was deleted is left out. */
export function decodeEntries(reply: Reply): Entry[] {
  const entries: Entry[] = [];
  for (const raw of readEntries(reply)) {
    if (raw[1]) entries.push({ id: raw[0] as string, fields: raw[1] as string[] });
  }
  return entries;
}

export const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);

/** The order of the stream. Both parts of an id are 64 bits wide. */
export function compareIds(a: string, b: string): number {
  const [aTime, aSequence] = partsOf(a);
  const [bTime, bSequence] = partsOf(b);
  const difference = aTime === bTime ? aSequence - bSequence : aTime - bTime;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The id right after another; the last possible one stays. */
export function nextId(id: string): string {
  if (id === LAST_POSSIBLE_ID) return id;
  const [time, sequence] = partsOf(id);
  return sequence === 2n ** 64n - 1n ? `${time + 1n}-0` : `${time}-${sequence + 1n}`;
}

function partsOf(id: string): [bigint, bigint] {
  const at = id.indexOf('-');
  return [BigInt(id.slice(0, at)), BigInt(id.slice(at + 1))];
}

/** The fields that name a source record: entries that agree in them are processed in the order of the stream. */
export const SOURCE_RECORD_KEY_FIELDS: readonly string[] = ['businessEntity', 'sourceSystem', 'sourcePKey'];

/** The ordering key from the values of its fields; a missing one counts as empty. No fields: one key for the shard. */
export const joinKey = (values: readonly (string | null | undefined)[]): string => {
  return values.map((value) => value ?? '').join('\0');
};

/**
 * The ordering key of an entry.
 *
 * @param keyFields the names of its fields, in order; none: all entries of the shard share one key
 */
export function orderingKeyOf(entry: Entry, keyFields: readonly string[]): string {
  if (keyFields.length === 1) return copyOf(fieldOf(entry, keyFields[0]!) ?? '');
  return joinKey(keyFields.map((name) => fieldOf(entry, name)));
}

/** V8 copies shorter texts by itself. */
const LONGEST_COPIED = 12;

/** The value of a field may be a slice of all fields of its entry: a key outlives them, and must not keep them. */
function copyOf(text: string): string {
  return text.length > LONGEST_COPIED ? Buffer.from(text).toString() : text;
}

/** The name of an ordering key in the hash of superseded letters: hex SHA-256, its first 32 characters. */
export const hashOfKey = (key: string): string => hash('sha256', key).slice(0, 32);

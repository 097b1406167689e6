import { hash } from 'node:crypto';
import { fieldOf, type Entry } from './entry.ts';

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

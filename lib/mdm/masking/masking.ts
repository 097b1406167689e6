import { decodeOnce } from './decoding.ts';
import { MaskedText } from './masked-text.ts';

/*
 * What the API says of a failure may repeat the record, its keys or the session. The description is short and the record
 * may be long, so the record is walked once and looked up in an index of the description, never the other way round.
 */

const { isArray } = Array;
const { values: valuesOf } = Object;

/** More values than a record of 1 MB can hold are not looked for. */
const MAX_VALUES = 500_000;
/** How often a service may encode a value before it repeats it. */
const MAX_ENCODINGS = 3;

/**
 * Puts `…` in place of the secrets in a text, whatever their case; encodings that hid one are undone.
 *
 * @param secrets texts and numbers, masked whatever their length: session, keys; or objects and lists, whose texts and
 *   numbers of three characters or more are masked, and pieces of their long texts
 * @param shortest values shorter than this are not looked for
 * @returns undefined where there is too much to look for
 * @example
 * maskSecrets('Record 4711 of Smith is locked', ['4711', { lastName: 'Smith' }]) // 'Record … of … is locked'
 */
export function maskSecrets(text: string, secrets: readonly unknown[], shortest = 1): string | undefined {
  let masked = maskAll(text, secrets, shortest);
  for (let encodings = 0; masked !== undefined && encodings < MAX_ENCODINGS; encodings++) {
    const decoded = decodeOnce(masked);
    if (decoded === masked) break;
    masked = maskAll(decoded, secrets, shortest);
  }
  return masked;
}

function maskAll(text: string, secrets: readonly unknown[], shortest: number): string | undefined {
  const masked = new MaskedText(text, shortest);
  const waiting: unknown[] = [];
  for (const secret of secrets) {
    if (typeof secret === 'object') waiting.push(secret);
    else if (typeof secret === 'string' || typeof secret === 'number') masked.maskKey(String(secret));
  }
  let left = MAX_VALUES;
  while (waiting.length > 0) {
    const parent = waiting.pop() ?? [];
    const values: unknown[] = isArray(parent) ? parent : valuesOf(parent);
    left -= values.length;
    for (let at = 0; at < values.length; at++) {
      const value = values[at];
      if (typeof value === 'string') masked.maskValue(value);
      else if (typeof value === 'number') masked.maskNumber(value);
      else if (typeof value === 'object') waiting.push(value);
    }
    if (left < 0 || masked.isExhausted) return undefined;
  }
  return masked.toString();
}

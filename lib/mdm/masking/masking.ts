import { decodeOnce } from './decoding.ts';
import { MaskedText } from './masked-text.ts';

/*
 * The API's error message may repeat the record, its keys or the session. The message is short and the record may be
 * long, so the record is walked once and looked up in an index of the message.
 */

const { isArray } = Array;
const { values: valuesOf } = Object;

/** Maximum values to look for: more than a record of 1 MB can hold. */
const MAX_VALUES = 500_000;
/** Shorter values occur in any code or request id. */
export const SHORTEST_IN_CODE = 4;
/** How many encodings of a repeated value are undone. */
const MAX_ENCODINGS = 3;

/**
 * Replaces secrets in a text by `…`, in any case. Undoes encodings that hid a secret.
 *
 * @param secrets texts and numbers, masked whatever their length: session, keys; or objects and lists, whose texts and
 *   numbers of three characters or more are masked, and pieces of their long texts
 * @param shortest shorter values are not masked
 * @returns undefined if there are too many secrets
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
  for (const secret of secrets) {
    if (typeof secret === 'string' || typeof secret === 'number') masked.maskKey(String(secret));
  }
  const isComplete = maskNested(
    masked,
    secrets.filter((secret) => typeof secret === 'object'),
  );
  return isComplete ? masked.toString() : undefined;
}

/** Masks the values in objects and lists. Returns false if there are too many. */
function maskNested(masked: MaskedText, waiting: unknown[]): boolean {
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
    if (left < 0 || masked.isExhausted) return false;
  }
  return true;
}

import { randomUUID } from 'node:crypto';

/*
 * JSON without loss. `JSON.parse` rounds integers beyond 2^53 and moves integer-like names to the front of an object;
 * ids of the master data API and fields of stream entries are both. A text without either, found by a scan, is parsed
 * as it is (1.2 times the time of JSON.parse, over 10 MB). Where only numbers are at risk, those are marked, put in quotes,
 * and restored after parsing (2.5 times). Else all numbers and names are marked, and all objects rebuilt (10 times).
 */

/** A number as its digits: `JSON.stringify` writes them unchanged. Made by `JSON.rawJSON`. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

/** A number that may lose digits. Written out, because V8 then skips ahead in the text: `{16}` takes ten times as long. */
const LONG_NUMBER = new RegExp('[\\d.]'.repeat(16));
const LARGE_EXPONENT = /\d[eE][+-]?\d\d\d/;
/** A name of digits; one whose digits are escaped is looked for where there are such escapes at all. */
const NAME_OF_DIGITS = /"\d+"\s*:/;
const ESCAPED_DIGIT = /\\u003\d/;
/** A number that may lose digits, with what precedes it. (Text inside a string may look the same.) */
const NUMBER_AT_RISK =
  /(^\s*|[:,[]\s*)(?=[-+\d.eE]{16}|-?[\d.]+[eE][+-]?\d{3})(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*(?:[,}\]]|$))/g;
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Prefix of what is marked; begins with a letter. Random, so that no text can contain it. */
const MARK = `m${randomUUID()}`;
const NINE = 0x39;
const INTEGER_NAME = /^(?:0|[1-9]\d*)$/;

/**
 * Parses JSON so that every number keeps its digits (as an `ExactNumber` where a JavaScript number would not) and
 * every object the order of its names.
 *
 * @throws {SyntaxError} where `JSON.parse` would.
 * @example
 * JSON.stringify(parseExact('{"id":714189942313869312}')) // '{"id":714189942313869312}'
 */
export function parseExact(text: string): unknown {
  if (NAME_OF_DIGITS.test(text) || (text.includes('\\u003') && ESCAPED_DIGIT.test(text))) return parseMarked(text);
  if (!LONG_NUMBER.test(text) && !LARGE_EXPONENT.test(text)) return JSON.parse(text);
  try {
    return unquote(JSON.parse(text.replace(NUMBER_AT_RISK, `$1"${MARK}$2"`)));
  } catch {
    return parseMarked(text); // not JSON, or quotes were put inside a string: they end it, and a letter follows
  }
}

/**
 * An integer as a number where that is exact, else as its digits.
 *
 * @example
 * exactInteger('9007199254740993') // JSON.rawJSON('9007199254740993')
 */
export function exactInteger(digits: string): number | ExactNumber {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : JSON.rawJSON(digits);
}

/**
 * An object with these entries in this order. A plain object would move integer-like names to the front; if there
 * are any, a proxy keeps the order.
 */
export function orderedObject<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const object = new ObjectInOrder<T>();
  for (const [name, value] of entries) object.set(name, value);
  return object.value;
}

/**
 * The same, entry by entry.
 *
 * @example
 * const object = new ObjectInOrder<string>();
 * object.set('b', 'first').set('1', 'second');
 * JSON.stringify(object.value) // '{"b":"first","1":"second"}'
 */
export class ObjectInOrder<T> {
  readonly #object = Object.create(null) as Record<string, T>;
  /** All names, from the first on that the object would move. */
  #names: Set<string> | undefined;

  set(name: string, value: T): this {
    if (!this.#names && isIntegerName(name)) this.#names = new Set(Object.keys(this.#object));
    this.#names?.add(name);
    this.#object[name] = value;
    return this;
  }

  get value(): Record<string, T> {
    if (!this.#names) return this.#object;
    const names = [...this.#names];
    return new Proxy(this.#object, { ownKeys: () => names });
  }
}

/**
 * Whether a plain object would move a name to the front, as it does with an index of an array: 4294967294 at most. (Looks
 * first at what rejects most names in no time: their length, and their first letter.)
 */
export const isIntegerName = (name: string) =>
  name.length <= 10 && name.charCodeAt(0) <= NINE && INTEGER_NAME.test(name);

/** Whether reading this number and writing it again gives the same value. */
function isExact(token: string): boolean {
  if (token.length < 16 && !/[eE]/.test(token)) return true;
  const value = Number(token);
  const written = String(value);
  if (written === token) return true;
  return Number.isFinite(value) && /[.eE]/.test(token + written) && canonical(written) === canonical(token);
}

/** Sign, significant digits and exponent: equal for `1.50`, `1.5` and `15e-1`. */
function canonical(token: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token)!;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}

/** Parses with every inexact number and integer-like name marked. */
function parseMarked(text: string): unknown {
  JSON.parse(text); // throws for invalid JSON before anything is marked
  const marked = text.replace(TOKEN, (token, colon: string | undefined) => {
    if (!token.startsWith('"')) return isExact(token) ? token : `"${MARK}${token}"`;
    const isMarked = colon !== undefined && isIntegerName(readName(token));
    return isMarked ? `"${MARK}${token.slice(1)}` : token;
  });
  return unmark(JSON.parse(marked));
}

/** The name that a token stands for, with its colon behind it; digits may be escaped. */
function readName(token: string): string {
  const quoted = token.slice(0, token.lastIndexOf('"') + 1);
  return quoted.includes('\\u003') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

function unmark(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? JSON.rawJSON(value.slice(MARK.length)) : value;
  if (Array.isArray(value)) return value.map(unmark);
  if (value === null || typeof value !== 'object') return value;
  return orderedObject(
    Object.entries(value).map(([name, item]) => [name.startsWith(MARK) ? name.slice(MARK.length) : name, unmark(item)]),
  );
}

/** Restores the numbers that were put in quotes, in place. */
function unquote(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? readNumber(value.slice(MARK.length)) : value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = unquote(value[at]);
  } else if (typeof value === 'object') {
    const object = value as Record<string, unknown>;
    for (const name in object) {
      const item = object[name];
      if (typeof item === 'object' || (typeof item === 'string' && item.startsWith(MARK))) object[name] = unquote(item);
    }
  }
  return value;
}

const readNumber = (token: string) => (isExact(token) ? Number(token) : JSON.rawJSON(token));

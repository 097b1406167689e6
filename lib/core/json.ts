import { randomUUID } from 'node:crypto';

/*
 * JSON without loss. `JSON.parse` rounds integers beyond 2^53 and moves integer-like names to the front of an object.
 * Ids of the master data API and fields of stream entries have both. A scan finds texts without either, which are
 * parsed directly (1.2 times the time of JSON.parse, over 10 MB). If only numbers are at risk, they are marked, quoted,
 * and restored after parsing (2.5 times). Otherwise numbers and names at risk are marked, and the objects with such a
 * name rebuilt (5 to 15 times).
 */

/** An exact number, made by `JSON.rawJSON`: `JSON.stringify` writes its digits unchanged. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

/** A number that may lose digits. Spelled out instead of `{16}`, because V8 then scans ten times as fast. */
const LONG_NUMBER = new RegExp('[\\d.]'.repeat(16));
const LARGE_EXPONENT = /\d[eE][+-]?\d\d\d/;
/** A name of digits. The slower pattern for escaped digits is used only if the text has such escapes. */
const NAME_OF_DIGITS = /"\d+"\s*:/;
const ESCAPED_DIGIT = /\\u003\d/;
/** A number that may lose digits, with the character before it. (Text inside a string may look the same.) */
const NUMBER_AT_RISK =
  /(^\s*|[:,[]\s*)(?=[-+\d.eE]{16}|-?[\d.]+[eE][+-]?\d{3})(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*(?:[,}\]]|$))/g;
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Prefix of marked values. It begins with a letter, and is random so that no text can contain it. */
const MARK = `m${randomUUID()}`;
const NINE = 0x39;
const INTEGER_NAME = /^(?:0|[1-9]\d*)$/;

/**
 * Parses JSON so that every number keeps its digits (as an `ExactNumber` if a JavaScript number would not), and every
 * object the order of its names.
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
    return parseMarked(text); // invalid JSON, or quotes were added inside a string and ended it before a letter
  }
}

/**
 * An integer as a number if that is exact, otherwise as its digits.
 *
 * @example
 * exactInteger('9007199254740993') // JSON.rawJSON('9007199254740993')
 */
export function exactInteger(digits: string): number | ExactNumber {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : JSON.rawJSON(digits);
}

/**
 * An object with these entries in this order. A plain object would move integer-like names to the front, so with such
 * names it is a proxy.
 */
export function orderedObject<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const object = new ObjectInOrder<T>();
  for (const [name, value] of entries) object.set(name, value);
  return object.value;
}

/**
 * The same, built entry by entry.
 *
 * @example
 * const object = new ObjectInOrder<string>();
 * object.set('b', 'first').set('1', 'second');
 * JSON.stringify(object.value) // '{"b":"first","1":"second"}'
 */
export class ObjectInOrder<T> {
  readonly #object = Object.create(null) as Record<string, T>;
  /** All names, once there is one that the object would move. */
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
 * Whether a plain object would move a name to the front, as it does with array indexes up to 4294967294. Length and
 * first letter reject most names quickly.
 */
export const isIntegerName = (name: string) =>
  name.length <= 10 && name.charCodeAt(0) <= NINE && INTEGER_NAME.test(name);

/** Whether this number survives being parsed and written again. */
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
  const zeros = digits.length - significant.length;
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(zeros)}`;
}

/** Parses with every inexact number and integer-like name marked. */
function parseMarked(text: string): unknown {
  JSON.parse(text); // throws for invalid JSON, before marking
  let marked = '';
  let end = 0;
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    if (!isAtRisk(token, colon !== undefined)) continue;
    const afterQuote = token.startsWith('"') ? token.slice(1) : `${token}"`;
    marked += `${text.slice(end, index)}"${MARK}${afterQuote}`;
    end = index + token.length;
  }
  return unmark(JSON.parse(marked + text.slice(end)));
}

/** Whether a token is a number that would lose digits, or a name that would move. */
function isAtRisk(token: string, isName: boolean): boolean {
  if (token.startsWith('"')) return isName && isIntegerName(readName(token));
  return !isExact(token);
}

/** The name in a token, which has a colon behind it and may have escaped digits. */
function readName(token: string): string {
  const quoted = token.slice(0, token.lastIndexOf('"') + 1);
  return quoted.includes('\\u003') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** Restores marked numbers and names: in place, but for objects with a marked name, which are rebuilt. */
function unmark(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? JSON.rawJSON(value.slice(MARK.length)) : value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = unmark(value[at]);
    return value;
  }
  if (value === null || typeof value !== 'object') return value;
  const object = value as Record<string, unknown>;
  const names = Object.keys(object);
  if (names.some((name) => name.startsWith(MARK))) {
    return orderedObject(
      names.map((name) => [name.startsWith(MARK) ? name.slice(MARK.length) : name, unmark(object[name])]),
    );
  }
  for (const name of names) object[name] = unmark(object[name]);
  return object;
}

/** Restores quoted numbers, in place. */
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

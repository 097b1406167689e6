import { isAscii, isUtf8 } from 'node:buffer';
import { RESP_TYPES, SimpleError } from 'redis';
import type { Reply } from './redis.ts';
import { ARRAY, CR, ERROR, LF, MINUS, NINE, NUMBER, STATUS, STRING, ZERO } from './resp.ts';

/** In lists up to this many bytes, texts are slices of one text. A slice keeps the whole text in memory. */
const MAX_SHARED_BYTES = 1024;
/** Maximum strings of such a list. */
const MAX_SHARED = 64;
/** Where each string begins and ends. */
const bounds = new Int32Array(2 * MAX_SHARED);

/** A value in a list: in the reply of a MULTI it may be an error. */
type Value = Reply | SimpleError;

/** An incomplete list. */
interface OpenList {
  readonly items: Value[];
  /** Number of values so far. */
  filled: number;
}

export interface ClientDecoder {
  write(chunk: Buffer): void;
  reset(): void;
  readonly onReply: (reply: Value) => void;
  readonly onErrorReply: (error: SimpleError) => void;
  readonly getTypeMapping: () => Partial<Record<number, unknown>>;
}

/** As the type of strings: a string that is not UTF-8 stays bytes. */
export const textOrBytes = (bytes: Buffer): string | Buffer => (isUtf8(bytes) ? bytes.toString() : bytes);

/** Thrown if the value continues in the next chunk. */
const INCOMPLETE = Symbol('incomplete');

/**
 * Reads replies (RESP2) instead of the client's own decoder, in half of its time: it keeps incomplete values in a list
 * instead of closures, and decodes the text of a short list of strings, such as the fields of an entry, at once.
 */
export class ReplyDecoder {
  readonly #client: ClientDecoder;
  #chunk: Buffer = Buffer.alloc(0);
  #isAscii = true;
  #at = 0;
  /** Start of a value that continues in the next chunk, and the length at which it can be read. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #needed = 0;
  #open: OpenList[] = [];
  /** The form in which the client wants this reply, which depends on the command. */
  #asBytes = false;
  #asTextOrBytes = false;
  #asNumbers = false;

  constructor(client: ClientDecoder) {
    this.#client = client;
  }

  /** Drops incomplete values. */
  reset(): void {
    this.#rest = [];
    this.#restBytes = 0;
    this.#needed = 0;
    this.#open = [];
  }

  /** Takes a chunk, and gives each complete reply to the client. */
  write(arrived: Buffer): void {
    let chunk = arrived;
    if (this.#restBytes > 0) {
      this.#rest.push(chunk);
      this.#restBytes += chunk.length;
      if (this.#restBytes < this.#needed) return;
      chunk = Buffer.concat(this.#rest, this.#restBytes);
      this.#rest = [];
      this.#restBytes = 0;
    }
    this.#chunk = chunk;
    this.#at = 0;
    this.#isAscii = isAscii(chunk);
    while (this.#at < chunk.length) {
      const begun = this.#at;
      const value = this.#read();
      if (value === INCOMPLETE) {
        this.#rest = [chunk.subarray(begun)];
        this.#restBytes = chunk.length - begun;
        this.#needed -= begun;
        return;
      }
      if (value !== undefined) this.#close(value);
    }
  }

  /** Handles a complete value, which may complete its list. */
  #close(complete: Value): void {
    let value = complete;
    for (let list = this.#open.at(-1); list; list = this.#open.at(-1)) {
      list.items[list.filled++] = value;
      if (list.filled < list.items.length) return;
      value = list.items as Reply[];
      this.#open.pop();
    }
    if (value instanceof SimpleError) this.#client.onErrorReply(value);
    else this.#client.onReply(value);
  }

  /** The next value; undefined if a list begins whose values follow. */
  #read(): Value | undefined | typeof INCOMPLETE {
    if (this.#open.length === 0) this.#learnTypes();
    const chunk = this.#chunk;
    const type = chunk[this.#at++]!;
    if (type === STATUS || type === ERROR || (type === NUMBER && !this.#asNumbers)) {
      const text = this.#readLine();
      return type === ERROR && text !== INCOMPLETE ? new SimpleError(text) : text;
    }
    if (type !== ARRAY && type !== STRING && type !== NUMBER) throw new Error(`Unknown RESP type ${type}`);
    const number = this.#readNumber();
    if (number === INCOMPLETE || type === NUMBER) return number as unknown as Reply;
    if (number < 0) return null;
    if (type === STRING) return this.#readText(this.#at, this.#at + number);
    if (number === 0) return [];
    const texts = this.#readTexts(number);
    if (texts) return texts;
    this.#open.push({ items: new Array<Value>(number), filled: 0 });
    return undefined;
  }

  #learnTypes(): void {
    const types = this.#client.getTypeMapping();
    this.#asBytes = types[RESP_TYPES.BLOB_STRING] === Buffer;
    this.#asTextOrBytes = types[RESP_TYPES.BLOB_STRING] === textOrBytes;
    this.#asNumbers = types[RESP_TYPES.NUMBER] !== String;
  }

  #lacks(length: number): typeof INCOMPLETE {
    this.#needed = length;
    return INCOMPLETE;
  }

  #readLine(): string | typeof INCOMPLETE {
    const end = this.#chunk.indexOf(LF, this.#at) - 1;
    if (end < 0) return this.#lacks(this.#chunk.length + 1);
    const line = this.#chunk.toString('utf8', this.#at, end);
    this.#at = end + 2;
    return line;
  }

  #readNumber(): number | typeof INCOMPLETE {
    const chunk = this.#chunk;
    const isNegative = chunk[this.#at] === MINUS;
    let number = 0;
    for (let at = isNegative ? this.#at + 1 : this.#at; at + 1 < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === CR) {
        this.#at = at + 2;
        return isNegative ? -number : number;
      }
      if (byte < ZERO || byte > NINE) throw new Error('A number in a reply of Redis is malformed');
      number = number * 10 + byte - ZERO;
    }
    return this.#lacks(chunk.length + 1);
  }

  #readText(start: number, end: number): string | Buffer | typeof INCOMPLETE {
    const chunk = this.#chunk;
    if (end + 2 > chunk.length) return this.#lacks(end + 2);
    if (chunk[end] !== CR) throw new Error('A text in a reply of Redis is longer than it says');
    this.#at = end + 2;
    if (this.#asBytes) return chunk.subarray(start, end);
    if (this.#isAscii) return chunk.toString('latin1', start, end);
    return this.#asTextOrBytes ? textOrBytes(chunk.subarray(start, end)) : chunk.toString('utf8', start, end);
  }

  /** A complete short list of short strings; undefined for any other list. */
  #readTexts(size: number): string[] | undefined {
    if (size > MAX_SHARED || this.#asBytes || !this.#isAscii) return undefined;
    const chunk = this.#chunk;
    const begun = this.#at;
    const last = Math.min(chunk.length, begun + MAX_SHARED_BYTES);
    let at = begun;
    for (let item = 0; item < size; item++) {
      if (at >= last || chunk[at++] !== STRING) return undefined;
      let length = 0;
      for (; at < last && chunk[at] !== CR; at++) {
        const digit = chunk[at]! - ZERO;
        if (digit < 0 || digit > 9) return undefined;
        length = length * 10 + digit;
      }
      bounds[2 * item] = at + 2 - begun;
      bounds[2 * item + 1] = at + 2 + length - begun;
      at += length + 4;
      if (at > last || chunk[at - 2] !== CR) return undefined;
    }
    const text = chunk.toString('latin1', begun, at);
    const texts = new Array<string>(size);
    for (let item = 0; item < size; item++) texts[item] = text.slice(bounds[2 * item], bounds[2 * item + 1]);
    this.#at = at;
    return texts;
  }
}

/** A client of the library with the one private member in use: it has no public hook for decoding. */
interface Client {
  _getQueue(): { decoder: ClientDecoder };
  destroy(): void;
}

/** The decoder of a client. If the client moves it, the test of undecodable replies fails. */
export const decoderOf = (client: Pick<Client, '_getQueue'>): ClientDecoder => client._getQueue().decoder;

/**
 * Reads the replies of a connected client that waits for none. A reply that cannot be decoded ends the connection at
 * once: the client itself would read on, and give the next replies to the wrong commands.
 */
export function decodeReplies(client: Client): void {
  const decoder = decoderOf(client);
  const reader = new ReplyDecoder(decoder);
  decoder.write = (chunk) => {
    try {
      reader.write(chunk);
    } catch (error) {
      client.destroy();
      throw error;
    }
  };
  decoder.reset = () => reader.reset();
}

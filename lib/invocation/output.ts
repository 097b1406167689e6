import { ObjectInOrder } from '../core/json.ts';
import { GzipText } from './gzip-text.ts';

/** The largest response that Lambda returns, in bytes. */
export const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;
/** The most text that a read loads, however well it compresses. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** Bytes of a response besides its output: status, headers, brackets, and the end of the gzip. */
const ENVELOPE_BYTES = 2048;
/** Base64 turns three bytes into four characters. */
const BASE64 = 4 / 3;
/** Gzip adds a little to incompressible text. */
const GZIP_WORST = BASE64 * 1.01;
/** A shorter text is compressed as a whole, at the end. */
const GZIP_MIN_BYTES = 256 * 1024;
/** A text of so many characters is written by itself: to join it with others would copy it. */
const LARGE_TEXT = 64 * 1024;

/** How an output travels: as JSON, as JSON text inside the JSON of an HTTP response, or gzipped inside it. */
export type Travel = 'json' | 'text' | 'gzip';

/** An output written in parts, in the form in which it travels. */
export class WrittenOutput<T> {
  readonly content: { value: T } | { text: string } | { gzip: Buffer };
  /** Whether it certainly fits into a response, so that it need not be measured again. */
  readonly isSureToFit: boolean;

  constructor(content: WrittenOutput<T>['content'], isSureToFit: boolean) {
    this.content = content;
    this.isSureToFit = isSureToFit;
  }
}

/**
 * Writes the output of a read, an object of members or of lists, in parts, and measures how much of a response it
 * takes. It turns each part into text, or compresses it, at once, so that only one part is in memory as objects.
 *
 * @example
 * const output = new Output('gzip');
 * output.append('orders', [{ id: '1-0', entry: { a: '1' } }], 40);
 * return output.end();
 */
export class Output {
  readonly travel: Travel;
  /** The output that travels as JSON, built while the next portion is on its way. */
  readonly #object = new ObjectInOrder<unknown>();
  /** Items of its open list. */
  #items: unknown[] = [];
  /** The text, until it is long enough to be compressed as it comes. */
  #text: string[] = [];
  #gzip: GzipText | undefined;
  /** Name of the open list. */
  #list: string | undefined;
  /** The character before the next member, and before the next item of the list. */
  #comma: '{' | ',' = '{';
  #itemComma: '' | ',' = '';
  #maxBytes = ENVELOPE_BYTES;
  #textBytes = 0;

  constructor(travel: Travel) {
    this.travel = travel;
  }

  /** The most text that could travel, in bytes. A read need not load more. */
  get textLimit(): number {
    return this.travel === 'gzip' ? MAX_TEXT_BYTES : MAX_RESPONSE_BYTES;
  }

  /** Bytes that certainly still fit, without compression. */
  get left(): number {
    if (this.travel !== 'gzip') return Math.max(0, MAX_RESPONSE_BYTES - this.#maxBytes);
    const pending = this.#gzip ? this.#gzip.pending : this.#textBytes;
    const fitting = (MAX_RESPONSE_BYTES - this.#gzipBytes) / GZIP_WORST - pending;
    return Math.max(0, Math.floor(Math.min(fitting, MAX_TEXT_BYTES - this.#textBytes)));
  }

  /** Whether the text is already too large. (JSON is measured at the end.) */
  get isTooLarge(): boolean {
    return this.#gzipBytes > MAX_RESPONSE_BYTES || this.#textBytes > this.textLimit;
  }

  /** Whether a text fits into the rest, compressed if it travels so. */
  fits(json: string): boolean {
    const text = new GzipText();
    text.write(json);
    return this.#gzipBytes + text.end().length * GZIP_WORST <= MAX_RESPONSE_BYTES;
  }

  /** Reserves room for names of lists, ahead of their items. */
  reserve(names: readonly string[]): void {
    for (const name of names) this.#maxBytes += Buffer.byteLength(JSON.stringify(JSON.stringify(name))) + 8;
  }

  /**
   * Adds members to the object.
   *
   * @param maxBytes at most what they take when they travel; gzipped output is measured instead
   */
  add(members: readonly [name: string, value: unknown][], maxBytes: number): void {
    this.#maxBytes += maxBytes;
    if (this.travel === 'json') {
      for (const [name, value] of members) this.#object.set(name, value);
      return;
    }
    let text = '';
    for (const [name, value] of members) {
      const json = JSON.stringify(value);
      text += `${this.#comma}${JSON.stringify(name)}:`;
      this.#comma = ',';
      if (json.length < LARGE_TEXT) text += json;
      else {
        this.#write(text);
        this.#write(json);
        text = '';
      }
    }
    this.#write(text);
  }

  /**
   * Adds items to the list with this name, which stays open until another is named. `maxBytes` is that of the items.
   */
  append(name: string, items: readonly unknown[], maxBytes: number): void {
    if (this.#list !== name) this.#openList(name);
    this.#maxBytes += maxBytes;
    if (this.travel === 'json') {
      for (const item of items) this.#items.push(item);
    } else if (items.length > 0) {
      this.#write(this.#itemComma);
      this.#write(JSON.stringify(items).slice(1, -1));
      this.#itemComma = ',';
    }
  }

  /** The whole output. */
  end<T>(): WrittenOutput<T> {
    const isSureToFit = this.travel !== 'gzip' && this.left > 0;
    if (this.travel === 'json') return new WrittenOutput({ value: this.#object.value as T }, isSureToFit);
    this.#write(`${this.#comma === '{' ? '{' : ''}${this.#list === undefined ? '' : ']'}}`);
    if (this.#gzip) return new WrittenOutput({ gzip: this.#gzip.end() }, false);
    return new WrittenOutput({ text: this.#text.join('') }, isSureToFit);
  }

  #openList(name: string): void {
    const end = this.#list === undefined ? '' : ']';
    this.#list = name;
    this.#itemComma = '';
    if (this.travel === 'json') return void this.#object.set(name, (this.#items = []));
    this.#write(`${end}${this.#comma}${JSON.stringify(name)}:[`);
    this.#comma = ',';
  }

  #write(text: string): void {
    this.#textBytes += Buffer.byteLength(text);
    if (this.#gzip) return this.#gzip.write(text);
    this.#text.push(text);
    if (this.travel !== 'gzip' || this.#textBytes < GZIP_MIN_BYTES) return;
    this.#gzip = new GzipText();
    for (const each of this.#text) this.#gzip.write(each);
    this.#text = [];
  }

  /** Bytes of the compressed text in the response. */
  get #gzipBytes(): number {
    return ENVELOPE_BYTES + (this.#gzip?.bytes ?? 0) * BASE64;
  }
}

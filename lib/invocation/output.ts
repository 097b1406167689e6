import { gzipSync } from 'node:zlib';
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
/** Text is compressed in pieces of at least this many bytes. */
const GZIP_PIECE = 256 * 1024;

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
 * Writes the output of a read, an object that comes in parts, and measures how much of a response it takes. It turns
 * each part into text, or compresses it, at once, so that only one part is in memory as objects.
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
  /** Text that waits to be compressed. */
  #text: string[] = [];
  #gzip: GzipText | undefined;
  /** Name of the open list. */
  #list: string | undefined;
  /** The character before the next member, and before the next item of the list. */
  #comma: '{' | ',' = '{';
  #itemComma: '' | ',' = '';
  #maxBytes = ENVELOPE_BYTES;
  #textBytes = 0;
  #pendingBytes = 0;

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
    const fitting = (MAX_RESPONSE_BYTES - this.#gzipBytes) / GZIP_WORST - this.#pendingBytes;
    return Math.max(0, Math.floor(Math.min(fitting, MAX_TEXT_BYTES - this.#textBytes)));
  }

  /** Whether the text is already too large. (JSON is measured at the end.) */
  get isTooLarge(): boolean {
    return this.#gzipBytes > MAX_RESPONSE_BYTES || this.#textBytes > this.textLimit;
  }

  /** Whether a text fits into the rest, compressed if it travels so. */
  fits(json: string): boolean {
    return this.#gzipBytes + gzipSync(json).length * GZIP_WORST <= MAX_RESPONSE_BYTES;
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
    if (members.length === 0) return;
    if (this.travel === 'json') {
      for (const [name, value] of members) this.#object.set(name, value);
      return;
    }
    const texts = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    this.#write(this.#comma + texts.join());
    this.#comma = ',';
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
      this.#write(this.#itemComma + JSON.stringify(items).slice(1, -1));
      this.#itemComma = ',';
    }
  }

  /** The whole output. */
  end<T>(): WrittenOutput<T> {
    const isSureToFit = this.travel !== 'gzip' && this.left > 0;
    if (this.travel === 'json') return new WrittenOutput({ value: this.#object.value as T }, isSureToFit);
    this.#text.push(`${this.#comma === '{' ? '{' : ''}${this.#list === undefined ? '' : ']'}}`);
    if (!this.#gzip) return new WrittenOutput({ text: this.#text.join('') }, isSureToFit);
    this.#gzip.write(this.#text.join(''));
    return new WrittenOutput({ gzip: this.#gzip.end() }, false);
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
    this.#text.push(text);
    const bytes = Buffer.byteLength(text);
    this.#textBytes += bytes;
    if (this.travel === 'text') return;
    this.#pendingBytes += bytes;
    if (this.#pendingBytes < GZIP_PIECE) return;
    const piece = this.#text.join('');
    this.#text = [];
    this.#pendingBytes = 0;
    (this.#gzip ??= new GzipText()).write(piece);
  }

  /** Bytes of the compressed text in the response. */
  get #gzipBytes(): number {
    return ENVELOPE_BYTES + (this.#gzip?.bytes ?? 0) * BASE64;
  }
}

import { gzipSync } from 'node:zlib';
import { ObjectInOrder } from '../core/json.ts';
import { GzipText } from './gzip-text.ts';

/** The most that Lambda hands back, in bytes. */
export const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;
/** The most text that a read takes, however well it would compress. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** What a response holds beside its output: status, headers, brackets, and what gzip adds at its end. */
const ENVELOPE_BYTES = 2048;
/** Base64 makes four characters of three bytes. */
const BASE64 = 4 / 3;
/** Gzip adds a little to what does not compress. */
const GZIP_WORST = BASE64 * 1.01;
/** Text is compressed in pieces of at least so many bytes. */
const GZIP_PIECE = 256 * 1024;

/** How an output travels: as the JSON it is, as JSON text inside the JSON of an HTTP response, or gzipped there. */
export type Travel = 'json' | 'text' | 'gzip';

/** An output that was written in parts, in the form in which it travels. */
export class WrittenOutput<T> {
  readonly content: { value: T } | { text: string } | { gzip: Buffer };
  /** Whether it is sure to fit a response: it need not be measured again. */
  readonly isSureToFit: boolean;

  constructor(content: WrittenOutput<T>['content'], isSureToFit: boolean) {
    this.content = content;
    this.isSureToFit = isSureToFit;
  }
}

/**
 * The output of a read, an object that comes in parts, and how much of a response it takes. What travels as text becomes
 * text at once, and what travels gzipped is compressed at once: so only one part of it is in memory as objects.
 *
 * @example
 * const output = new Output('gzip');
 * output.append('orders', [{ id: '1-0', entry: { a: '1' } }], 40);
 * return output.end();
 */
export class Output {
  readonly travel: Travel;
  /** What travels as the JSON it is. Made as it comes, while the next portion is on its way. */
  readonly #object = new ObjectInOrder<unknown>();
  /** Items of the list that is open in it. */
  #items: unknown[] = [];
  /** Text that is not compressed yet. */
  #text: string[] = [];
  #gzip: GzipText | undefined;
  /** Name of the list that is open. */
  #list: string | undefined;
  /** What stands before the next member, and before the next item of the list. */
  #comma: '{' | ',' = '{';
  #itemComma: '' | ',' = '';
  #maxBytes = ENVELOPE_BYTES;
  #textBytes = 0;
  #pendingBytes = 0;

  constructor(travel: Travel) {
    this.travel = travel;
  }

  /** The most text that could travel, in bytes: no more need be read. */
  get textLimit(): number {
    return this.travel === 'gzip' ? MAX_TEXT_BYTES : MAX_RESPONSE_BYTES;
  }

  /** Bytes that are sure to fit yet, as they travel before any compression. */
  get left(): number {
    if (this.travel !== 'gzip') return Math.max(0, MAX_RESPONSE_BYTES - this.#maxBytes);
    const fitting = (MAX_RESPONSE_BYTES - this.#gzipBytes) / GZIP_WORST - this.#pendingBytes;
    return Math.max(0, Math.floor(Math.min(fitting, MAX_TEXT_BYTES - this.#textBytes)));
  }

  /** Whether the text so far is too large already. (What travels as JSON is measured when it is whole.) */
  get isTooLarge(): boolean {
    return this.#gzipBytes > MAX_RESPONSE_BYTES || this.#textBytes > this.textLimit;
  }

  /** Whether a text fits in what is left, compressed as it would be. */
  fits(json: string): boolean {
    return this.#gzipBytes + gzipSync(json).length * GZIP_WORST <= MAX_RESPONSE_BYTES;
  }

  /** Accounts for names of lists, ahead of their items. */
  reserve(names: readonly string[]): void {
    for (const name of names) this.#maxBytes += Buffer.byteLength(JSON.stringify(JSON.stringify(name))) + 8;
  }

  /**
   * Adds members to the object.
   *
   * @param maxBytes what they take as they travel, at most; of what is gzipped it is measured
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

  /** Adds items to the list of this name, which lasts until another is named. `maxBytes` as for `add`, of the items. */
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

  /** Bytes that what is compressed takes in the response. */
  get #gzipBytes(): number {
    return ENVELOPE_BYTES + (this.#gzip?.bytes ?? 0) * BASE64;
  }
}

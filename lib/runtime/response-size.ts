import { gzipSync } from 'node:zlib';

/** The most that Lambda hands back, in bytes. */
export const MAX_RESPONSE_BYTES = 6 * 1024 * 1024;
/** The most text that a read takes into memory, however well it would compress. */
const MAX_TEXT_BYTES = 24 * 1024 * 1024;
/** What a response holds beside its output: status, headers, brackets. */
const ENVELOPE_BYTES = 2048;
/** Base64 makes four characters of three bytes; gzip adds a little to what does not compress. */
const GZIP_WORST = (4 / 3) * 1.01;

/** How an output travels: as the JSON it is, as JSON text inside the JSON of an HTTP response, or gzipped there. */
export type Travel = 'json' | 'text' | 'gzip';

/**
 * How much of a response is taken, for reads that have to stop before it is full. Measured as it travels: JSON inside
 * JSON grows by its escapes, what is gzipped shrinks.
 *
 * @example
 * const size = new ResponseSize('json');
 * if (size.fits(json)) size.take(json);
 */
export class ResponseSize {
  readonly travel: Travel;
  #bytes = ENVELOPE_BYTES;
  #text = 0;

  constructor(travel: Travel) {
    this.travel = travel;
  }

  /** The most text that could travel, in bytes: no more need be read. */
  get textLimit(): number {
    return this.travel === 'gzip' ? MAX_TEXT_BYTES : MAX_RESPONSE_BYTES;
  }

  /** Bytes of JSON that are sure to fit yet, however badly they compress. */
  get left(): number {
    const left = MAX_RESPONSE_BYTES - this.#bytes;
    if (this.travel !== 'gzip') return Math.max(0, left);
    return Math.max(0, Math.floor(Math.min(left / GZIP_WORST, MAX_TEXT_BYTES - this.#text)));
  }

  /** Whether a part of the output fits, as it is. */
  fits(json: string): boolean {
    return this.#bytes + this.#travelling(json) <= MAX_RESPONSE_BYTES;
  }

  /** Takes account of a part of the output. */
  take(json: string): void {
    this.#bytes += this.#travelling(json);
    this.#text += Buffer.byteLength(json);
  }

  #travelling(json: string): number {
    if (this.travel === 'gzip') return (gzipSync(json, { level: 1 }).length * 4) / 3;
    return Buffer.byteLength(this.travel === 'text' ? JSON.stringify(json) : json);
  }
}

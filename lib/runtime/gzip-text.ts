import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Deflate, no name and no time, of an unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty block that is the last one. */
const LAST_BLOCK = Buffer.from([3, 0]);
/** How far back Deflate refers, in bytes. */
const WINDOW = 32 * 1024;
/** Bytes that are compressed at a time. */
const PIECE = 256 * 1024;

const encoder = new TextEncoder();

/**
 * Text that is compressed as it comes, so that only its gzip stays in memory. At once: it costs what `gzipSync` of the whole
 * text would, where a stream of zlib changes threads for every 16 kB.
 *
 * @example
 * const text = new GzipText();
 * text.write('[1,');
 * text.write('2]');
 * gunzipSync(text.end()).toString(); // '[1,2]'
 */
export class GzipText {
  readonly #chunks: Buffer[] = [HEADER];
  #bytes = HEADER.length;
  /** The end of what was written: what comes next may repeat it. */
  #window: Buffer | undefined;
  #checksum = 0;
  #textBytes = 0;
  /** Where each piece becomes bytes: a buffer a piece would be garbage faster than it is collected. */
  readonly #buffer = Buffer.allocUnsafe(PIECE);

  /** Bytes of all that was written, compressed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Compresses text. Pieces of some 100 kB make it no larger than it would be as a whole. */
  write(text: string): void {
    for (let at = 0; at < text.length;) {
      const { read, written } = encoder.encodeInto(text.slice(at), this.#buffer);
      this.#compress(this.#buffer.subarray(0, written));
      at += read;
    }
  }

  /** The gzip of all that was written. */
  end(): Buffer {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#checksum);
    trailer.writeUInt32LE(this.#textBytes, 4);
    this.#push(LAST_BLOCK);
    this.#push(trailer);
    return Buffer.concat(this.#chunks);
  }

  #compress(piece: Buffer): void {
    this.#checksum = crc32(piece, this.#checksum);
    this.#textBytes += piece.length;
    this.#push(deflateRawSync(piece, { finishFlush: constants.Z_SYNC_FLUSH, dictionary: this.#window }));
    this.#window = Buffer.from(piece.subarray(-WINDOW));
  }

  #push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }
}

import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A gzip header: Deflate, without name and time, of an unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block. */
const LAST_BLOCK = Buffer.from([3, 0]);
/** The window of Deflate, in bytes. */
const WINDOW = 32 * 1024;
/** Bytes compressed at a time. */
const PIECE = 256 * 1024;

const encoder = new TextEncoder();

/**
 * Compresses text as it comes, so that only the gzip stays in memory. It works synchronously and costs as much as
 * `gzipSync` of the whole text; a zlib stream changes threads for every 16 kB.
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
  /** The end of the text so far, which later text may repeat. */
  #window: Buffer | undefined;
  #checksum = 0;
  #textBytes = 0;
  /** Buffer that encodes each piece; a new one for each would be garbage faster than it is collected. */
  readonly #buffer = Buffer.allocUnsafe(PIECE);

  /** Compressed bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Compresses a piece. Pieces of some 100 kB compress as well as the whole text. */
  write(text: string): void {
    for (let at = 0; at < text.length;) {
      const { read, written } = encoder.encodeInto(text.slice(at), this.#buffer);
      this.#compress(this.#buffer.subarray(0, written));
      at += read;
    }
  }

  /** The gzip of the whole text. */
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

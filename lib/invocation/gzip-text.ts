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
  /** The next piece; a new buffer for each would be garbage faster than it is collected. */
  readonly #piece = Buffer.allocUnsafe(PIECE);
  /** Bytes of the next piece so far. */
  #pending = 0;

  /** Compressed bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of text that wait for the rest of their piece. */
  get pending(): number {
    return this.#pending;
  }

  /** Adds text. It is compressed in pieces: some 100 kB compress as well as the whole. */
  write(text: string): void {
    for (let at = 0; ;) {
      const { read, written } = encoder.encodeInto(text.slice(at), this.#piece.subarray(this.#pending));
      this.#pending += written;
      at += read;
      if (at === text.length) return;
      this.#compress();
    }
  }

  /** The gzip of the whole text. */
  end(): Buffer {
    this.#compress();
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#checksum);
    trailer.writeUInt32LE(this.#textBytes, 4);
    this.#push(LAST_BLOCK);
    this.#push(trailer);
    return Buffer.concat(this.#chunks);
  }

  #compress(): void {
    const piece = this.#piece.subarray(0, this.#pending);
    this.#pending = 0;
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

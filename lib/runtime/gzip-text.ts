import { constants, createGzip } from 'node:zlib';

/**
 * Text that is compressed as it comes, so that only its gzip stays in memory.
 *
 * @example
 * const text = new GzipText();
 * await text.write('[1,');
 * await text.write('2]');
 * gunzipSync(await text.end()).toString(); // '[1,2]'
 */
export class GzipText {
  readonly #gzip = createGzip();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor() {
    this.#gzip.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
    });
  }

  /** Bytes of all that was written, compressed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when it is compressed. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#gzip.once('error', reject);
      this.#gzip.write(text);
      this.#gzip.flush(constants.Z_SYNC_FLUSH, () => {
        this.#gzip.off('error', reject);
        resolve();
      });
    });
  }

  /** The gzip of all that was written. */
  end(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#gzip.once('error', reject);
      this.#gzip.once('end', () => resolve(Buffer.concat(this.#chunks)));
      this.#gzip.end();
    });
  }
}

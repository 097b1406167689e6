import { promisify } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

const MB = 1024 * 1024;
/** The largest body in bytes, compressed or not. The largest data models have a fifth of that. */
const MAX_BODY_BYTES = 64 * MB;
/** Parsed records take up to twelve times as much memory as their text, which is there as bytes and as text, too. */
const PARTS_OF_HEAP = 18;
const limitMb = Math.min(MAX_BODY_BYTES / MB, Math.floor(getHeapStatistics().heap_size_limit / MB / PARTS_OF_HEAP));
/** The largest body of this function: 30 MB with 512 MB of memory. */
export const BODY_LIMIT = limitMb * MB;
/** What a longer body is, for errors, and what helps. */
export const TOO_LONG = {
  how: `with a body over ${limitMb} MB`,
  hint: `Narrow the call${BODY_LIMIT < MAX_BODY_BYTES ? ', or give the function more memory' : ''}.`,
};
/** The supported encodings, for `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const MAX_LAYERS = 3;
const BOUND = { maxOutputLength: BODY_LIMIT };
const decoders: Record<string, (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => promisify<Buffer, object, Buffer>(gunzip)(body, BOUND),
  br: (body) => promisify<Buffer, object, Buffer>(brotliDecompress)(body, BOUND),
  // Some servers send deflate without its header
  deflate: (body) => promisify<Buffer, object, Buffer>((body[0]! & 0x0f) === 8 ? inflate : inflateRaw)(body, BOUND),
};

/**
 * Undoes the `Content-Encoding` of a whole body. One that is cut short, or longer than `BODY_LIMIT`, is an error.
 *
 * @returns undefined for an unknown encoding
 */
export async function decompress(body: Buffer, encoding: string): Promise<Buffer | undefined> {
  const layers = encoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim().replace(/^x-/, ''))
    .filter((layer) => layer !== '' && layer !== 'identity');
  if (layers.length > MAX_LAYERS || !layers.every((layer) => Object.hasOwn(decoders, layer))) return undefined;
  let decoded = body;
  for (const layer of layers.reverse()) if (decoded.length > 0) decoded = await decoders[layer]!(decoded);
  return decoded;
}

import { promisify } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

const MB = 1024 * 1024;
/**
 * The largest body in megabytes, compressed or not: an eighteenth of the heap, which is 30 in a function of 512 MB,
 * because parsed records take up to twelve times as much as their text; 64 at most. The largest data models have 13.
 */
const MAX_BODY_MB = Math.min(64, Math.floor(getHeapStatistics().heap_size_limit / MB / 18));
export const MAX_BODY_BYTES = MAX_BODY_MB * MB;
/** What a longer body is, for errors, and what helps. */
export const TOO_LONG = {
  how: `with a body over ${MAX_BODY_MB} MB`,
  hint: `Narrow the call${MAX_BODY_MB < 64 ? ', or give the function more memory' : ''}.`,
};
/** The supported encodings, for `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const MAX_LAYERS = 3;
const BOUND = { maxOutputLength: MAX_BODY_BYTES };
const decoders: Record<string, (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => promisify<Buffer, object, Buffer>(gunzip)(body, BOUND),
  br: (body) => promisify<Buffer, object, Buffer>(brotliDecompress)(body, BOUND),
  // Some servers send deflate without its header
  deflate: (body) => promisify<Buffer, object, Buffer>((body[0]! & 0x0f) === 8 ? inflate : inflateRaw)(body, BOUND),
};

/**
 * Undoes the `Content-Encoding` of a whole body. One that is cut short, or longer than `MAX_BODY_BYTES`, is an error.
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

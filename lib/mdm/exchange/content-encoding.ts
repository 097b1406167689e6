import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

/** The largest body in bytes, compressed or not. The largest data models have a fifth of that. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
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
 * Undoes the `Content-Encoding` of a whole body. A body that is cut short, or larger than 64 MB, is an error.
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

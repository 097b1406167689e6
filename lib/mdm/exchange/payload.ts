import { decodeOnce } from '../masking/decoding.ts';
import type { HttpResponse } from './http-response.ts';
import { charsetOf, readJson } from './response.ts';

/** How much of a text is split into words; for the rest, pieces are masked. */
const MAX_TEXT = 64 * 1024;

/** The values in a caller's body, for masking: those of JSON, or the words of other text. */
export function valuesOf(body: unknown): unknown {
  if (typeof body !== 'string') return [body];
  try {
    return [JSON.parse(body)];
  } catch {
    const words = body.slice(0, MAX_TEXT).split(/[\s&=;,<>"']+/);
    return [...words, ...words.map(decodeOnce), body];
  }
}

/** A body of the API: JSON or text by its content type, if nothing is lost; otherwise bytes; null if it is empty. */
export function readPayload(response: HttpResponse): unknown {
  const contentType = response.headers.get('content-type') ?? '';
  const { body } = response;
  if (body.length === 0) return null;
  const bytes = () => ({ base64: body.toString('base64'), contentType });
  if (response.headers.get('content-encoding') !== null) return bytes(); // an encoding that this client does not know
  if (/[/+]json\s*(;|$)/i.test(contentType)) return readJson(response);
  if (/^text\/|[/+]xml\b/i.test(contentType)) return decodeText(response) ?? bytes();
  return bytes();
}

/** Text in its declared charset; undefined if it is invalid there. */
function decodeText(response: HttpResponse): string | undefined {
  const charset = charsetOf(response) ?? declaredCharset(response.body) ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(response.body);
  } catch {
    return undefined;
  }
}

/** `<?xml version="1.0" encoding="ISO-8859-1"?>` */
function declaredCharset(body: Buffer): string | undefined {
  return /^<\?xml[^>]{0,100}?\sencoding=["']([\w.:-]+)["']/.exec(body.toString('latin1', 0, 200))?.[1];
}

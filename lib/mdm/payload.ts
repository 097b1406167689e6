<<<<<<< HEAD
import { decodeOnce } from './decoding.ts';
import { ConnectorError } from '../core/errors.ts';
import type { HttpResponse } from './http-response.ts';
import { charsetOf, readJson } from './response.ts';

/** How much of a text is taken apart; of the rest, pieces are found. */
const MAX_TEXT = 64 * 1024;

/** A body of the caller's: text as it is, anything else as JSON. */
export function writeBody(body: unknown): string {
  if (typeof body === 'string') return body;
  try {
    return JSON.stringify(body);
  } catch {
    throw new ConnectorError('MDM:CLIENT_ERROR', '/body is nested too deeply', {
      faults: [{ pointer: '/body', message: 'is nested too deeply' }],
    });
  }
}

/** The values in a body of the caller's, for masking: of JSON as they are, of other text its words. */
export function valuesOf(body: unknown): unknown {
  if (typeof body !== 'string') return [body];
  try {
    return [JSON.parse(body)];
  } catch {
    const words = body.slice(0, MAX_TEXT).split(/[\s&=;,<>"']+/);
    return [...words, ...words.map(decodeOnce), body];
  }
}

/** A body of the API's: JSON or text where its content type says so and nothing of it is lost, nothing, or bytes. */
export function readPayload(response: HttpResponse): unknown {
  const contentType = response.headers.get('content-type') ?? '';
  const { body } = response;
  if (body.length === 0) return null;
  const bytes = () => ({ base64: body.toString('base64'), contentType });
  if (response.headers.get('content-encoding') !== null) return bytes(); // one that this client cannot undo
  if (/[/+]json\b/i.test(contentType)) return readJson(response);
  if (/^text\/|[/+]xml\b/i.test(contentType)) return decodeText(response) ?? bytes();
  return bytes();
}

/** Text in the charset that it claims, or undefined where it does not fit. */
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
=======
import { readJson, textOf } from './response.ts';
import type { HttpResponse } from './transport.ts';

/** A body of the API's, in the form that its content type tells: JSON, text, nothing, or bytes. */
export function readPayload(answer: HttpResponse): unknown {
  const contentType = answer.headers.get('content-type') ?? '';
  if (answer.body.length === 0) return null;
  if (/[/+]json\b/i.test(contentType)) return readJson(answer);
  if (/^text\/|[/+]xml\b/i.test(contentType)) return textOf(answer);
  return { base64: answer.body.toString('base64'), contentType };
>>>>>>> 0351fc9 (mdm: bytes in http-request, paged relationships, data models as tenants write them; a sandbox that groups records)
}

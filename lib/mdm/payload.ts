import { ConnectorError } from '../core/errors.ts';
import { readJson, textOf } from './response.ts';
import type { HttpResponse } from './transport.ts';

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

/** A body of the API's, in the form that its content type tells: JSON, text, nothing, or bytes. */
export function readPayload(answer: HttpResponse): unknown {
  const contentType = answer.headers.get('content-type') ?? '';
  if (answer.body.length === 0) return null;
  if (/[/+]json\b/i.test(contentType)) return readJson(answer);
  if (/^text\/|[/+]xml\b/i.test(contentType)) return textOf(answer);
  return { base64: answer.body.toString('base64'), contentType };
}

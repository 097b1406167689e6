import type { Body, QueryValue } from '../../contract/parameters/http.ts';
import { refuse } from '../../contract/refusals.ts';

/** The body to send, and its content type. */
export interface WrittenBody {
  readonly body?: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The body of a caller: text unchanged, `{base64, contentType}` as bytes, any other value as JSON.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` for incomplete base64, and for JSON nested too deeply.
 * @example
 * writeBody({ base64: 'JVBERg==', contentType: 'application/pdf' }).body // the four bytes %PDF
 */
export function writeBody(body: Body): WrittenBody {
  if (body === undefined || typeof body === 'string') return { body, headers: {} };
  if (isBinary(body)) {
    const bytes = Buffer.from(body.base64, 'base64');
    if (body.base64.replace(/=+$/, '').length % 4 === 1) fail('/body/base64', 'must be base64');
    return { body: bytes, headers: { 'content-type': body.contentType || 'application/octet-stream' } };
  }
  try {
    return { body: JSON.stringify(body), headers: {} };
  } catch {
    return fail('/body', 'is nested too deeply');
  }
}

/** Query parameters as text. A list repeats its name. */
export function writeQuery(query: Readonly<Record<string, QueryValue | QueryValue[]>> = {}): Record<string, string[]> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().map(String)]));
}

/** Whether a body has the form of bytes: exactly these two members, whose types the contract has checked. */
function isBinary(body: unknown): body is { base64: string; contentType: string } {
  if (typeof body !== 'object' || body === null) return false;
  return Object.keys(body).length === 2 && 'base64' in body && 'contentType' in body;
}

function fail(pointer: string, message: string): never {
  throw refuse('mdm', [{ pointer, message }]);
}

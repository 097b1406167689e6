import { ConnectorError } from '../core/errors.ts';
import { parseExact } from '../core/json.ts';
import type { HttpResponse } from './transport.ts';

type Json = Record<string, unknown>;

/** Headers that carry the request id, in the order they are looked for; which one a service sends is not documented. */
const REQUEST_ID_HEADERS = ['infa-request-id', 'x-request-id', 'tracking-id'];

/**
 * The JSON of a successful answer, every number exact.
 *
 * @throws {ConnectorError} `MDM:SERVER_ERROR` when the body is not JSON.
 */
export function readJson(answer: HttpResponse): unknown {
  try {
    return parseExact(textOf(answer));
  } catch {
    throw new ConnectorError('MDM:SERVER_ERROR', 'The master data API answered with a body that is not JSON', {
      upstreamStatus: answer.status,
      upstreamRequestId: requestIdOf(answer),
    });
  }
}

/** The JSON of a successful answer that must be an object. */
export function readObject(answer: HttpResponse): Json {
  const value = readJson(answer);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new ConnectorError('MDM:SERVER_ERROR', 'The master data API answered with JSON of another shape', {
    upstreamStatus: answer.status,
    upstreamRequestId: requestIdOf(answer),
  });
}

/** The request id: of a header, else of the body. */
export function requestIdOf(answer: HttpResponse, body: unknown = undefined): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const value = answer.headers.get(name);
    if (value) return value;
  }
  const { requestId, errorId, error } = (body ?? {}) as { requestId?: unknown; errorId?: unknown; error?: Json };
  const id = requestId ?? errorId ?? error?.requestId;
  return typeof id === 'string' ? id : undefined;
}

export function textOf({ body }: HttpResponse): string {
  return new TextDecoder().decode(body);
}

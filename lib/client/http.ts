import { isErrorType, type Problem } from '../core/problem.ts';
import { retryAfterOf } from '../core/retry-after.ts';
import { brokenFunction, OperationError, operationError, transportError } from './error.ts';
import type { Transport } from './transport.ts';

export interface HttpTransportOptions {
  /**
   * Address of the HTTP API, with the stage's path if it has one: `https://abc.execute-api.eu-central-1.amazonaws.com`.
   */
  url: string;
  /** Sends the request. Default: the global `fetch`. To sign requests (SigV4) or add a token, pass your own. */
  fetch?: (url: string, init: HttpRequest) => Promise<Response>;
  /** Headers of every request, such as `authorization`. */
  headers?: Record<string, string>;
}

/** The request for `fetch`. */
export interface HttpRequest {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
}

/** Error code of `fetch` for an invalid `url`, which is permanent. */
const INVALID_URL = 'ERR_INVALID_URL';
/** Error codes of `fetch` for a request that was not sent. */
const UNSENT = new Set([INVALID_URL, 'ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);
/** Statuses of API Gateway, or of a proxy, after which the same call may succeed. */
const RETRYABLE_STATUS = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Calls operations through the HTTP API.
 *
 * @example
 * const client = createClient(httpTransport({ url: 'http://localhost:3000' }));
 */
export function httpTransport({ url, fetch = globalThis.fetch, headers = {} }: HttpTransportOptions): Transport {
  const base = url.replace(/\/+$/, '');
  return {
    async send(operation, payload, signal) {
      const request: HttpRequest = {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: payload,
        ...(signal && { signal }),
      };
      try {
        const response = await fetch(`${base}/${operation.replace('-', '/')}`, request);
        const text = await response.text();
        if (response.ok) return text;
        throw errorOf(operation, response, text);
      } catch (error) {
        if (error instanceof OperationError) throw error;
        const { message, cause } = error as Error & { cause?: Error & { code?: string } };
        const code = cause?.code ?? '';
        throw transportError(operation, `No response over HTTP: ${cause?.message || message}`, {
          status: 503,
          retryable: code !== INVALID_URL,
          outcome: UNSENT.has(code) ? 'not-sent' : 'unknown',
          cause: error,
        });
      }
    },
  };
}

function errorOf(operation: string, { status, headers }: Response, text: string): OperationError {
  const body = parse(text);
  if (typeof body?.type === 'string' && isErrorType(body.type)) return operationError(operation, body as Problem);
  const requestId = headers.get('apigw-requestid') ?? undefined;
  // not an operation's response: 500 if the function failed, otherwise API Gateway's own refusal, or no such route
  if (status === 500) return brokenFunction(operation, 'The function broke; its log says why', requestId);
  const reason = body?.detail ?? body?.message;
  const said = typeof reason === 'string' ? `: ${reason}` : '';
  return transportError(operation, `The HTTP API responded ${status}${said}`, {
    status,
    retryable: RETRYABLE_STATUS.has(status),
    outcome: status < 500 && status !== 408 ? 'not-sent' : 'unknown', // API Gateway refused it before the function ran
    retryAfterMs: retryAfterOf(headers.get('retry-after')),
    requestId,
  });
}

function parse(text: string): { type?: unknown; message?: unknown; detail?: unknown } | undefined {
  try {
    return JSON.parse(text) as { type?: unknown };
  } catch {
    return undefined;
  }
}

import { describeCause } from '../../contract/causes.ts';
import { ConnectorError } from '../../core/errors.ts';
import { parseExact } from '../../core/json.ts';
import { isNestedDeeper } from './depth.ts';
import { serviceNameFirst, textsOf } from './service-name.ts';
import { maskSecrets, SHORTEST_IN_CODE } from '../masking/masking.ts';
import type { HttpResponse } from './http-response.ts';

type Json = Record<string, unknown>;

/** Headers that may carry the request id, in order of preference; services do not document which they send. */
const REQUEST_ID_HEADERS = ['infa-request-id', 'x_infa_log_ctx', 'x-request-id', 'tracking-id'];
/** A request id that an operator can search for. */
export const REQUEST_ID = /^[\x21-\x7e]{1,256}$/;
/** Deeper than any record or data model, and far from exhausting the stack. */
const MAX_DEPTH = 1_000;
/** How much of a page is looked at, and of its title. */
const MAX_HTML = 16_384;
const MAX_TITLE = 100;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON of a successful response, with exact numbers.
 *
 * @throws {ConnectorError} `MDM:SERVER_ERROR` if the body is not JSON, wrongly encoded, or nested too deeply.
 */
export function readJson(response: HttpResponse): unknown {
  if (isNestedDeeper(response.body, MAX_DEPTH)) throw badBody(response, 'with JSON that is nested too deeply');
  try {
    return parseExact(decodeJson(response));
  } catch {
    if (isEmpty(response)) throw badBody(response, 'without a body');
    throw htmlInstead(response) ?? badBody(response, 'with a body that is not JSON');
  }
}

/** The JSON of a successful response that must be an object. */
export function readObject(response: HttpResponse): Json {
  const value = readJson(response);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
  if (isObject) return value as Json;
  throw badBody(response, 'with JSON of another shape');
}

/** A longer body is not searched for text. */
const MAX_BLANK = 8;

/** Whether a response has no body, or a blank one. */
export const isEmpty = ({ body }: HttpResponse) => body.length <= MAX_BLANK && body.toString('latin1').trim() === '';

/** The request id, from a header or from the body. */
export function requestIdOf(response: Pick<HttpResponse, 'headers'>, body?: unknown): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const value = response.headers.get(name);
    if (value) return /(?:^|[\s;,])req_id=([^\s;,]+)/.exec(value)?.[1] ?? value;
  }
  const { requestId, errorId, error } = (body ?? {}) as { requestId?: unknown; errorId?: unknown; error?: Json };
  const id = requestId ?? errorId ?? error?.requestId;
  return typeof id === 'string' ? id : undefined;
}

/**
 * The request id, for the error of a response that cannot be read, unless it repeats a part of the request's address,
 * which may be a key.
 */
export function requestIdOfError(response: Pick<HttpResponse, 'headers' | 'request'>): string | undefined {
  const id = requestIdOf(response) ?? '';
  const texts = response.request ? textsOf(response.request) : [];
  const isShown = REQUEST_ID.test(id) && !texts.includes(id) && maskSecrets(id, texts, SHORTEST_IN_CODE) === id;
  return isShown ? id : undefined;
}

/** The body as text with invalid bytes replaced, for descriptions only. */
export function textOf({ body }: HttpResponse): string {
  return new TextDecoder().decode(body);
}

/** The charset of a content type, in lower case. */
export function charsetOf({ headers }: HttpResponse): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers.get('content-type') ?? '')?.[1]?.toLowerCase();
}

function decodeJson(response: HttpResponse): string {
  const charset = charsetOf(response);
  const decoder = charset === undefined || /^utf-?8/.test(charset) ? utf8 : decoderOf(charset);
  return decoder.decode(response.body);
}

/** JSON is UTF-8 whatever an unknown label says (RFC 8259). */
function decoderOf(charset: string): typeof utf8 {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return utf8;
  }
}

/** The error for an HTML page in place of JSON; undefined for any other body. */
function htmlInstead(response: HttpResponse): ConnectorError | undefined {
  const text = textOf(response).slice(0, MAX_HTML);
  const isHtml = /^\s*<(!doctype html|html|head|body)\b/i.test(text);
  if (!isHtml) return undefined;
  const { detail, hint } = describeCause('mdm-html', {
    place: serviceNameFirst(response.request),
    title: titleOf(text, response),
  });
  const options = { upstreamStatus: response.status, upstreamRequestId: requestIdOfError(response), hint };
  return new ConnectorError('MDM:SERVER_ERROR', detail, options);
}

/** The title of a page, unless it repeats a part of the request, which may be a key. */
function titleOf(html: string, { request }: HttpResponse): string {
  const title = /<title[^>]*>([^<]{1,500})/i.exec(html)?.[1]?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
  const isRevealing = request && textsOf(request).some((text) => title?.includes(text));
  return title && !isRevealing ? `, title “${title}”` : '';
}

/** The error for a success whose body is not what it should be. @param how `with JSON of another shape` */
export function badBody(response: HttpResponse, how: string): ConnectorError {
  return new ConnectorError('MDM:SERVER_ERROR', `The master data API answered ${how}`, {
    upstreamStatus: response.status,
    upstreamRequestId: requestIdOfError(response),
  });
}

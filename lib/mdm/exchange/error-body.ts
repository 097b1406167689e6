import type { HttpResponse } from './http-response.ts';
import { charsetOf, requestIdOf } from './response.ts';

/** The known parts of an error response, not masked. */
export interface ErrorBody {
  readonly code?: string;
  readonly requestId?: string;
  /** The responder's own description; empty if there is none. */
  readonly description: string;
}

/** A member of any body. */
type Json = Record<string, unknown>;

/** Larger than any error, but small enough to parse without delaying other calls. */
const MAX_BODY = 8 * 1024 * 1024;
const MARKUP = /^\s*<[!?a-z]/i;
const CODE = /^[\w.:-]{1,64}$/;
/** A request id that an operator can search for. */
const REQUEST_ID = /^[\x21-\x7e]{1,256}$/;
/** Members that describe an error, the most specific first: the API's own, RFC 9457, and others. */
const SENTENCES = ['errorSummary', 'description', 'message', 'detail', 'error_description', 'title'];

/** Reads JSON of known shapes, and plain text. HTML pages of gateways say nothing useful. */
export function readErrorBody(response: HttpResponse): ErrorBody {
  const text = textOf(response);
  const json = parse(text);
  const requestId = requestIdOf(response, json) ?? '';
  return {
    code: json && codeOf(json),
    requestId: REQUEST_ID.test(requestId) ? requestId : undefined,
    description: json ? descriptionOf(json) : isPlainText(response) ? text : '',
  };
}

/** Members that only a record, or the response to its change, has. */
const OF_RECORDS = ['_meta', 'id', 'businessId', 'approvalRequired'];

/** Whether a body is an error and no record: it has a code or an `error`, and a message. */
export function holdsError(response: HttpResponse): boolean {
  if (response.body.length === 0) return false;
  const json = parse(textOf(response));
  if (!json || OF_RECORDS.some((name) => name in json)) return false;
  const { errorCode, error } = json;
  const isNamed = [errorCode, error].some((value) => value !== undefined && value !== null && value !== false);
  return isNamed && descriptionOf(json) !== '';
}

const isPlainText = ({ headers }: HttpResponse) => /^\s*text\/plain\b/i.test(headers.get('content-type') ?? '');

/** The body as text in its charset, with invalid bytes replaced; empty for markup. */
function textOf(response: HttpResponse): string {
  if (response.body.length > MAX_BODY) return '';
  const text = decode(response.body, charsetOf(response));
  return MARKUP.test(text) ? '' : text;
}

function decode(body: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body); // unknown charset
  }
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return { message: value };
    if (Array.isArray(value)) return { errors: value };
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(body: Json): string | undefined {
  const { errorCode, code, error, errors } = body;
  const [first] = listOf(errors);
  const found = [errorCode, code, memberOf(error, 'code'), memberOf(first, 'errorCode'), memberOf(first, 'code')];
  return found.find((value): value is string => typeof value === 'string' && CODE.test(value));
}

function descriptionOf(body: Json): string {
  const { error, errors, errorDetail } = body;
  const whole = sentenceOf(body) ?? sentenceOf(error);
  const parts = [...listOf(memberOf(errorDetail, 'details')), ...listOf(errors)].map(sentenceOf);
  return [...new Set([whole, ...parts])].filter((line) => line !== undefined).join('; ');
}

/** The description in an error or in a part of one: a text, or an object that has one. */
function sentenceOf(part: unknown): string | undefined {
  const found = typeof part === 'string' ? [part] : SENTENCES.map((name) => memberOf(part, name));
  return found.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Json)[name] : undefined;

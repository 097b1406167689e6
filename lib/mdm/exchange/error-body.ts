import type { UpstreamError } from '../../core/errors.ts';
import type { HttpResponse } from './http-response.ts';
import { charsetOf, REQUEST_ID, requestIdOf } from './response.ts';

/** The known parts of an error response, not masked. */
export interface ErrorBody {
  readonly code?: string;
  readonly requestId?: string;
  /** The responder's own description; empty if there is none. */
  readonly description: string;
  /** What it found wrong, part by part. */
  readonly parts: readonly UpstreamError[];
}

/** A member of any body. */
type Json = Record<string, unknown>;

/** Larger than any error, but small enough to parse without delaying other calls. */
const MAX_BODY = 8 * 1024 * 1024;
/** How many parts of an error are read. */
const MAX_PARTS = 50;
const MARKUP = /^\s*<[!?a-z]/i;
const CODE = /^[\w.:-]{1,64}$/;
/** Members that describe an error, the most specific first: the API's own, RFC 9457, and others. */
const SENTENCES = ['errorSummary', 'description', 'message', 'errorMessage', 'detail', 'error_description', 'title'];

/** Reads JSON of known shapes, and plain text. HTML pages of gateways say nothing useful. */
export function readErrorBody(response: HttpResponse): ErrorBody {
  const text = textOf(response);
  const json = parse(text);
  const requestId = requestIdOf(response, json) ?? '';
  return {
    code: json && codeOf(json),
    requestId: REQUEST_ID.test(requestId) ? requestId : undefined,
    description: json ? descriptionOf(json) : isPlainText(response) ? text : '',
    parts: json ? partsOf(json) : [],
  };
}

/** Members of a record, of the response to its change, and of a list. An error has none. */
const RESULT_FIELDS = ['_meta', 'id', 'businessId', 'approvalRequired', 'content', 'records', 'searchResult'];

/** Whether a body is an error and no result: it has a code or an `error`, and a message. */
export function holdsError(response: HttpResponse): boolean {
  if (!response.body.includes('"error')) return false; // nearly all successes, which need not be parsed for this
  const json = parse(textOf(response));
  if (!json || RESULT_FIELDS.some((name) => name in json)) return false;
  const { errorCode, error } = json;
  return (isNamed(errorCode) || isNamed(error)) && descriptionOf(json) !== '';
}

/** Whether a code or an `error` names an error: some services write an empty one, or 0, for none. */
function isNamed(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) && value !== '0';
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
  const { error } = body;
  const [first] = partsOf(body);
  const [own, inner] = [body, error].map((part) => textOfCode(memberOf(part, 'errorCode') ?? memberOf(part, 'code')));
  return own ?? inner ?? first?.code;
}

/** A code, which some services write as a number. */
function textOfCode(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && CODE.test(text) ? text : undefined;
}

function descriptionOf(body: Json): string {
  const { error } = body;
  const whole = sentenceOf(body) ?? sentenceOf(error);
  return [...new Set([whole, ...partsOf(body).map(({ message }) => message)])]
    .filter((line) => line !== undefined)
    .join('; ');
}

/** Members that hold the parts of an error: a list, a text, or an object of lists by field. */
const PARTS = ['errorDetail', 'errorDetails', 'details', 'errors'];
/** `{details: [{…}]}` and `{field: [text]}` have two levels. */
const DEEPEST_PART = 3;
/** Members that name the field of a part. */
const FIELDS = ['field', 'fieldName', 'path', 'pointer'];

function partsOf(body: Json): UpstreamError[] {
  const holders = [body, body.error];
  return holders.flatMap((holder) => PARTS.flatMap((name) => partsIn(memberOf(holder, name)))).slice(0, MAX_PARTS);
}

function partsIn(value: unknown, field?: string, depth = 0): UpstreamError[] {
  if (depth > DEEPEST_PART) return [];
  const inner = (item: unknown, name = field) => partsIn(item, name, depth + 1);
  if (Array.isArray(value)) return value.slice(0, MAX_PARTS).flatMap((item) => inner(item));
  const message = sentenceOf(value);
  if (message !== undefined) {
    const named = FIELDS.map((name) => memberOf(value, name)).find((text) => typeof text === 'string') ?? field;
    const code = textOfCode(memberOf(value, 'code') ?? memberOf(value, 'errorCode'));
    return [{ ...(code !== undefined && { code }), ...(named !== undefined && { field: named }), message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const { details } = value as Json;
  if (details !== undefined) return inner(details);
  return Object.entries(value)
    .slice(0, MAX_PARTS)
    .flatMap(([name, texts]) => (Array.isArray(texts) ? inner(texts, name) : []));
}

/** The description in an error or in a part of one: a text, or an object that has one. */
function sentenceOf(part: unknown): string | undefined {
  const found = typeof part === 'string' ? [part] : SENTENCES.map((name) => memberOf(part, name));
  return found.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Json)[name] : undefined;

import Type from 'typebox';
import { choiceOf } from '../alternatives.ts';
import { rule } from '../operation.ts';

const anyCase = (name: string) => name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** Headers that only the connector sets: session, credentials, host, framing, and whom a request is forwarded for. */
const PROTECTED = [
  'ids-session-id',
  'infa-session-id',
  'icsessionid',
  'authorization',
  'proxy-.*',
  'cookie2?',
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'forwarded',
  'x-forwarded-.*',
].map(anyCase);

/** A percent sign, encoded however often. */
const PERCENT = '%(25)*';
const SLASH = `(/|\\\\|${PERCENT}(2[fF]|5[cC]))`;
const DOT = `(\\.|${PERCENT}2[eE])`;
/** URLs lose the spaces at their end, services those around a name: `/.. ` would become `/..`, and that its parent. */
const SPACES = `( |${PERCENT}20)*`;
const CONTROL = `(\\p{Cc}|${PERCENT}([01][0-9a-fA-F]|7[fF]))`;

export const ApiPath = Type.Unsafe<string>({
  type: 'string',
  maxLength: 8000,
  description: 'Path under the base URL, with its first slash; reserved and non-ASCII characters percent-encoded.',
  allOf: [
    rule({ pattern: '^/(?!/)' }, 'must begin with one slash: a path of the API, not a URL'),
    rule({ not: { pattern: ' $' } }, 'must have no space at its end: encode it as %20'),
    rule(
      { not: { pattern: `${SLASH}${SPACES}${DOT}{1,2}${SPACES}(;[^/]*)?(${SLASH}|$)` } },
      'must have no dot segments',
    ),
    rule(
      { pattern: `^((?!${CONTROL})[^\\\\?#\\p{Cs}])*$` },
      'must have no control characters, \\, ? or #; put the query into `query`',
    ),
  ],
});

const Text = Type.String({ pattern: '^\\P{Cs}*$', 'x-message': 'must be text in well-formed Unicode' });

/** A value of a query; numbers and booleans are written as in JSON. */
export type QueryValue = string | number | boolean;

const queryValues = [Text, Type.Number(), Type.Boolean()];

export const Query = Type.Unsafe<Record<string, QueryValue | QueryValue[]>>({
  type: 'object',
  propertyNames: { pattern: '^\\P{Cs}+$', 'x-message': 'has a name that is empty or not well-formed Unicode' },
  additionalProperties: {
    anyOf: [...queryValues, Type.Array(Type.Union(queryValues))],
    'x-message': 'must be text, a number up to 2^53, a boolean, or a list of them',
  },
  description: 'Query parameters; a list repeats its parameter.',
});

/** Any JSON value; text is sent as it is. */
export type Body = unknown;

export const RequestBody = Type.Unsafe<Body>({
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  description: 'Text is sent as it is, `{base64, contentType}` as bytes, anything else as JSON.',
  items: {},
  additionalProperties: true,
  if: {
    type: 'object',
    properties: { base64: {}, contentType: {} },
    required: ['base64', 'contentType'],
    maxProperties: 2,
  },
  then: {
    properties: {
      base64: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$', 'x-message': 'must be base64' },
      contentType: {
        type: 'string',
        pattern: '^[\\t -~]*$',
        'x-message': 'must be a content type in printable ASCII',
      },
    },
  },
});

export const RequestHeaders = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: {
    allOf: [
      rule({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }, 'has a name that no header can have'),
      rule({ not: { pattern: `^(${PROTECTED.join('|')})$` } }, 'has a header that only the connector sets'),
    ],
  },
  additionalProperties: {
    type: 'string',
    pattern: '^[\\t\\x20-\\x7e]*$',
    'x-message': 'must be printable ASCII',
  },
  description: 'Request headers, except those of session, credentials, host, framing and forwarding (`x-forwarded-…`).',
});

const GET = { enum: ['GET', 'HEAD'] };

/** The HTTP client refuses to send a body with GET and HEAD. */
export const noBodyWithGet = choiceOf(
  [
    { optional: ['body'], narrowed: { method: { enum: ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] } } },
    { narrowed: { method: GET } },
  ],
  [
    rule(
      { if: { properties: { method: GET }, required: ['method'] }, then: { not: { required: ['body'] } } },
      'must have no body with GET and HEAD',
    ),
  ],
);

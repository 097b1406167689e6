import Type from 'typebox';
import { choiceOf } from '../alternatives.ts';
import { rule, withDefault } from '../operation.ts';

const anyCase = (name: string) => name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** Headers that only the connector sets: session, credentials, host, framing and forwarding. */
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

/** A percent sign, encoded any number of times. */
const PERCENT = '%(25)*';
const SLASH = `(/|\\\\|${PERCENT}(2[fF]|5[cC]))`;
const DOT = `(\\.|${PERCENT}2[eE])`;
/** Servers of Java take what follows it in a segment for parameters: `..;a` is `..` to them. */
const SEMICOLON = `(;|${PERCENT}3[bB])`;
/** URLs lose trailing spaces, and services trim names: `/.. ` would become `/..`, and that the parent. */
const SPACES = `( |${PERCENT}20)*`;
const CONTROL = `(\\p{Cc}|${PERCENT}([01][0-9a-fA-F]|7[fF]))`;

export const ApiPath = Type.Unsafe<string>({
  type: 'string',
  'x-names': 'path',
  maxLength: 8000,
  description: 'Path under the base URL, starting with a slash. Percent-encode reserved and non-ASCII characters.',
  allOf: [
    rule({ pattern: '^/(?!/)' }, 'must begin with one slash: a path of the API, not a URL'),
    rule({ not: { pattern: ' $' } }, 'must have no space at its end: encode it as %20'),
    rule(
      { not: { pattern: `${SLASH}${SPACES}${DOT}{1,2}${SPACES}(${SEMICOLON}[^/]*)?(${SLASH}|$)` } },
      'must have no dot segments',
    ),
    rule(
      { pattern: `^((?!${CONTROL})[^\\\\?#\\p{Cs}])*$` },
      'must have no control characters, \\, ? or #; put the query into `query`',
    ),
  ],
});

const Text = Type.String({ pattern: '^\\P{Cs}*$', 'x-message': 'must be text in well-formed Unicode' });

/** A query value. Numbers and booleans are written as in JSON. */
export type QueryValue = string | number | boolean;

const queryValues = [Text, Type.Number(), Type.Boolean()];

export const ThrowOnError = withDefault(
  Type.Boolean({
    description:
      'Whether a status other than 2xx is an error. With `false` it is a result: read `attributes.statusCode`. ' +
      'Such a response is not retried. A renewed session and faults of the connection are as ever.',
  }),
  true,
);

export const Query = Type.Unsafe<Record<string, QueryValue | QueryValue[]>>({
  type: 'object',
  propertyNames: { pattern: '^\\P{Cs}+$', 'x-message': 'has a name that is empty or not well-formed Unicode' },
  additionalProperties: {
    anyOf: [...queryValues, Type.Array(Type.Union(queryValues))],
    'x-message': 'must be text, a number up to 2^53, a boolean, or a list of them',
  },
  description: 'Query parameters. A list repeats its parameter.',
});

/** Any JSON value. Text is sent unchanged. */
export type Body = unknown;

export const RequestBody = Type.Unsafe<Body>({
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  description: 'Request body. Text is sent unchanged, `{base64, contentType}` as bytes, and any other value as JSON.',
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
  description:
    'Request headers. Those of the session, credentials, host, framing and forwarding (`x-forwarded-…`) are refused.',
});

const GET = { enum: ['GET', 'HEAD'] };

/** The HTTP client sends no body with GET and HEAD. */
export const noBodyWithGet = choiceOf(
  [
    {
      name: 'RequestWithBody',
      optional: ['body'],
      narrowed: { method: { enum: ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] } },
    },
    { name: 'RequestWithoutBody', narrowed: { method: GET } },
  ],
  [
    rule(
      { if: { properties: { method: GET }, required: ['method'] }, then: { not: { required: ['body'] } } },
      'must have no body with GET and HEAD',
    ),
  ],
);

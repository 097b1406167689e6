import { isDeepStrictEqual } from 'node:util';
import * as mdm from '../../../lib/contract/parameters/mdm.ts';
import * as search from '../../../lib/contract/parameters/search.ts';
import * as stream from '../../../lib/contract/parameters/stream.ts';
import { ERROR_TYPES } from '../../../lib/core/errors.ts';
import { callerSchema, NOT_GIVEN, type Schema } from '../caller-schema.ts';

/** Schemas of the shared vocabulary that are worth a name: objects and lists, by their exported name. */
const SHARED = new Map(
  Object.entries({ ...mdm, ...search, ...stream }).flatMap(([name, value]) => {
    if (typeof value !== 'object' || !('type' in value)) return [];
    const schema = callerSchema(value);
    const isComposite = schema.oneOf ?? schema.properties ?? (schema.items && schema.type === 'array');
    return isComposite ? [[JSON.stringify(schema), { name, schema }] as const] : [];
  }),
);

/** The named schemas of a document; references to them are given out while it is made. */
export class Schemas {
  readonly named: Record<string, Schema> = { Problem, GatewayError, NotGiven };

  /** Names a schema, and gives a reference to it. */
  name(name: string, schema: Schema): Schema {
    this.named[name] = this.#withReferences(schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  #withReferences(schema: Schema): Schema {
    const walk = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(walk);
      if (typeof value !== 'object' || value === null) return value;
      if (isDeepStrictEqual(value, NOT_GIVEN)) return { $ref: '#/components/schemas/NotGiven' };
      const shared = SHARED.get(JSON.stringify(value));
      if (!shared) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item)]));
      this.named[shared.name] ??= Object.fromEntries(
        Object.entries(shared.schema).map(([name, item]) => [name, walk(item)]),
      );
      return { $ref: `#/components/schemas/${shared.name}` };
    };
    return walk(schema) as Schema;
  }
}

const text = (description: string) => ({ type: 'string', description });
const integer = (description: string) => ({ type: 'integer', description });

const Problem: Schema = {
  type: 'object',
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'requestId', 'retryable'],
  properties: {
    type: { type: 'string', enum: Object.keys(ERROR_TYPES), description: 'What went wrong.' },
    title: text('The same for every error of the type.'),
    status: integer('HTTP status.'),
    detail: text('What went wrong, for a person.'),
    requestId: text('Finds the call in the log.'),
    retryable: { type: 'boolean', description: 'Whether the same call may succeed later.' },
    retryAfterMs: integer('How long to wait before that, in milliseconds; also as `Retry-After`.'),
    upstreamStatus: integer('HTTP status that the master data API returned.'),
    upstreamCode: text("The API's error code, the code of a connection fault, or the first word of a Redis error."),
    upstreamRequestId: text('Request id of the master data API, for its support.'),
    errors: {
      type: 'array',
      description: 'Every fault of the input.',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: text('JSON Pointer into the input; empty for the whole.'),
          message: text('What is wrong.'),
        },
      },
    },
  },
};

const GatewayError: Schema = {
  type: 'object',
  description: 'What API Gateway responds with on its own: the operation did not run.',
  required: ['message'],
  properties: { message: text('What API Gateway says.') },
};

/** No value is text and null at once: generators make a type of it that takes none, as they do not of `not`. */
const NotGiven: Schema = {
  description: 'Cannot be given in this form of the input: it belongs to another one.',
  allOf: [{ type: 'string' }, { type: 'null' }],
};

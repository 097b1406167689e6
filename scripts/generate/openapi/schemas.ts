import { isDeepStrictEqual } from 'node:util';
import * as entry from '#lib/contract/parameters/entry.ts';
import * as mdm from '#lib/contract/parameters/mdm.ts';
import * as search from '#lib/contract/parameters/search.ts';
import * as streamInfo from '#lib/contract/parameters/stream-info.ts';
import * as stream from '#lib/contract/parameters/stream.ts';
import { ERROR_TYPES, OUTCOMES } from '#lib/core/errors.ts';
import { callerSchema, NOT_GIVEN, type Schema } from '../caller-schema.ts';

/** Shared schemas that get a name, their exported one: objects and lists. */
const SHARED = new Map(
  Object.entries({ ...entry, ...mdm, ...search, ...stream, ...streamInfo }).flatMap(([name, value]) => {
    if (typeof value !== 'object' || !('type' in value)) return [];
    const schema = callerSchema(value);
    const isComposite = schema.oneOf ?? schema.properties ?? (schema.items && schema.type === 'array');
    return isComposite ? [[JSON.stringify(schema), { name, schema }] as const] : [];
  }),
);

/** The named schemas of a document. */
export class Schemas {
  readonly named: Record<string, Schema> = { Problem, GatewayError, NotGiven };

  /** Names a schema, and returns a reference to it. */
  name(name: string, schema: Schema): Schema {
    this.named[name] = this.#inner(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A schema's contents with references to what has a name. `name` is that of the schema, or of its place. */
  #inner(name: string, schema: Schema): Schema {
    const walk = (place: string, value: unknown): unknown => {
      if (Array.isArray(value)) return value.map((item) => walk(place, item));
      return typeof value === 'object' && value !== null ? this.#reference(place, value as Schema) : value;
    };
    const entries = Object.entries(schema).map(([keyword, value]) => {
      if (keyword !== 'properties') return [keyword, walk(name, value)];
      const properties = Object.entries(value as Record<string, Schema>);
      return [keyword, Object.fromEntries(properties.map(([key, one]) => [key, walk(`${name}${capital(key)}`, one)]))];
    });
    return Object.fromEntries(entries) as Schema;
  }

  /** Forms get names of their own: several generators cannot keep apart what an unnamed one holds. */
  #reference(place: string, schema: Schema): Schema {
    if (isDeepStrictEqual(schema, NOT_GIVEN)) return { $ref: '#/components/schemas/NotGiven' };
    const { title, ...form } = schema;
    if (typeof title === 'string') return this.name(`${place}${title}`, form);
    const shared = SHARED.get(JSON.stringify(schema));
    if (!shared) return this.#inner(place, schema);
    this.named[shared.name] ??= this.#inner(shared.name, shared.schema);
    return { $ref: `#/components/schemas/${shared.name}` };
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const text = (description: string) => ({ type: 'string', description });
const integer = (description: string) => ({ type: 'integer', description });

const Problem: Schema = {
  type: 'object',
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'requestId', 'retryable', 'outcome'],
  properties: {
    type: { type: 'string', enum: Object.keys(ERROR_TYPES), description: 'What went wrong.' },
    title: text('Title of the type.'),
    status: integer('HTTP status.'),
    detail: text('What went wrong, for a person.'),
    hint: text('What most likely repairs it.'),
    requestId: text('Finds the call in the log.'),
    retryable: { type: 'boolean', description: 'Whether the same call may succeed later, and can do no harm.' },
    outcome: {
      type: 'string',
      enum: [...OUTCOMES],
      description: 'What the call did: nothing (`not-sent`, `refused`), or perhaps everything (`unknown`).',
    },
    retryAfterMs: integer('How long to wait first, in milliseconds; also as `Retry-After`.'),
    upstreamStatus: integer('HTTP status that the master data API returned.'),
    upstreamErrors: {
      type: 'array',
      maxItems: 50,
      description: 'What the API found wrong, part by part, without values of the record.',
      items: {
        type: 'object',
        properties: {
          code: text('Code of this part.'),
          field: text('The field, as the API names it.'),
          message: text('What is wrong.'),
        },
        required: ['message'],
        additionalProperties: false,
      },
    },
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
  description: 'An error of API Gateway itself: the operation did not run.',
  required: ['message'],
  properties: { message: text('The message of API Gateway.') },
};

/** No value is both text and null. Generators make a type of this that accepts nothing; of `not` they do not. */
const NotGiven: Schema = {
  description: 'Not allowed in this form of the input; it belongs to another form.',
  allOf: [{ type: 'string' }, { type: 'null' }],
};

import Type from 'typebox';
import { rule, withDefault } from '../operation.ts';
import { WELL_FORMED } from '../well-formed.ts';
import { Text } from './stream.ts';

const MAX_FIELDS = 100_000;

/** How entries are written: of every read, and of what is added. */
export const entryOptions = {
  format: withDefault(
    Type.Enum(['object', 'pairs'], {
      description:
        'Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.',
    }),
    'object',
  ),
  encoding: withDefault(
    Type.Enum(['utf8', 'base64'], {
      description: 'How names and values are written: `utf8` is text, `base64` keeps any bytes.',
    }),
    'utf8',
  ),
};

type Fields = Record<string, string>;
type Pairs = [name: string, value: string][];

const Base64 = {
  pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  'x-message': 'must be base64 with encoding "base64"',
};

/** Field-value pairs of an entry, in either form. */
export const Entry = Type.Unsafe<Fields | Pairs>({
  type: ['object', 'array'],
  minProperties: 1,
  maxProperties: MAX_FIELDS,
  propertyNames: { pattern: WELL_FORMED, 'x-message': 'has a name that is not well-formed Unicode' },
  additionalProperties: Text('Value of the field.'),
  minItems: 1,
  maxItems: MAX_FIELDS,
  items: {
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: Text('Name or value.'),
  },
  description: 'Field-value pairs, at least one; a list of pairs with `format: "pairs"`.',
});

/** Makes an addition repeatable. */
export const Idempotency = Type.Object(
  {
    producer: Text('Who adds the entry.', 1),
    id: Text(
      'What the entry is to the producer. While Redis remembers it, a repetition adds nothing and gives the first id.',
      1,
    ),
  },
  {
    additionalProperties: false,
    description: 'Adds the entry once, however often it is sent; needs `id` `*`. Redis 8.6 and newer.',
  },
);

export const idempotencyRule = rule(
  { anyOf: [{ not: { required: ['idempotency'] } }, { properties: { id: { const: '*' } } }] },
  'must have id * where it has idempotency',
);

/** Rules of an operation that adds entries: what `format` and `encoding` ask of them. `at` wraps the schema of one. */
export const entryRules = (at: (entry: object) => object) => [
  {
    if: { properties: { format: { const: 'pairs' } }, required: ['format'] },
    then: at({ type: 'array' }),
    else: at({ type: 'object' }),
  },
  {
    if: { properties: { encoding: { const: 'base64' } }, required: ['encoding'] },
    then: at({ propertyNames: Base64, additionalProperties: Base64, items: { items: Base64 } }),
  },
];

const EntryBody = Type.Unsafe<Fields | Pairs>({
  anyOf: [
    { type: 'object', additionalProperties: { type: 'string' } },
    {
      type: 'array',
      items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } },
      description: 'With `format: "pairs"`.',
    },
  ],
});

/** Entries by id, in the order of the stream. */
export const EntriesById = Type.Unsafe<Record<string, Fields | Pairs>>({
  type: 'object',
  additionalProperties: EntryBody,
  description: 'Field-value pairs by entry id, in the order they were read.',
});

/** An entry of a read; null where it was deleted while it was pending. */
export const StreamEntry = Type.Object(
  {
    id: Type.String(),
    entry: Type.Union([EntryBody, Type.Null()]),
    idleMs: Type.Optional(
      Type.Integer({ description: 'With `claimMinIdleMs`: milliseconds since the last delivery, 0 for a new entry.' }),
    ),
    deliveries: Type.Optional(
      Type.Integer({ description: 'With `claimMinIdleMs`: earlier deliveries, 0 for a new entry.' }),
    ),
  },
  { additionalProperties: false },
);

/** Entries by stream. */
export const EntriesByStream = Type.Unsafe<Record<string, Type.Static<typeof StreamEntry>[]>>({
  type: 'object',
  additionalProperties: { type: 'array', items: StreamEntry },
  description:
    'Entries by stream key; empty when there is nothing new. `entry` is null where the entry was deleted while it was pending.',
});

/** Entries that were claimed, or their ids. */
export const Claimed = Type.Union([
  Type.Array(StreamEntry, { description: 'Entries that are pending for the consumer now.' }),
  Type.Array(Type.String(), { description: 'With `justId`: their ids.' }),
]);

export const Autoclaimed = Type.Object({
  next: Type.String({ description: 'Where the next call goes on; `0-0` when all was looked at.' }),
  entries: Claimed,
  deletedIds: Type.Array(Type.String(), {
    description: 'Pending entries whose body had been deleted: they are pending no more.',
  }),
});

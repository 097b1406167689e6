import Type from 'typebox';
import { rule, withDefault } from '../operation.ts';
import { WELL_FORMED } from '../well-formed.ts';
import { Text } from './stream.ts';

const MAX_FIELDS = 100_000;

/** The form of entries, in every read and in additions. */
export const entryOptions = {
  format: withDefault(
    Type.Enum(['object', 'pairs'], {
      description:
        'Form of an entry: `object` has each field once; `pairs` (`[["tag","red"],["tag","blue"]]`) keeps ' +
        'repeated fields.',
    }),
    'object',
  ),
  encoding: withDefault(
    Type.Enum(['utf8', 'base64'], {
      description: 'Encoding of names and values: `utf8` is text; `base64` keeps any bytes.',
    }),
    'utf8',
  ),
};

type Fields = Record<string, string>;
type Pairs = [name: string, value: string][];

const Base64 = {
  pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
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
  description: 'Field-value pairs, at least one. With `format: "pairs"`, a list of pairs.',
});

/** Makes an XADD safe to repeat. */
export const Idempotency = Type.Object(
  {
    producer: Text('Who adds the entry.', 1),
    id: Text(
      "The producer's id of the entry. While Redis remembers it, a repeated call adds nothing and returns the " +
        'first id.',
      1,
    ),
  },
  {
    additionalProperties: false,
    description: 'Adds the entry once, however often you send it. Needs `id` `*`. Redis 8.6 and newer.',
  },
);

export const idempotencyRule = {
  dependentSchemas: { idempotency: { properties: { id: { const: '*', 'x-message': 'must be * with idempotency' } } } },
};

export const referencesRule = rule(
  { dependentRequired: { references: ['evictionOption'] } },
  'must have evictionOption with references: only evicted entries have them',
);

/** Rules of an operation that adds entries, from `format` and `encoding`. `at` wraps the schema of one entry. */
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

/** An entry of a read; null if it was deleted while it was pending. */
export const DeliveredEntry = Type.Object(
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
export const EntriesByStream = Type.Unsafe<Record<string, Type.Static<typeof DeliveredEntry>[]>>({
  type: 'object',
  additionalProperties: { type: 'array', items: DeliveredEntry },
  description:
    'Entries by stream key; empty if there is nothing new. `entry` is null if the entry was deleted while it ' +
    'was pending.',
});

/** Claimed entries, or their ids. */
export const Claimed = Type.Union([
  Type.Array(DeliveredEntry, { description: 'Entries that are now pending for the consumer.' }),
  Type.Array(Type.String(), { description: 'With `justId`: their ids.' }),
]);

export const Autoclaimed = Type.Object({
  next: Type.String({ description: '`start` of the next call; `0-0` at the end of the list.' }),
  entries: Claimed,
  deletedIds: Type.Array(Type.String(), {
    description: 'Pending entries whose body was deleted. They are no longer pending.',
  }),
});

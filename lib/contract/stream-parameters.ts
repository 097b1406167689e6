import Type from 'typebox';
import type { ExactNumber } from '../core/json.ts';
import { exactlyOneOf } from './alternatives.ts';
import { rule, withDefault } from './operation.ts';

/** A lone surrogate has no UTF-8 form: Redis would store something other than what was sent. */
const WELL_FORMED = '^\\P{Cs}*$';
const ID = '\\d{1,100}(-\\d{1,100})?';
const MAX_FIELDS = 100_000;
const MAX_IDS = 100_000;
const MAX_STREAMS = 1000;

const Text = (description: string, minLength = 0) =>
  Type.String({
    description,
    minLength,
    pattern: WELL_FORMED,
    'x-message': `must be text${minLength > 0 ? ', not empty,' : ''} in well-formed Unicode`,
  });

export const StreamKey = Text('Key of the stream: any text.');
export const GroupName = Text('Name of the consumer group.', 1);
export const ConsumerName = Text('Name of the consumer within the group.', 1);

const Id = (pattern: string, description: string, message: string) =>
  Type.String({ pattern: `^(${pattern})$`, description, 'x-message': `must be ${message}` });

export const EntryId = Id(ID, 'Entry id, `<milliseconds>-<sequence>`.', 'an entry id, <milliseconds>-<sequence>');
export const NewEntryId = Id(
  `\\*|${ID}|\\d{1,100}-\\*`,
  'Id of the new entry: `*` generates it (recommended), `<milliseconds>-*` generates its sequence only.',
  '*, <milliseconds>-<sequence> or <milliseconds>-*',
);
export const RangeId = (end: '-' | '+') =>
  Id(
    `[-+]|\\(?${ID}`,
    `Id at the ${end === '-' ? 'start' : 'end'} of the range; \`${end}\` is the ${end === '-' ? 'first' : 'last'} of the stream, \`(\` before an id excludes it.`,
    '-, +, an entry id, or ( and an entry id',
  );
export const LastEntryId = Id(
  `\\$|${ID}`,
  'Last entry that the group has seen: `$` starts at the current end, `0` processes all existing entries.',
  '$ or an entry id',
);

export const EntryIds = Type.Array(EntryId, {
  minItems: 1,
  maxItems: MAX_IDS,
  description: 'Entry ids, at least one.',
});

/** A 64-bit integer, never rounded: a number where that is exact, else its digits as text. */
export const Integer64 = (options: { description: string; minimum?: 0 | -1 }) => {
  const { description, minimum } = options;
  const sign = minimum === undefined ? '-?' : '';
  return Type.Union(
    [
      Type.Integer({ minimum: minimum ?? Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ pattern: `^(0|${minimum === -1 ? '-1|' : ''}${sign}[1-9]\\d{0,18})$` }),
    ],
    {
      description: `${description} Beyond 2^53 as text.`,
      'x-message': `must be an integer${minimum === undefined ? '' : ` of at least ${minimum}`}, beyond 2^53 as text`,
    },
  );
};

export const Block = Integer64({
  minimum: 0,
  description:
    'Milliseconds to wait for new entries, at most the time that the invocation has left; 0 waits that long. ' +
    'Without it the command returns at once.',
});

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

const Base64 = { pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' };

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
    'x-message': 'must be a pair of texts of well-formed unicode',
  },
  description: 'Field-value pairs, at least one; a list of pairs with `format: "pairs"`.',
});

/** Rules of an operation that adds entries: what `format` and `encoding` ask of them. `at` wraps the schema of one. */
export const entryRules = (at: (entry: object) => object) => [
  {
    if: { properties: { format: { const: 'pairs' } }, required: ['format'] },
    then: at({ type: 'array' }),
    else: at({ type: 'object' }),
  },
  rule(
    {
      if: { properties: { encoding: { const: 'base64' } }, required: ['encoding'] },
      then: at({ propertyNames: Base64, additionalProperties: Base64, items: { items: Base64 } }),
    },
    'must have names and values in base64 with encoding "base64"',
  ),
];

/** Which entries leave the stream. Exactly one of `maxLength` and `id`. */
export interface EvictionOption {
  /** Number of entries kept. */
  maxLength?: number | string;
  /** Entries older than this id are removed. */
  id?: string;
  /** Default true; false may keep some more entries, and is faster. */
  exactTrimming?: boolean;
  /** Most entries that one trim removes; 0 is no limit. Only with `exactTrimming: false`. */
  limit?: number | string;
}

const APPROXIMATE = { required: ['exactTrimming'], properties: { exactTrimming: { const: false } } };

const ONE_LIMIT = 'must have either maxLength or id';
const maxLengthOrId = exactlyOneOf([['maxLength'], ['id']], { none: ONE_LIMIT, several: ONE_LIMIT });

export const EvictionOption = Type.Unsafe<EvictionOption>({
  type: 'object',
  description: 'Caps the stream: `maxLength` (number of entries kept) or `id` (older entries are removed), not both.',
  properties: {
    maxLength: Integer64({ minimum: 0, description: 'Maximum number of entries kept.' }),
    id: EntryId,
    exactTrimming: {
      type: 'boolean',
      default: true,
      description: '`false` may keep a few more entries, and is faster.',
    },
    limit: Integer64({
      minimum: 0,
      description: 'Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`.',
    }),
  },
  additionalProperties: false,
  ...maxLengthOrId,
  allOf: [
    ...maxLengthOrId.allOf,
    rule(
      { anyOf: [{ not: { required: ['limit'] } }, APPROXIMATE] },
      'must have exactTrimming false where it has limit: Redis bounds approximate trimming only',
    ),
  ],
});

const Watermarks = (id: Type.TString) =>
  Type.Array(Type.Object({ key: StreamKey, id }, { additionalProperties: false }), {
    minItems: 1,
    maxItems: MAX_STREAMS,
    description: 'Streams to read, each once, and from where.',
  });

export const ReadWatermarks = Watermarks(
  Id(
    `[$+]|${ID}`,
    'Entries after this id: `0` reads from the beginning, `$` only new ones; `+` is the last entry (Redis 7.4 and newer).',
    '$, + or an entry id',
  ),
);
export const GroupReadWatermarks = Watermarks(
  Id(
    `>|${ID}`,
    '`>` reads entries not yet delivered to any consumer of the group; an id reads what is pending for this consumer after it.',
    '> or an entry id',
  ),
);

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

/** A consumer group as Redis describes it: at least these fields, more in newer versions. */
export const GroupInfo = Type.Unsafe<Record<string, string | number | ExactNumber | null>>({
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Group name.' },
    consumers: { type: 'integer', description: 'Number of consumers in the group.' },
    pending: { type: 'integer', description: 'Entries pending acknowledgement.' },
    'last-delivered-id': { type: 'string', description: 'Id of the last entry delivered to a consumer.' },
    'entries-read': { type: ['integer', 'null'], description: 'Entries read by the group.' },
    lag: { type: ['integer', 'null'], description: 'Entries in the stream not yet delivered.' },
  },
  required: ['name', 'consumers', 'pending', 'last-delivered-id', 'entries-read', 'lag'],
});

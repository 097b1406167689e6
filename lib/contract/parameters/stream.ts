import Type from 'typebox';
import { choices, exactlyOneOf, oneFormOf } from '../alternatives.ts';
import { ENTRY_ID_FORMAT } from '../entry-id-format.ts';
import { NOT_WELL_FORMED, WELL_FORMED } from '../well-formed.ts';

const ID = '\\d{1,100}(-\\d{1,100})?';
const MAX_IDS = 100_000;
const MAX_STREAMS = 1000;

export const Text = (description: string, minLength = 0) =>
  Type.String({
    description,
    ...(minLength > 0 && { minLength }), // counting characters takes as long as all other checks
    pattern: WELL_FORMED,
    'x-message': NOT_WELL_FORMED,
  });

export const StreamKey = { ...Text('Key of the stream. Any text is valid.'), 'x-names': 'stream' } as const;
export const GroupName = Text('Name of the consumer group.', 1);
export const ConsumerName = Text('Name of the consumer within the group.', 1);
/** Names of existing groups and consumers: other clients may have created them with an empty name. */
export const AnyGroupName = Text('Name of the consumer group. Any text that another client gave it is valid.');
export const AnyConsumerName = Text(
  'Name of the consumer within the group. Any text that another client gave it is valid.',
);

const Id = (pattern: string, description: string, message: string) =>
  Type.String({ format: ENTRY_ID_FORMAT, pattern: `^(${pattern})$`, description, 'x-message': `must be ${message}` });

export const EntryId = Id(ID, 'Entry id, `<milliseconds>-<sequence>`.', 'an entry id, <milliseconds>-<sequence>');
export const NewEntryId = Id(
  `\\*|${ID}|\\d{1,100}-\\*`,
  'Id of the new entry. `*` generates it (recommended); `<milliseconds>-*` generates only its sequence.',
  '*, <milliseconds>-<sequence> or <milliseconds>-*',
);
export const RangeId = (end: '-' | '+') =>
  Id(
    `[-+]|\\(?${ID}`,
    `Id at the ${end === '-' ? 'start' : 'end'} of the range. \`${end}\` is the ${end === '-' ? 'first' : 'last'} ` +
      'entry of the stream; `(` before an id excludes that entry.',
    '-, +, an entry id, or ( and an entry id',
  );
export const LastEntryId = Id(
  `\\$|${ID}`,
  'Last entry that the group has seen. `$` starts at the current end; `0` delivers all existing entries.',
  '$ or an entry id',
);

/** An existing group may also be set back to before the first entry. */
export const SetEntryId = Id(
  `[$-]|${ID}`,
  'Last entry that the group has seen. `$` is the current end; `-` or `0` is before the first entry.',
  '$, - or an entry id',
);

export const EntryIds = Type.Array(EntryId, {
  minItems: 1,
  maxItems: MAX_IDS,
  description: 'Entry ids, at least one.',
});

/** A 64-bit integer, never rounded: a number if that is exact, otherwise its digits as text. */
export const Integer64 = (options: { description: string; minimum?: 0 | -1 }) => {
  const { description, minimum } = options;
  const sign = minimum === undefined ? '-?' : '';
  return Type.Union(
    [
      Type.Integer({ minimum: minimum ?? Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ pattern: `^(0|${minimum === -1 ? '-1|' : ''}${sign}[1-9]\\d{0,18})$` }),
    ],
    {
      description: `${description} Send values beyond 2^53 as text.`,
      'x-message': `must be an integer${minimum === undefined ? '' : ` of at least ${minimum}`}, beyond 2^53 as text`,
    },
  );
};

export const Block = Integer64({
  minimum: 0,
  description:
    'Milliseconds to wait for new entries, at most as long as the invocation has time; 0 waits that long. ' +
    'Without it, the call returns at once.',
});

/** Which entries are removed. Give either `maxLength` or `id`. */
export interface EvictionOption {
  /** Number of entries to keep. */
  maxLength?: number | string;
  /** Entries older than this id are removed. */
  id?: string;
  /** Default true. With false, Redis may keep some more entries, and is faster. */
  exactTrimming?: boolean;
  /** Most entries that one trim removes; 0 for no limit. Needs `exactTrimming: false`. */
  limit?: number | string;
}

const ONE_LIMIT = { none: 'must have either maxLength or id', several: 'has both maxLength and id: give one of them' };

export const EvictionOption = Type.Unsafe<EvictionOption>({
  type: 'object',
  description: 'Caps the stream, by either `maxLength` or `id`.',
  properties: {
    maxLength: Integer64({ minimum: 0, description: 'Maximum number of entries to keep.' }),
    id: EntryId,
    exactTrimming: {
      type: 'boolean',
      default: true,
      description: 'With `false`, Redis may keep some more entries, and is faster.',
    },
    limit: Integer64({
      minimum: 0,
      description: 'Most entries that one trim removes; 0 for no limit. Needs `exactTrimming: false`.',
    }),
  },
  additionalProperties: false,
  ...choices(
    exactlyOneOf({ EvictByLength: ['maxLength'], EvictById: ['id'] }, ONE_LIMIT),
    oneFormOf(
      [
        { name: 'TrimFully', optional: ['exactTrimming'] },
        {
          name: 'TrimUpToLimit',
          required: ['exactTrimming', 'limit'],
          narrowed: { exactTrimming: { type: 'boolean', const: false } },
        },
      ],
      'must have exactTrimming false with limit: Redis limits only approximate trimming',
    ),
  ),
});

const Watermarks = (id: Type.TString) =>
  Type.Array(Type.Object({ key: StreamKey, id }, { additionalProperties: false }), {
    minItems: 1,
    maxItems: MAX_STREAMS,
    description: 'Streams to read, each once, and the id to read after.',
  });

export const ReadWatermarks = Watermarks(
  Id(
    `[$+]|${ID}`,
    'Reads entries after this id. `0` reads from the beginning, `$` only new entries, `+` the last entry (Redis ' +
      '7.4 and newer).',
    '$, + or an entry id',
  ),
);
export const GroupReadWatermarks = Watermarks(
  Id(
    `>|${ID}`,
    '`>` reads entries that no consumer of the group has received yet. An id reads the entries after it that ' +
      'are pending for this consumer.',
    '> or an entry id',
  ),
);

export const EntriesRead = Type.Optional(
  Integer64({ minimum: -1, description: 'Number of entries already read, for an accurate lag; -1 if unknown.' }),
);

export const MinIdleMs = Integer64({
  minimum: 0,
  description: 'Claim only entries whose last delivery is at least this many milliseconds ago.',
});

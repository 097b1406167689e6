import Type from 'typebox';
import { choices, exactlyOneOf, oneFormOf } from '../alternatives.ts';
import { NOT_WELL_FORMED, WELL_FORMED } from '../well-formed.ts';

const ID = '\\d{1,100}(-\\d{1,100})?';
const MAX_IDS = 100_000;
const MAX_STREAMS = 1000;

export const Text = (description: string, minLength = 0) =>
  Type.String({
    description,
    ...(minLength > 0 ? { minLength } : {}), // counting characters takes as long as all other checks
    pattern: WELL_FORMED,
    'x-message': NOT_WELL_FORMED,
  });

export const StreamKey = Text('Key of the stream: any text.');
export const GroupName = Text('Name of the consumer group.', 1);
export const ConsumerName = Text('Name of the consumer within the group.', 1);
/** Names that other clients may have made, of what is there to be read or removed. */
export const AnyGroupName = Text('Name of the consumer group: any text that another client made it with.');
export const AnyConsumerName = Text(
  'Name of the consumer within the group: any text that another client made it with.',
);

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

/** Of a group that exists: it may be set back to before the first entry. */
export const SetEntryId = Id(
  `[$-]|${ID}`,
  'Last entry that the group has seen: `$` is the current end, `-` or `0` is before the first entry.',
  '$, - or an entry id',
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

const ONE_LIMIT = { none: 'must have either maxLength or id', several: 'has both maxLength and id: give one of them' };

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
  ...choices(
    exactlyOneOf([['maxLength'], ['id']], ONE_LIMIT),
    oneFormOf(
      [
        { optional: ['exactTrimming'] },
        { required: ['exactTrimming', 'limit'], narrowed: { exactTrimming: { type: 'boolean', const: false } } },
      ],
      'must have exactTrimming false where it has limit: Redis bounds approximate trimming only',
    ),
  ),
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

export const MinIdleMs = Integer64({
  minimum: 0,
  description: 'Claims only entries that were last delivered at least so many milliseconds ago.',
});

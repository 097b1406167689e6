import Type from 'typebox';
import { STOP_REASONS } from '../stop-reasons.ts';
import { withDefault } from '../operation.ts';
import { GroupName, LastEntryId, StreamKey, Text } from './stream.ts';

const integer = (minimum: number, maximum: number, value: number, description: string) =>
  withDefault(Type.Integer({ minimum, maximum, description }), value);
const count = (description: string) => Type.Integer({ description });

/** The shard and the group, of a run and of a redrive alike. */
export const shard = {
  stream: { ...StreamKey, minLength: 1, description: 'The shard, `source-submit:0`.' },
  group: GroupName,
  deadLetterStream: Type.Optional({
    ...StreamKey,
    minLength: 1,
    description: 'Where dead letters are. Default: `{<stream>}:dead:<group>`.',
  }),
};

/** Which shards a run may work on. */
export const shards = {
  stream: Type.Optional({
    ...StreamKey,
    minLength: 1,
    description: "The shard, `source-submit:0`; with `shards`, their base name. Default: the secret's `ingest.stream`.",
  }),
  shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1024,
      description:
        'The run takes whichever of `<stream>:0` and on have work. Default: one shard, `stream` by its whole name; ' +
        'without `stream` the `ingest.shards` of the secret.',
    }),
  ),
  group: Type.Optional({ ...GroupName, description: 'Consumer group. Default: the `ingest.group` of the secret.' }),
  deadLetterStream: shard.deadLetterStream,
};

/** The same, as a type. */
export type Shards = Type.Static<Type.TObject<typeof shards>>;

/** What Lambda takes as the name of a function: name, partial ARN or ARN, each with a version or alias or without. */
const FUNCTION =
  '(arn:aws[a-z-]{0,20}:lambda:[a-z0-9-]{1,30}:\\d{12}:function:|\\d{12}:function:)?' +
  '[A-Za-z0-9_-]{1,64}(:(\\$LATEST|[A-Za-z0-9_-]{1,128}))?';

/** Where entries go. */
export const TargetName = Type.String({
  pattern: `^${FUNCTION}$`,
  description: '`source-submit`, or the name or ARN of a Lambda.',
  'x-message': 'must be source-submit, or the name or ARN of a Lambda',
});

/** How a run works. The secret's `ingest.consumer` may hold any of these, so the defaults apply last. */
export const runSettings = {
  target: withDefault(TargetName, 'source-submit'),
  batchSize: integer(1, 5000, 100, 'Entries per read.'),
  concurrency: integer(1, 1000, 10, 'Entries sent to the target at the same time, over all shards.'),
  maxDeliveries: integer(
    1,
    1000,
    5,
    'Own failures of an entry after which it becomes a dead letter. Outages never count.',
  ),
  maxAgeMs: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Age after which any failure makes a dead letter, milliseconds.' }),
  ),
  backoffMs: integer(
    1,
    900_000,
    1000,
    'Rest after the first failure, milliseconds; doubled with each, up to a minute.',
  ),
  leaseMs: integer(1000, 30_000, 15_000, 'How long a crashed run keeps others out, milliseconds.'),
  startId: withDefault({ ...LastEntryId, description: 'Where a group begins that does not exist yet.' }, '0'),
  trim: withDefault(
    Type.Boolean({ description: 'Delete entries that every group of the stream has processed.' }),
    false,
  ),
  refusalLimit: integer(0, 10_000, 20, 'Refusals of different keys in a row that open the breaker; 0: none do.'),
  lingerMs: integer(0, 900_000, 0, 'How long a drained run goes on looking after its last entry, milliseconds.'),
  keyField: Type.Optional(
    Text('Of a Lambda target: the field that orders entries. Default: none, the shard is one key.', 1),
  ),
  targetBatchSize: integer(1, 1000, 1, 'Of a Lambda target: entries per invocation, at most.'),
};

type Properties = Record<string, Type.TSchema>;

/** Properties that may be left out, and are not filled in: the default is named in their description. */
export function withoutDefaults<T extends Properties>(properties: T): { [K in keyof T]: Type.TOptional<T[K]> } {
  const optional = Object.entries(properties).map(([name, property]) => {
    const { default: standard, description = '', ...schema } = property as { default?: unknown; description?: string };
    const note = standard === undefined ? '' : ` Default: \`${JSON.stringify(standard)}\`.`;
    return [name, Type.Optional({ ...schema, description: `${description}${note}` })];
  });
  return Object.fromEntries(optional) as { [K in keyof T]: Type.TOptional<T[K]> };
}

/** What a run did, and where it leaves its group. */
export const RunReport = Type.Object({
  read: count('New entries delivered.'),
  processed: count('Entries that the target took.'),
  failed: count('Attempts that failed and leave their entry pending.'),
  deadLettered: count('Entries given up.'),
  recovered: count('Pending entries of earlier runs taken up again.'),
  deleted: count('Pending entries whose body had been deleted.'),
  groupsCreated: count('Groups that had to be made.'),
  pending: count('Entries pending now.'),
  lag: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Entries not yet delivered; null where Redis does not know.',
  }),
  oldestPendingMs: count('Age of the oldest pending entry in milliseconds, 0 where none is.'),
  stoppedBecause: Type.Enum([...STOP_REASONS], { description: 'Why the run ended; docs/consumer.md explains each.' }),
});
export type RunReport = Type.Static<typeof RunReport>;

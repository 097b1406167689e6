import Type from 'typebox';
import { MAX_SHARDS } from '../max-shards.ts';
import { STOP_REASONS } from '../stop-reasons.ts';
import { withDefault } from '../operation.ts';
import { GroupName, LastEntryId, StreamKey, Text } from './stream.ts';

const integer = (minimum: number, maximum: number, value: number, description: string) =>
  withDefault(Type.Integer({ minimum, maximum, description }), value);
const count = (description: string) => Type.Integer({ description });

const deadLetterStream = (usual: string) =>
  Type.Optional({
    ...StreamKey,
    'x-names': 'dead-letters',
    minLength: 1,
    description: `Stream of the dead letters. Default: ${usual}`,
  });

/** The shard and the group whose dead letters are meant. */
export const shard = {
  stream: { ...StreamKey, minLength: 1, description: 'The shard, for example `source-submit:0`.' },
  group: GroupName,
  deadLetterStream: deadLetterStream(
    "for shards and group of the secret's `ingest`, its `consumer.deadLetterStream`; otherwise " +
      '`{<stream>}:dead:<group>`.',
  ),
};

/** The shards that a run may work on. */
export const shards = {
  stream: Type.Optional({
    ...StreamKey,
    'x-names': 'shards',
    minLength: 1,
    description:
      "The shard, for example `source-submit:0`; with `shards`, their base name. Default: the secret's " +
      '`ingest.stream`.',
  }),
  shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SHARDS,
      description:
        'Number of shards, `<stream>:0` and on; the run takes those that have work. Without `stream`, the default ' +
        "is the secret's `ingest.shards`; with `stream`, the run works on that one shard.",
    }),
  ),
  group: Type.Optional({ ...GroupName, description: "Consumer group. Default: the secret's `ingest.group`." }),
  deadLetterStream: deadLetterStream('`{<stream>}:dead:<group>`.'),
};

/** The same, as a type. */
export type Shards = Type.Static<Type.TObject<typeof shards>>;

/** A function as Lambda names it: name, partial ARN or ARN, with or without a version or alias. */
const FUNCTION =
  '(arn:aws[a-z-]{0,20}:lambda:[a-z0-9-]{1,30}:\\d{12}:function:|\\d{12}:function:)?' +
  '[A-Za-z0-9_-]{1,64}(:(\\$LATEST|[A-Za-z0-9_-]{1,128}))?';

/** The target of the entries. */
export const TargetName = Type.String({
  pattern: `^${FUNCTION}$`,
  description: 'Where entries go: `source-submit`, or the name or ARN of a Lambda.',
  'x-message': 'must be source-submit, or the name or ARN of a Lambda',
});

/** How a run works. The secret's `ingest.consumer` may hold any of these; the defaults apply last. */
export const runSettings = {
  target: withDefault(TargetName, 'source-submit'),
  batchSize: integer(1, 5000, 100, 'Entries per read.'),
  concurrency: integer(1, 1000, 10, 'Entries that a run sends to the target at the same time, over all shards.'),
  maxDeliveries: integer(1, 1000, 5, 'Own failures after which an entry becomes a dead letter. Outages never count.'),
  maxAgeMs: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Age in milliseconds after which any failure makes a dead letter, even an outage or a wrong configuration. ' +
        'An attempt that a pause or the end of its run cuts off is not a failure, and a batch that fails as a whole ' +
        'is tried again entry by entry.',
    }),
  ),
  backoffMs: integer(
    1,
    900_000,
    1000,
    'Delay before the first retry, in milliseconds. It doubles with each failure, up to a minute.',
  ),
  leaseMs: integer(1000, 30_000, 15_000, 'How long a crashed run keeps other runs away, in milliseconds.'),
  startId: withDefault(
    {
      ...LastEntryId,
      description: 'Where a new group begins. `$` skips what the stream holds when the group is made, or made again.',
    },
    '0',
  ),
  trim: withDefault(
    Type.Boolean({ description: 'Delete entries that every group of the stream has processed.' }),
    false,
  ),
  refusalLimit: integer(
    0,
    10_000,
    20,
    'Refusals of different keys in a row that open the circuit breaker. With 0, refusals never open it.',
  ),
  ratePerSecond: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum calls to the target per second, over all runs and shards of the group. Default: no limit.',
    }),
  ),
  lingerMs: integer(0, 900_000, 0, 'How long a drained run waits for another entry, in milliseconds.'),
  keyField: Type.Optional(
    Text('For a Lambda target: the field that holds the ordering key. By default, the whole shard is one key.', 1),
  ),
  targetBatchSize: integer(1, 1000, 1, 'For a Lambda target: maximum entries per invocation.'),
};

type Properties = Record<string, Type.TSchema>;

/** Optional properties without automatic defaults; their descriptions name the defaults. */
export function withoutDefaults<T extends Properties>(properties: T): { [K in keyof T]: Type.TOptional<T[K]> } {
  const optional = Object.entries(properties).map(([name, property]) => {
    const { default: standard, description = '', ...schema } = property as { default?: unknown; description?: string };
    const note = standard === undefined ? '' : ` Default: \`${JSON.stringify(standard)}\`.`;
    return [name, Type.Optional({ ...schema, description: `${description}${note}` })];
  });
  return Object.fromEntries(optional) as { [K in keyof T]: Type.TOptional<T[K]> };
}

/** The newest failure whose entry has not succeeded since. */
export const LastFailure = Type.Object({
  type: Type.String({ description: 'Its error type.' }),
  detail: Type.String({ description: 'What went wrong, without a value of the entry.' }),
  target: Type.String({ description: 'The target that failed: `source-submit`, or the Lambda.' }),
  at: Type.String({ description: 'When it failed.' }),
  entries: count('Entries that wait for another try, of whatever cause.'),
});
export type LastFailure = Type.Static<typeof LastFailure>;

/** The result of a run. */
export const RunReport = Type.Object({
  read: count('New entries read.'),
  processed: count('Entries that the target took.'),
  failed: count('Failed attempts whose entry stays pending.'),
  deadLettered: count('Entries that became dead letters.'),
  recovered: count('Pending entries of earlier runs that this run took up.'),
  deleted: count('Pending entries whose body was deleted.'),
  groupsCreated: count('Groups that the run created.'),
  pending: count('Pending entries at the end of the run.'),
  lag: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Unread entries at the end of the run; null if Redis does not know.',
  }),
  oldestPendingMs: count('Age of the oldest pending entry in milliseconds; 0 without one.'),
  stoppedBecause: Type.Enum([...STOP_REASONS], {
    description: 'Why the run ended. docs/consumer.md explains each reason.',
  }),
  lastFailure: Type.Optional({
    ...LastFailure,
    description: 'The newest failure whose entry has not succeeded since; absent without one.',
  }),
});
export type RunReport = Type.Static<typeof RunReport>;

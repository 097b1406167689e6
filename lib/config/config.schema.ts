import Type from 'typebox';
import { runSettings, shards, withoutDefaults } from '../contract/parameters/consumer.ts';
import { MAX_SHARDS } from '../contract/max-shards.ts';
import { withDefault } from '../contract/operation.ts';
import { GroupName, Text } from '../contract/parameters/stream.ts';
import { Mdm } from './mdm-config.schema.ts';
import { Redis } from './redis-config.schema.ts';

/** Settings of the consumer in the secret. Missing ones have the defaults of `stream-consumer`. */
const ConsumerSettings = Type.Object(
  { deadLetterStream: shards.deadLetterStream, ...withoutDefaults(runSettings) },
  { additionalProperties: false, default: {} },
);

/** Where `mdm-source-enqueue` puts source records, and what the consumer works on by default. */
const Ingest = Type.Object(
  {
    stream: withDefault(Text('Name of the stream; its shards are `<stream>:0` and on.', 1), 'source-submit'),
    /** A key keeps its shard only while this number stays the same. */
    shards: Type.Integer({ minimum: 1, maximum: MAX_SHARDS, default: 16 }),
    group: withDefault(GroupName, 'mdm'),
    /** Whether an enqueue invokes the consumer if no run is active. */
    wake: Type.Boolean({ default: true }),
    /** How long `idempotencyKey` of an enqueue is remembered, in milliseconds. */
    idempotencyMs: Type.Integer({ minimum: 1000, maximum: 2_592_000_000, default: 86_400_000 }),
    /** While a shard has more unread entries than this, an enqueue to it is refused with 429. Default: no bound. */
    maxLag: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
    /** Age after which runs delete dead letters, in milliseconds. Default: they stay until you delete them. */
    deadLetterMaxAgeMs: Type.Optional(Type.Integer({ minimum: 60_000, maximum: 315_360_000_000 })),
    consumer: ConsumerSettings,
  },
  { additionalProperties: false, default: {} },
);

const ListOf = (item: Type.TString) => Type.Optional(Type.Array(item, { minItems: 1 }));

/** What calls with this configuration may do. Without it, everything that its credentials allow. */
const Access = Type.Object(
  {
    /** Only operations that read. */
    readOnly: Type.Optional(Type.Boolean()),
    /** Only these operations, by name; `*` stands for any text. */
    operations: ListOf(
      Type.String({ pattern: '^[a-z0-9*-]+$', 'x-message': 'must be a name such as mdm-search or mdm-*' }),
    ),
    /** Only these stream keys, by pattern; `*` stands for any text. */
    keys: ListOf(Type.String({ minLength: 1 })),
    /** Only paths that begin with one of these, for `mdm-http-request`. */
    httpPaths: ListOf(Type.String({ pattern: '^/', 'x-message': 'must begin with a slash' })),
  },
  { additionalProperties: false },
);

/** One connector configuration: the JSON of the secret `${CONNECTOR_SECRET_PREFIX}${configRef}`. */
export const ConnectorSecret = Type.Object(
  { mdm: Type.Optional(Mdm), redis: Type.Optional(Redis), ingest: Ingest, access: Type.Optional(Access) },
  {
    additionalProperties: false,
    $comment: 'You may omit a part that no operation in use needs.',
    if: {
      properties: {
        mdm: { type: 'object', properties: { sessionStore: { const: 'redis' } }, required: ['sessionStore'] },
      },
      required: ['mdm'],
    },
    then: { required: ['redis'] },
  },
);

export type ConnectorSecret = Type.Static<typeof ConnectorSecret>;
export type { MdmConfig } from './mdm-config.schema.ts';
export type { RedisConfig } from './redis-config.schema.ts';
export type AccessConfig = Type.Static<typeof Access>;
export type IngestConfig = Type.Static<typeof Ingest>;

import Type from 'typebox';
import { runSettings, shard, withoutDefaults } from '../contract/consumer-parameters.ts';

const Url = (schemes: string) =>
  Type.String({
    pattern: `^(${schemes})://\\S+$`,
    'x-message': `must be a URL that starts with ${schemes.replaceAll('|', ':// or ')}://`,
  });
const anyCase = (pattern: string) => pattern.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const Milliseconds = (value: number) => Type.Integer({ minimum: 1, maximum: 900_000, default: value });
const Pem = Type.String({ minLength: 1, description: 'PEM.' });

const Login = (type: 'login-v3' | 'login-v2') =>
  Type.Object(
    {
      type: Type.Literal(type),
      loginUrl: Url('https|http'),
      username: Type.String({ minLength: 1, maxLength: 255 }),
      password: Type.String({ minLength: 1, maxLength: 255 }),
    },
    { additionalProperties: false },
  );

const PassThrough = Type.Object(
  {
    type: Type.Literal('session'),
    sessionId: Type.String({ maxLength: 16_384, pattern: '^[\\x21-\\x7e]+$', 'x-message': 'must be printable ASCII' }),
  },
  { additionalProperties: false },
);

const methods = [Login('login-v3'), Login('login-v2'), PassThrough] as const;

/** Authentication method; a discriminator, so that faults are those of the method that was meant. */
const Auth = Type.Unsafe<Type.Static<(typeof methods)[number]>>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: methods,
});

const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
/** The framing of a request and its connection are the client's. */
const FRAMING = /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

/** Headers sent with every request. */
const HeaderMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  default: {},
  propertyNames: {
    allOf: [
      { pattern: HEADER_NAME, 'x-message': 'has a name that no header can have' },
      { not: { pattern: anyCase(FRAMING.source) }, 'x-message': 'is a header that only the connector sets' },
    ],
  },
  additionalProperties: { type: 'string', pattern: '^[\\t\\x20-\\x7e]*$', 'x-message': 'must be printable ASCII' },
});

const Path = (value: string) =>
  Type.String({
    pattern: '^/[^?#\\s]*$',
    default: value,
    'x-message': 'must be a path that starts with a slash, without query and fragment',
  });

/** Connection to the master data API. */
const Mdm = Type.Object(
  {
    auth: Auth,
    baseUrl: Type.Optional(Url('https|http')),
    timeoutMs: Milliseconds(10_000),
    headers: HeaderMap,
    paths: Type.Object(
      {
        entity: Path('/business-entity/public/api/v1/entity'),
        entityXref: Path('/business-entity/public/api/v1/entity-xref'),
        entityGroup: Path('/business-entity/public/api/v1/entity-group'),
        entityMember: Path('/business-entity/public/api/v1/entity-member'),
        match: Path('/match-ng-pair-gen/public/api/v1/searchmatch'),
        relationship: Path('/business-entity/public/api/v1/relationship'),
        job: Path('/job/public/api/v1/jobInstance'),
        codelist: Path('/rdm-service/external/v1/codelists'),
        search: Path('/search/public/api/v1/search'),
        metadata: Path('/metadata/api/v2/objects'),
      },
      { additionalProperties: false, default: {} },
    ),
    /** Header that the session travels in. */
    sessionHeader: Type.String({
      pattern: HEADER_NAME,
      default: 'IDS-SESSION-ID',
      'x-message': 'must be the name of a header',
    }),
    sessionStore: Type.Enum(['memory', 'redis'], { default: 'memory' }),
    /** Seals shared sessions, in place of a key derived from the password. */
    sessionKey: Type.Optional(Type.String({ minLength: 32, maxLength: 1024 })),
    ca: Type.Optional(Pem),
    proxy: Type.Optional(Url('https|http')),
  },
  {
    additionalProperties: false,
    if: { properties: { auth: { properties: { type: { const: 'session' } }, required: ['type'] } } },
    then: { required: ['baseUrl'] },
  },
);

const EncryptedUrl = {
  pattern: '^(rediss|valkeys)://',
  'x-message': 'must be rediss:// or valkeys:// with auth "iam": its token needs TLS',
};
const RedisUrl = Url('rediss|redis|valkeys|valkey');
const Address = '^[^\\s]+:\\d{1,5}$';

/** Connection to Redis: one server, a cluster, or servers under Sentinel. */
const Redis = Type.Object(
  {
    mode: Type.Enum(['standalone', 'cluster', 'sentinel'], { default: 'standalone' }),
    /** The server; under Sentinel the user, password, TLS and database of all servers. */
    url: Type.Optional(RedisUrl),
    /** Nodes of the cluster to ask for its slots, the first with the login of all; or the sentinels. */
    nodes: Type.Optional(Type.Array(RedisUrl, { minItems: 1 })),
    /** Name under which the sentinels know the master. */
    sentinelName: Type.Optional(Type.String({ minLength: 1 })),
    /** Most time for TCP, TLS and login together. */
    connectTimeoutMs: Milliseconds(3000),
    /** Most time for a command, connecting included. */
    commandTimeoutMs: Milliseconds(5000),
    /** Certificate of a private CA, trusted beside the public ones. */
    ca: Type.Optional(Pem),
    /** Certificate of the client and its key, where the server asks for one. */
    cert: Type.Optional(Pem),
    key: Type.Optional(Pem),
    /** Name that the servers are asked for, and have in their certificates. Default: the host of each. */
    servername: Type.Optional(Type.String({ minLength: 1 })),
    /** Where nodes are reached, by the address that the cluster or the sentinels give. */
    nodeAddressMap: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        propertyNames: { pattern: Address, 'x-message': 'must be host:port' },
        additionalProperties: { type: 'string', pattern: Address, 'x-message': 'must be host:port' },
      }),
    ),
    /** `iam`: a token signed at each connect takes the place of the password (ElastiCache). */
    auth: Type.Optional(Type.Literal('iam')),
    userId: Type.Optional(Type.String({ minLength: 1 })),
    cacheName: Type.Optional(Type.String({ minLength: 1 })),
  },
  {
    additionalProperties: false,
    dependentRequired: { cert: ['key'], key: ['cert'], auth: ['userId', 'cacheName'] },
    allOf: [
      { if: { properties: { mode: { const: 'cluster' } }, required: ['mode'] }, then: { required: ['nodes'] } },
      {
        if: { properties: { mode: { const: 'sentinel' } }, required: ['mode'] },
        then: { required: ['nodes', 'sentinelName'] },
      },
      { if: { properties: { mode: { const: 'standalone' } } }, then: { required: ['url'] } },
      {
        if: { required: ['auth'] },
        then: { properties: { url: EncryptedUrl, nodes: { items: EncryptedUrl } } },
      },
    ],
  },
);

/** Settings of the consumer that the secret may give; what it leaves out has the default of `stream-consumer`. */
const ConsumerSettings = Type.Object(
  { deadLetterStream: shard.deadLetterStream, ...withoutDefaults(runSettings) },
  { additionalProperties: false, default: {} },
);

/** Where `mdm-source-enqueue` puts source records, and what the consumer takes by default. */
const Ingest = Type.Object(
  {
    /** Name of the stream; its shards are `<stream>:0` and on. */
    stream: Type.String({ minLength: 1, default: 'source-submit' }),
    /** A key keeps its shard only while their number stays: many, and for good. */
    shards: Type.Integer({ minimum: 1, maximum: 1024, default: 16 }),
    group: Type.String({ minLength: 1, default: 'mdm' }),
    /** Whether an enqueue invokes the consumer, where none is active. */
    wake: Type.Boolean({ default: true }),
    consumer: ConsumerSettings,
  },
  { additionalProperties: false, default: {} },
);

/** One connector configuration: the JSON of the secret `${CONNECTOR_SECRET_PREFIX}${configRef}`. */
export const ConnectorSecret = Type.Object(
  { mdm: Type.Optional(Mdm), redis: Type.Optional(Redis), ingest: Ingest },
  {
    additionalProperties: false,
    $comment: 'A part that no operation in use needs may be missing.',
    if: {
      properties: { mdm: { properties: { sessionStore: { const: 'redis' } }, required: ['sessionStore'] } },
      required: ['mdm'],
    },
    then: { required: ['redis'] },
  },
);

export type ConnectorSecret = Type.Static<typeof ConnectorSecret>;
export type MdmConfig = Type.Static<typeof Mdm>;
export type RedisConfig = Type.Static<typeof Redis>;
export type IngestConfig = Type.Static<typeof Ingest>;

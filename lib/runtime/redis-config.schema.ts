import Type from 'typebox';
import { Milliseconds, Pem, Url } from '../contract/parameters/connection.ts';

const EncryptedUrl = {
  pattern: '^(rediss|valkeys)://',
  'x-message': 'must be rediss:// or valkeys:// with auth "iam": its token needs TLS',
};
const RedisUrl = Url('rediss|redis|valkeys|valkey');
const Address = '^[^\\s]+:\\d{1,5}$';

/** Connection to Redis: one server, a cluster, or servers under Sentinel. */
export const Redis = Type.Object(
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

export type RedisConfig = Type.Static<typeof Redis>;

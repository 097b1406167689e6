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
    /** Nodes to ask for the slots of the cluster, the first with the login for all; or the sentinels. */
    nodes: Type.Optional(Type.Array(RedisUrl, { minItems: 1 })),
    sentinelName: Type.Optional(Type.String({ minLength: 1 })),
    /** Time for TCP, TLS and login together. */
    connectTimeoutMs: Milliseconds(3000),
    /** Time for a command, connecting included. */
    commandTimeoutMs: Milliseconds(5000),
    /** Certificate of a private CA, trusted beside the public roots. */
    ca: Type.Optional(Pem),
    /** Certificate and key of the client, if the server asks for them. */
    cert: Type.Optional(Pem),
    key: Type.Optional(Pem),
    /** Name in the TLS handshake and in the servers' certificates. Default: the host of each. */
    servername: Type.Optional(Type.String({ minLength: 1 })),
    /** Where to reach nodes, by the address that the cluster or the sentinels announce. */
    nodeAddressMap: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        propertyNames: { pattern: Address, 'x-message': 'must be host:port' },
        additionalProperties: { type: 'string', pattern: Address, 'x-message': 'must be host:port' },
      }),
    ),
    /** `iam`: each connect signs a token that replaces the password (ElastiCache). */
    auth: Type.Optional(Type.Literal('iam')),
    userId: Type.Optional(Type.String({ minLength: 1 })),
    cacheName: Type.Optional(Type.String({ minLength: 1 })),
  },
  {
    additionalProperties: false,
    dependentRequired: { cert: ['key'], key: ['cert'] },
    allOf: [
      { if: { properties: { mode: { const: 'cluster' } }, required: ['mode'] }, then: { required: ['nodes'] } },
      {
        if: { properties: { mode: { const: 'sentinel' } }, required: ['mode'] },
        then: { required: ['nodes', 'sentinelName'] },
      },
      { if: { properties: { mode: { const: 'standalone' } } }, then: { required: ['url'] } },
      {
        if: { properties: { auth: { const: 'iam' } }, required: ['auth'] },
        then: {
          properties: { url: EncryptedUrl, nodes: { items: EncryptedUrl } },
          required: ['userId', 'cacheName'],
        },
      },
    ],
  },
);

export type RedisConfig = Type.Static<typeof Redis>;

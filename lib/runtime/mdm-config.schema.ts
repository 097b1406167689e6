import Type from 'typebox';
import { Milliseconds, Pem, Url } from '../contract/parameters/connection.ts';

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
    sessionId: Type.String({
      maxLength: 16_384,
      pattern: '^[\\x21-\\x7e]+$',
      'x-message': 'must be 1 to 16,384 characters of printable ASCII',
    }),
  },
  { additionalProperties: false },
);

const methods = [Login('login-v3'), Login('login-v2'), PassThrough] as const;

/** Authentication method. A discriminator, so that only faults of the chosen method are reported. */
const Auth = Type.Unsafe<Type.Static<(typeof methods)[number]>>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: methods,
});

const anyCase = (pattern: string) => pattern.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
/** Headers of framing and connection, which only the client sets. */
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
  additionalProperties: {
    type: 'string',
    pattern: '^[\\t\\x20-\\x7e]*$',
    'x-message': 'must be text in printable ASCII',
  },
});

const Path = (value: string) =>
  Type.String({
    pattern: '^/[^?#\\s]*$',
    default: value,
    'x-message': 'must be a path that starts with a slash, without query and fragment',
  });

/** Connection to the master data API. */
export const Mdm = Type.Object(
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
        codelistExport: Path('/rdm-service/external/v1/export'),
        search: Path('/search/public/api/v1/search'),
        metadata: Path('/metadata/api/v2/objects'),
      },
      { additionalProperties: false, default: {} },
    ),
    /** Header that carries the session. */
    sessionHeader: Type.String({
      pattern: HEADER_NAME,
      default: 'IDS-SESSION-ID',
      'x-message': 'must be the name of a header',
    }),
    /** Header that carries the correlation id as `req_id=…`; empty for none. */
    correlationHeader: Type.String({
      pattern: `^$|${HEADER_NAME}`,
      default: 'X_INFA_LOG_CTX',
      'x-message': 'must be the name of a header, or empty',
    }),
    /** Media type of a JSON Patch. */
    patchType: Type.String({
      pattern: '^application/[a-z0-9.+-]+$',
      default: 'application/json',
      'x-message': 'must be a media type, such as application/json',
    }),
    sessionStore: Type.Enum(['memory', 'redis'], { default: 'memory' }),
    /** Seals shared sessions instead of a key derived from the password. */
    sessionKey: Type.Optional(Type.String({ minLength: 32, maxLength: 1024 })),
    ca: Type.Optional(Pem),
    proxy: Type.Optional(Url('https|http')),
  },
  {
    additionalProperties: false,
    if: {
      properties: { auth: { type: 'object', properties: { type: { const: 'session' } }, required: ['type'] } },
      required: ['auth'],
    },
    then: { required: ['baseUrl'] },
  },
);

export type MdmConfig = Type.Static<typeof Mdm>;

import Type from 'typebox';
import { Milliseconds, Pem, Url } from '../contract/parameters/connection.ts';

/** A login with the name and the password of a user. */
const Login = (type: 'login-v3' | 'login-v2' | 'login-identity') =>
  Type.Object(
    {
      type: Type.Literal(type),
      loginUrl: Url('https|http'),
      username: Type.String({ minLength: 1, maxLength: 255 }),
      password: Type.String({ minLength: 1, maxLength: 255 }),
    },
    { additionalProperties: false },
  );

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** A login with a token of the organisation's identity provider. */
const OAuthLogin = Type.Object(
  {
    type: Type.Literal('login-oauth'),
    loginUrl: Url('https|http'),
    orgId: text(255),
    tokenUrl: Url('https|http'),
    clientId: text(1024),
    clientSecret: text(1024),
    scope: Type.Optional(text(1024)),
    audience: Type.Optional(text(1024)),
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

const methods = [Login('login-v3'), Login('login-v2'), Login('login-identity'), OAuthLogin, PassThrough] as const;
/** Methods that do not learn the address of the API. */
const WITHOUT_ADDRESS = ['login-identity', 'session'];

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

/** Query parameters of changes, which a time must not replace. */
const OWN_QUERY = 'sourceSystem|sourcePKey|businessId|_resolveCrosswalk';

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
        previewEntity: Path('/business-entity/public/api/v1/preview-entity'),
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
    /** Whether requests carry `MODEL_VERSION`: one value for the life of a session. */
    modelVersion: Type.Enum(['off', 'session'], { default: 'off' }),
    /** Where the source's time of a change travels: a query parameter, or a member of `_meta`. */
    sourceLastUpdated: Type.Optional(
      Type.String({
        pattern: `^(query:(?!(${OWN_QUERY})$)[A-Za-z0-9._~-]{1,64}|meta:[A-Za-z0-9_]{1,64})$`,
        'x-message': 'must be query: or meta: and a name of its own, such as query:sourceLastUpdatedDate',
      }),
    ),
    sessionStore: Type.Enum(['memory', 'redis'], { default: 'memory' }),
    /** Seals shared sessions instead of a key derived from the password. */
    sessionKey: Type.Optional(Type.String({ minLength: 32, maxLength: 1024 })),
    ca: Type.Optional(Pem),
    /** Certificate and key of the client, if the API or what is in front of it asks for them. */
    cert: Type.Optional(Pem),
    key: Type.Optional(Pem),
    proxy: Type.Optional(Url('https|http')),
  },
  {
    additionalProperties: false,
    dependentRequired: { cert: ['key'], key: ['cert'] },
    if: {
      properties: { auth: { type: 'object', properties: { type: { enum: WITHOUT_ADDRESS } }, required: ['type'] } },
      required: ['auth'],
    },
    then: { required: ['baseUrl'] },
  },
);

export type MdmConfig = Type.Static<typeof Mdm>;

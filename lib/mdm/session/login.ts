import { describeCause } from '../../contract/causes.ts';
import { Deadline } from '../../core/deadline.ts';
import { beforeSending, ConnectorError } from '../../core/errors.ts';
import type { MdmConfig } from '../../config/config.schema.ts';
import { isSecureUrl } from '../../config/config-urls.ts';
import { deriveBaseUrl, withoutSlash } from './base-url.ts';
import { credentialsOf, type LoginAuth } from './credentials.ts';
import { loginErrorOf } from '../exchange/errors.ts';
import { mergeHeaders } from '../exchange/headers.ts';
import { serviceNameFirst } from '../exchange/service-name.ts';
import { readObject, requestIdOfError } from '../exchange/response.ts';
import { withRequestSpan } from '../exchange/span.ts';
import { fetchToken } from './oauth-token.ts';
import { lifeOf, lifeUntil } from './token.ts';
import { exchange, type HttpResponse } from '../exchange/transport.ts';

/** A session, and the address of the API. */
export interface Session {
  readonly id: string;
  /** Address of the tenant's pod, without a trailing slash. */
  readonly baseUrl: string;
  /** Its life from the login on, in milliseconds; absent if only a 401 ends it. */
  readonly lifeMs?: number;
  /** When it was opened, by the service's clock, in milliseconds since 1970. */
  readonly openedAt?: number;
}

/** What a login's response says. */
interface Opened {
  readonly id: unknown;
  /** Absent if the login does not know the address of the API. */
  readonly apiUrl?: unknown;
  /** When the session ends; absent if the response does not say. */
  readonly endsAt?: unknown;
}

/** A method to log in. */
interface Method<Auth> {
  readonly path: string;
  /** The body of the request. */
  body(auth: Auth, config: MdmConfig, deadline: Deadline): object | Promise<object>;
  read(body: Record<string, unknown>): Opened;
}

const METHODS: { [Type in LoginAuth['type']]: Method<Extract<LoginAuth, { type: Type }>> } = {
  'login-v3': {
    path: '/saas/public/core/v3/login',
    body: ({ username, password }) => ({ username, password }),
    read: readV3,
  },
  'login-v2': {
    path: '/ma/api/v2/user/login',
    body: ({ username, password }) => ({ '@type': 'login', username, password }),
    read: readV2,
  },
  'login-identity': {
    path: '/identity-service/api/v1/Login',
    body: ({ username, password }) => ({ username, password }),
    read: ({ sessionId, sessionExpireTime }) => ({ id: sessionId, endsAt: sessionExpireTime }),
  },
  'login-oauth': {
    path: '/ma/api/v2/user/loginOAuth',
    body: async (auth, config, deadline) => ({
      orgId: auth.orgId,
      oauthToken: await fetchToken(auth, config, deadline),
    }),
    read: readV2,
  },
};

/** Characters of a session id, which travels in a header. */
const SESSION_ID = /^[\x21-\x7e]{1,16384}$/;

/**
 * Opens a session, within the configuration's `timeoutMs`. A pass-through session is used unchanged. Errors have the
 * outcome `not-sent`, that of the call that needs the session.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` (502) if the login is refused; `MDM:SERVER_ERROR`, `MDM:TIMEOUT` and
 *   `MDM:CONNECTIVITY` as for every call.
 */
export async function openSession(config: MdmConfig): Promise<Session> {
  const { auth, baseUrl } = config;
  if (auth.type === 'session') {
    return { id: auth.sessionId, baseUrl: withoutSlash(new URL(baseUrl!).href), openedAt: Date.now() };
  }
  return logIn(auth, config).catch((error: unknown) => {
    throw beforeSending(error);
  });
}

async function logIn(auth: LoginAuth, config: MdmConfig): Promise<Session> {
  const method = METHODS[auth.type] as Method<LoginAuth>;
  const deadline = Deadline.after(config.timeoutMs);
  const body: { readonly oauthToken?: string } = await method.body(auth, config, deadline);
  const call = {
    method: 'POST',
    purpose: 'login' as const,
    url: loginHostOf(auth.loginUrl) + method.path,
    headers: mergeHeaders(config.headers, { 'content-type': 'application/json', accept: 'application/json' }),
    body: JSON.stringify(body),
  };
  const response = await withRequestSpan(call.method, call.url, () => exchange(call, config, deadline));
  if (response.status < 200 || response.status >= 300) {
    const { name, secret } = credentialsOf(auth);
    const words = Object.values(config.headers);
    throw loginErrorOf(response, { values: [secret, name, body.oauthToken], words });
  }
  const { id, apiUrl, endsAt } = method.read(readObject(response));
  if (typeof id !== 'string' || !SESSION_ID.test(id)) throw incomplete(response);
  const date = response.headers.get('date');
  return {
    id,
    baseUrl: baseUrlOf(config, apiUrl, response),
    lifeMs: lifeOf(id, date) ?? lifeUntil(endsAt, date),
    openedAt: Date.parse(date ?? '') || Date.now(),
  };
}

/** The address of a login service, without a path that belongs to the login itself. */
export const loginHostOf = (loginUrl: string) => withoutSlash(loginUrl).replace(/\/(saas|ma|identity-service)$/, '');

function readV3({ userInfo, products }: Record<string, unknown>): Opened {
  const known = (Array.isArray(products) ? products : []) as ({ name?: unknown; baseApiUrl?: unknown } | null)[];
  const product = known.find((candidate) => candidate?.name === 'Integration Cloud') ?? known[0];
  return { id: (userInfo as { sessionId?: unknown } | null | undefined)?.sessionId, apiUrl: product?.baseApiUrl };
}

function readV2({ icSessionId, serverUrl }: Record<string, unknown>): Opened {
  return { id: icSessionId, apiUrl: serverUrl };
}

/** The configured address, or the one from the login. */
function baseUrlOf({ baseUrl }: MdmConfig, apiUrl: unknown, response: HttpResponse): string {
  if (baseUrl !== undefined) return withoutSlash(new URL(baseUrl).href);
  if (typeof apiUrl !== 'string' || !URL.canParse(apiUrl) || !isSecureUrl(new URL(apiUrl))) throw incomplete(response);
  return deriveBaseUrl(apiUrl);
}

function incomplete(response: HttpResponse): ConnectorError {
  const { detail, hint } = describeCause('mdm-login-incomplete', { place: serviceNameFirst(response.request) });
  return new ConnectorError('MDM:SERVER_ERROR', detail, {
    hint,
    upstreamStatus: response.status,
    upstreamRequestId: requestIdOfError(response),
  });
}

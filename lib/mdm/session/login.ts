import { describeCause } from '../../contract/causes.ts';
import { Deadline } from '../../core/deadline.ts';
import { beforeSending, ConnectorError } from '../../core/errors.ts';
import type { MdmConfig } from '../../runtime/config.schema.ts';
import { isSecureUrl } from '../../runtime/config-urls.ts';
import { deriveBaseUrl, withoutSlash } from './base-url.ts';
import { loginErrorOf } from '../exchange/errors.ts';
import { mergeHeaders } from '../exchange/headers.ts';
import { placeFirst } from '../exchange/place.ts';
import { readObject, requestIdOf } from '../exchange/response.ts';
import { lifeOf } from './token.ts';
import { exchange, type HttpResponse } from '../exchange/transport.ts';

/** A session, and the address of the API. */
export interface Session {
  readonly id: string;
  /** Address of the tenant's pod, without a trailing slash. */
  readonly baseUrl: string;
  /** Its life from the login on, in milliseconds; absent if only a 401 ends it. */
  readonly lifeMs?: number;
}

type LoginAuth = Extract<MdmConfig['auth'], { loginUrl: string }>;

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
  if (auth.type === 'session') return { id: auth.sessionId, baseUrl: withoutSlash(new URL(baseUrl!).href) };
  return logIn(auth, config).catch((error: unknown) => {
    throw beforeSending(error);
  });
}

async function logIn(auth: LoginAuth, config: MdmConfig): Promise<Session> {
  const response = await sendLogin(auth, config);
  if (response.status < 200 || response.status >= 300)
    throw loginErrorOf(response, { values: [auth.password, auth.username] });
  const { id, apiUrl } = auth.type === 'login-v3' ? readV3(response) : readV2(response);
  if (typeof id !== 'string' || !SESSION_ID.test(id)) throw incomplete(response);
  return { id, baseUrl: baseUrlOf(config, apiUrl, response), lifeMs: lifeOf(id, response.headers.get('date')) };
}

function sendLogin({ type, loginUrl, username, password }: LoginAuth, config: MdmConfig): Promise<HttpResponse> {
  const path = type === 'login-v3' ? '/saas/public/core/v3/login' : '/ma/api/v2/user/login';
  const body = { ...(type === 'login-v2' && { '@type': 'login' }), username, password };
  const call = {
    method: 'POST',
    purpose: 'login' as const,
    url: hostOf(loginUrl) + path,
    headers: mergeHeaders(config.headers, { 'content-type': 'application/json', accept: 'application/json' }),
    body: JSON.stringify(body),
  };
  return exchange(call, config, Deadline.after(config.timeoutMs));
}

/** The address without a path that belongs to the login itself. */
const hostOf = (loginUrl: string) => withoutSlash(loginUrl).replace(/\/(saas|ma)$/, '');

function readV3(response: HttpResponse): { id: unknown; apiUrl: unknown } {
  const { userInfo, products } = readObject(response) as {
    userInfo?: { sessionId?: unknown } | null;
    products?: unknown;
  };
  const known = (Array.isArray(products) ? products : []) as ({ name?: unknown; baseApiUrl?: unknown } | null)[];
  const product = known.find((candidate) => candidate?.name === 'Integration Cloud') ?? known[0];
  return { id: userInfo?.sessionId, apiUrl: product?.baseApiUrl };
}

function readV2(response: HttpResponse): { id: unknown; apiUrl: unknown } {
  const { icSessionId, serverUrl } = readObject(response);
  return { id: icSessionId, apiUrl: serverUrl };
}

/** The configured address, or the one from the login. */
function baseUrlOf({ baseUrl }: MdmConfig, apiUrl: unknown, response: HttpResponse): string {
  if (baseUrl !== undefined) return withoutSlash(new URL(baseUrl).href);
  if (typeof apiUrl !== 'string' || !URL.canParse(apiUrl) || !isSecureUrl(new URL(apiUrl))) throw incomplete(response);
  return deriveBaseUrl(apiUrl);
}

function incomplete(response: HttpResponse): ConnectorError {
  const { detail, hint } = describeCause('mdm-login-incomplete', { place: placeFirst(response.of) });
  return new ConnectorError('MDM:SERVER_ERROR', detail, {
    hint,
    upstreamStatus: response.status,
    upstreamRequestId: requestIdOf(response),
  });
}

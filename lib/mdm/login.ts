import type { MdmConfig } from '../runtime/config.schema.ts';
import { Deadline } from '../core/deadline.ts';
import { ConnectorError } from '../core/errors.ts';
import { readObject, requestIdOf } from './response.ts';
import { checkSecure, deriveBaseUrl } from './base-url.ts';
import { loginErrorOf } from './errors.ts';
import { exchange, type HttpResponse } from './transport.ts';

/** What calls travel with. */
export interface Session {
  readonly id: string;
  /** Of the tenant's pod, without a slash at its end. */
  readonly baseUrl: string;
  /** When it should be renewed, in epoch milliseconds; absent where only a 401 tells. */
  readonly renewAt?: number;
  /** When it ends for certain, in epoch milliseconds. */
  readonly endsAt?: number;
}

type LoginAuth = Extract<MdmConfig['auth'], { loginUrl: string }>;

/** The vendor advises to log in again this long before a token ends. */
const RENEW_AHEAD_MS = 5 * 60_000;

/**
 * Opens a session, within the configuration's `timeoutMs`. A pass-through session is taken as it is.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` (502) when the login is refused; `MDM:SERVER_ERROR`, `MDM:TIMEOUT` and
 *   `MDM:CONNECTIVITY` as every call.
 */
export async function openSession(config: MdmConfig): Promise<Session> {
  const { auth } = config;
  if (auth.type === 'session') return { id: auth.sessionId, baseUrl: checkSecure(config.baseUrl!, 'baseUrl') };
  const answer = await sendLogin(auth, config);
  if (answer.status !== 200) throw loginErrorOf(answer);
  const { id, apiUrl } = auth.type === 'login-v3' ? readV3(answer) : readV2(answer);
  if (typeof id !== 'string' || id === '') throw incomplete(answer);
  if (config.baseUrl) return { id, baseUrl: checkSecure(config.baseUrl, 'baseUrl'), ...lifeOf(id) };
  if (typeof apiUrl !== 'string' || !URL.canParse(apiUrl)) throw incomplete(answer);
  return { id, baseUrl: checkSecure(deriveBaseUrl(apiUrl), 'baseUrl'), ...lifeOf(id) };
}

/** Ends a session that a login opened. Only for the last user of it, when all its calls have been answered. */
export async function closeSession(session: Session, config: MdmConfig): Promise<void> {
  const { auth } = config;
  if (auth.type === 'session') return;
  const url = new URL(`${checkSecure(auth.loginUrl, 'auth.loginUrl')}/saas/public/core/v3/logout`);
  const headers = { 'INFA-SESSION-ID': session.id };
  await exchange({ method: 'POST', url, headers }, config, Deadline.after(config.timeoutMs));
}

function sendLogin({ type, loginUrl, username, password }: LoginAuth, config: MdmConfig): Promise<HttpResponse> {
  const path = type === 'login-v3' ? '/saas/public/core/v3/login' : '/ma/api/v2/user/login';
  const body = { ...(type === 'login-v2' && { '@type': 'login' }), username, password };
  const call = {
    method: 'POST',
    url: new URL(checkSecure(loginUrl, 'auth.loginUrl') + path),
    headers: { ...config.headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  };
  return exchange(call, config, Deadline.after(config.timeoutMs));
}

function readV3(answer: HttpResponse): { id: unknown; apiUrl: unknown } {
  const { userInfo, products } = readObject(answer) as {
    userInfo?: { sessionId?: unknown };
    products?: { name?: string; baseApiUrl?: unknown }[];
  };
  const product = products?.find(({ name }) => name === 'Integration Cloud') ?? products?.[0];
  return { id: userInfo?.sessionId, apiUrl: product?.baseApiUrl };
}

function readV2(answer: HttpResponse): { id: unknown; apiUrl: unknown } {
  const { icSessionId, serverUrl } = readObject(answer);
  return { id: icSessionId, apiUrl: serverUrl };
}

function incomplete(answer: HttpResponse): ConnectorError {
  return new ConnectorError('MDM:SERVER_ERROR', 'The login was answered without a session or the address of the API', {
    upstreamStatus: answer.status,
    upstreamRequestId: requestIdOf(answer),
  });
}

/** A session id may be a JWT; then its `exp` tells when it ends. */
function lifeOf(id: string): Pick<Session, 'renewAt' | 'endsAt'> {
  const exp = expiryOf(id);
  if (exp === undefined) return {};
  const endsAt = exp * 1000;
  return { endsAt, renewAt: endsAt - Math.min(RENEW_AHEAD_MS, (endsAt - Date.now()) * 0.2) };
}

function expiryOf(id: string): number | undefined {
  const [, claims = '', signature] = id.split('.');
  if (signature === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? exp : undefined;
  } catch {
    return undefined;
  }
}

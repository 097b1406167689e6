import { loginRefusal, ok, type SandboxResponse } from '../records/responses.ts';
import { readJson, type Call, type Tenant } from '../tenant/tenant.ts';

/** Where the organisation's identity provider is, which the sandbox plays too. */
export const TOKEN_PATH = 'idp/oauth2/token';

/** Handles a login or a logout; undefined for any other path. */
export function answerLogin(tenant: Tenant, call: Call, path: string): SandboxResponse | undefined {
  if (path === 'saas/public/core/v3/login') return loginV3(tenant, call);
  if (path === 'saas/public/core/v3/logout') return logout(tenant, call);
  if (path === 'ma/api/v2/user/login') return loginV2(tenant, call);
  if (path === 'ma/api/v2/user/loginOAuth') return loginOAuth(tenant, call);
  if (path === 'identity-service/api/v1/Login') return loginIdentity(tenant, call);
  if (path === 'identity-service/api/v1/Logout') return logout(tenant, call);
  if (path === TOKEN_PATH) return issueToken(tenant, call);
  return undefined;
}

function loginV3({ sessions, url }: Tenant, { body }: Call): SandboxResponse {
  const { username, password } = readJson(body);
  const sessionId = sessions.open(username, password);
  if (!sessionId) throw loginRefusal('v3', 401, 'IDS_085', 'The user name or password is not valid.');
  const products = [{ name: 'Integration Cloud', baseApiUrl: `${url()}/saas` }];
  return ok({ products, userInfo: { sessionId, id: 'user-1', name: username, orgId: 'org-1', orgName: 'Sandbox' } });
}

function loginV2({ sessions, url }: Tenant, { body }: Call): SandboxResponse {
  const { username, password } = readJson(body);
  const icSessionId = sessions.open(username, password);
  if (!icSessionId) throw loginRefusal('v2', 401, 'AUTH_01', 'The user name or password is not valid.');
  return ok({ '@type': 'user', icSessionId, serverUrl: `${url()}/saas`, name: username });
}

function loginOAuth({ sessions, url }: Tenant, { body }: Call): SandboxResponse {
  const { orgId, oauthToken } = readJson(body);
  const icSessionId = sessions.openByToken(orgId, oauthToken);
  if (!icSessionId) throw loginRefusal('v2', 401, 'AUTH_01', 'The token is not valid.');
  return ok({ '@type': 'user', icSessionId, serverUrl: `${url()}/saas`, orgId });
}

/** This login does not know the address of the API. */
function loginIdentity({ sessions }: Tenant, { body }: Call): SandboxResponse {
  const { username, password } = readJson(body);
  const sessionId = sessions.open(username, password);
  if (!sessionId) throw loginRefusal('v3', 401, 'IDS_085', 'The user name or password is not valid.');
  return ok({ sessionId, sessionExpireTime: new Date(sessions.endOf(sessionId)).toISOString() });
}

function issueToken({ sessions }: Tenant, { body, headers }: Call): SandboxResponse {
  const form = new URLSearchParams(body);
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  if (!isForm || form.get('grant_type') !== 'client_credentials') {
    return ok({ error: 'unsupported_grant_type' }, 400);
  }
  const token = sessions.issueToken(form.get('client_id'), form.get('client_secret'));
  if (!token) return ok({ error: 'invalid_client', error_description: 'The client is not known' }, 401);
  return ok({ access_token: token, token_type: 'Bearer', expires_in: 300 });
}

function logout({ sessions }: Tenant, { headers }: Call): SandboxResponse {
  if (!sessions.close(headers['infa-session-id']))
    throw loginRefusal('v3', 401, 'IDS_003', 'The session is not valid.');
  return { status: 200 };
}

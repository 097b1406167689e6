import { loginRefusal, ok, type SandboxResponse } from '../records/responses.ts';
import { readJson, type Call, type Tenant } from '../tenant/tenant.ts';

/** Handles a login or a logout; undefined for any other path. */
export function answerLogin(tenant: Tenant, call: Call, path: string): SandboxResponse | undefined {
  if (path === 'saas/public/core/v3/login') return loginV3(tenant, call);
  if (path === 'saas/public/core/v3/logout') return logout(tenant, call);
  if (path === 'ma/api/v2/user/login') return loginV2(tenant, call);
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

function logout({ sessions }: Tenant, { headers }: Call): SandboxResponse {
  if (!sessions.close(headers['infa-session-id']))
    throw loginRefusal('v3', 401, 'IDS_003', 'The session is not valid.');
  return { status: 200 };
}

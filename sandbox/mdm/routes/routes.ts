import { codeListRoutes } from './code-list-routes.ts';
import { groupRoutes } from './group-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { answerLogin } from './login-routes.ts';
import { matchRoutes } from './match.ts';
import { metadataRoutes } from './metadata-routes.ts';
import { recordRoutes } from './record-routes.ts';
import { relationshipRoutes } from './relationship-routes.ts';
import { refusal, type SandboxResponse } from '../records/responses.ts';
import type { Call, RouteEntry, Tenant } from '../tenant/tenant.ts';

const ROUTES: readonly RouteEntry[] = [
  ...recordRoutes,
  ...groupRoutes,
  ...matchRoutes,
  ...relationshipRoutes,
  ...jobRoutes,
  ...metadataRoutes,
  ...codeListRoutes,
];

/** Handles a call of the API, including logins. */
export function answerCall(tenant: Tenant, call: Call): SandboxResponse {
  const path = call.segments.join('/');
  const login = answerLogin(tenant, call, path);
  if (login) return login;
  if (!tenant.sessions.use(call.headers['ids-session-id'])) throw refusal(401, 'AUTH_01', 'The session is not valid');
  const found = ROUTES.find(([method, prefix]) => method === call.method && `${path}/`.startsWith(`${prefix}/`));
  if (!found) throw refusal(404, 'RESOURCE_NOT_FOUND', 'No such resource');
  const [, prefix, route] = found;
  return route(tenant, call, call.segments.slice(prefix.split('/').length));
}

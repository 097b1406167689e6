import { parseExact } from '../../../lib/core/json.ts';
import { loginRefusal, ok, refusal, type Answer } from './responses.ts';
import type { Records } from './records.ts';
import { search, type SearchOptions } from './search.ts';
import type { Sessions } from './sessions.ts';
import { showGolden, showHit, showSource, type WriteId } from './views.ts';

type Json = Record<string, unknown>;

/** What the routes speak of. */
export interface Tenant {
  readonly records: Records;
  readonly sessions: Sessions;
  readonly writeId: WriteId;
  readonly dataModel: string;
  readonly search?: SearchOptions;
  /** Where the tenant's pods are reached, for the login's answer. */
  readonly url: () => string;
}

export interface Call {
  method: string;
  /** Decoded path segments. */
  segments: string[];
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: string;
}

type Route = (tenant: Tenant, call: Call, rest: string[]) => Answer;

const ROUTES: [string, string, Route][] = [
  ['GET', 'business-entity/public/api/v1/entity-xref', readSource],
  ['GET', 'business-entity/public/api/v1/entity', readMaster],
  ['POST', 'business-entity/public/api/v1/entity', submitSource],
  ['POST', 'search/public/api/v1/search', searchRecords],
  ['GET', 'metadata/api/v2/objects', readMetadata],
];

/** Answers a call of the API, its logins included. */
export function answerCall(tenant: Tenant, call: Call): Answer {
  const path = call.segments.join('/');
  if (path === 'saas/public/core/v3/login') return loginV3(tenant, call);
  if (path === 'saas/public/core/v3/logout') return logout(tenant, call);
  if (path === 'ma/api/v2/user/login') return loginV2(tenant, call);
  if (!tenant.sessions.use(call.headers['ids-session-id'])) throw refusal(401, 'AUTH_01', 'The session is not valid');
  const route = ROUTES.find(([method, prefix]) => method === call.method && `${path}/`.startsWith(`${prefix}/`));
  if (!route) throw refusal(404, 'RESOURCE_NOT_FOUND', 'No such resource');
  return route[2](tenant, call, call.segments.slice(route[1].split('/').length));
}

function loginV3({ sessions, url }: Tenant, { body }: Call): Answer {
  const { username, password } = readJson(body);
  const sessionId = sessions.open(username, password);
  if (!sessionId) throw loginRefusal('v3', 401, 'IDS_085', 'The user name or password is not valid.');
  const products = [{ name: 'Integration Cloud', baseApiUrl: `${url()}/saas` }];
  return ok({ products, userInfo: { sessionId, id: 'user-1', name: username, orgId: 'org-1', orgName: 'Sandbox' } });
}

function loginV2({ sessions, url }: Tenant, { body }: Call): Answer {
  const { username, password } = readJson(body);
  const icSessionId = sessions.open(username, password);
  if (!icSessionId) throw loginRefusal('v2', 401, 'AUTH_01', 'The user name or password is not valid.');
  return ok({ '@type': 'user', icSessionId, serverUrl: `${url()}/saas`, name: username });
}

function logout({ sessions }: Tenant, { headers }: Call): Answer {
  if (!sessions.close(headers['infa-session-id']))
    throw loginRefusal('v3', 401, 'IDS_003', 'The session is not valid.');
  return { status: 200 };
}

function readMaster({ records, writeId }: Tenant, { query }: Call, rest: string[]): Answer {
  const [entity = '', ...key] = rest;
  records.entity(entity);
  const businessId = key.length === 2 ? records.source(entity, key[0]!, key[1]!)?.businessId : key[0];
  const golden = records.golden(entity, businessId ?? '');
  const pendingOnly = query.get('_showPending') === 'true';
  if (!golden || golden.hidden || (pendingOnly && golden.state !== 'PENDING')) {
    throw refusal(404, 'MDM_RECORD_NOT_FOUND', `Record ${key.join('/')} does not exist`);
  }
  return ok(showGolden(golden, writeId, query.get('_showContentMeta') === 'true'));
}

function readSource(
  { records, writeId }: Tenant,
  { query }: Call,
  [entity = '', system = '', key = '']: string[],
): Answer {
  records.entity(entity);
  const source = records.source(entity, system, key);
  if (!source) throw refusal(404, 'MDM_XREF_NOT_FOUND', `Cross reference ${system}/${key} does not exist`);
  return ok(showSource(source, writeId, query.get('_showContentMeta') === 'true'));
}

function submitSource({ records, writeId }: Tenant, { query, body }: Call, [entity = '']: string[]): Answer {
  const { source, created } = records.submit({
    entity,
    sourceSystem: query.get('sourceSystem') ?? '',
    sourcePKey: query.get('sourcePKey') ?? undefined,
    businessId: query.get('businessId') ?? undefined,
    record: readJson(body),
  });
  const id = `${source.sourceSystem}:${source.sourcePKey}`;
  return ok({ approvalRequired: false, id, businessId: writeId(source.businessId) }, created ? 201 : 200);
}

function searchRecords({ records, writeId, search: options }: Tenant, { query, body }: Call): Answer {
  const { hits, page, paging } = search(records, readJson(body), options);
  const withContentMeta = query.get('_showContentMeta') === 'true';
  return ok({
    searchResult: {
      hits,
      ...paging,
      records: page.map((golden) => showHit(golden, writeId, withContentMeta)),
    },
  });
}

function readMetadata({ records, dataModel }: Tenant, _call: Call, [resource = '', id = '']: string[]): Answer {
  const model = () => JSON.parse(dataModel) as { relationship: unknown[]; view?: { guid: string }[] };
  switch (resource) {
    case 'tenantModel':
      return { status: 200, body: dataModel };
    case 'businessEntity':
      return ok(records.entity(id));
    case 'relationship':
      return ok(model().relationship);
    case 'referenceEntity':
      return ok({ guid: id, name: id, storage: 'ref', field: [] });
    case 'view':
    case 'externalResource':
      return ok({ guid: id, name: id, field: [] });
    default:
      throw refusal(404, 'METADATA_NOT_FOUND', 'No such kind of metadata');
  }
}

function readJson(text: string): Json {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal(400, 'BAD_JSON', 'The body is not a JSON object');
  return value as Json;
}

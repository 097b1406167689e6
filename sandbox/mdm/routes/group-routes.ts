import { merge, unmerge, type Grouping } from '../records/grouping.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { readList, type Call, type Json, type RouteEntry, type Tenant } from '../tenant/tenant.ts';
import type { GoldenRecord, SourceRecord } from '../records/record.ts';
import { showGolden } from '../records/views.ts';

const GROUP = 'business-entity/public/api/v1/entity-group';

/** Routes for the source records of a golden record. */
export const groupRoutes: readonly RouteEntry[] = [
  ['GET', 'business-entity/public/api/v1/entity-member', listMembers],
  ['POST', GROUP, changeGroup],
  ['POST', 'business-entity/public/api/v1/preview-entity', previewMerge],
];

function listMembers(
  { records, dialect }: Tenant,
  { query }: Call,
  [entity = '', businessId = '']: string[],
): SandboxResponse {
  const { sources } = records.knownGolden(entity, businessId);
  return dialect.list([...sources].map(dialect.member), query);
}

/** `POST entity-group/{be}` merges, `POST entity-group/{be}/{businessId}` unmerges. */
function changeGroup(tenant: Tenant, call: Call, [entity = '', businessId]: string[]): SandboxResponse {
  tenant.records.entity(entity);
  return businessId === undefined
    ? mergeRecords(tenant, call, entity)
    : unmergeRecord(tenant, call, entity, businessId);
}

function mergeRecords(tenant: Tenant, { body }: Call, entity: string): SandboxResponse {
  const { records, relationships, writeId, dialect } = tenant;
  const [survivor, ...others] = goldensOf(records, body, entity);
  if (others.length === 0) throw refusal(400, 'MDM_MERGE_ONE_RECORD', 'These are one record already');
  merge(records, survivor!, others);
  for (const { businessId } of others) {
    relationships.move(businessId, survivor!.businessId);
    if (dialect.name === 'service') records.redirect(businessId, survivor!.businessId);
  }
  return ok({ approvalRequired: false, businessId: writeId(survivor!.businessId) });
}

/** The golden record that a merge would give. */
function previewMerge(tenant: Tenant, { body }: Call, [entity = '']: string[]): SandboxResponse {
  const all = goldensOf(tenant.records, body, entity);
  const sources = new Set(all.flatMap((golden) => [...golden.sources]));
  return ok(showGolden({ ...all[0]!, sources, blended: undefined }, tenant, false));
}

/** The golden records that a body names, each once. */
function goldensOf(records: Tenant['records'], body: string, entity: string): GoldenRecord[] {
  const ids = readList(body, 2).map((item) =>
    typeof item.businessId === 'string' ? item.businessId : sourceOf(records, entity, item).businessId,
  );
  return [...new Set(ids.map((id) => records.knownGolden(entity, id)))];
}

function unmergeRecord(
  { records, relationships }: Tenant,
  call: Call,
  entity: string,
  businessId: string,
): SandboxResponse {
  const golden = records.knownGolden(entity, businessId);
  const removed = readList(call.body, 1).map((item) => sourceOf(records, entity, item));
  if (removed.some((source) => !golden.sources.has(source))) {
    throw refusal(400, 'MDM_NOT_A_MEMBER', 'A source record is not of this golden record');
  }
  if (new Set(removed).size === golden.sources.size) {
    throw refusal(400, 'MDM_NOTHING_REMAINS', 'A source record must remain');
  }
  unmerge(records, golden, removed, {
    remaining: groupingOf(call.query.get('_groupingForRemains') ?? 'ALL'),
    removed: groupingOf(call.query.get('_groupingForRemoved') ?? 'NONE'),
  });
  if (call.query.get('_keepRelsWith') === 'NONE') relationships.forget(businessId);
  return ok({ approvalRequired: false });
}

function groupingOf(text: string): Grouping {
  if (text === 'ALL' || text === 'NONE') return text;
  throw refusal(400, 'MDM_GROUPING_UNKNOWN', 'A grouping is ALL or NONE');
}

function sourceOf(records: Tenant['records'], entity: string, { sourceSystem, sourcePKey }: Json): SourceRecord {
  const source = records.source(entity, String(sourceSystem), String(sourcePKey));
  if (!source) throw refusal(404, 'MDM_XREF_NOT_FOUND', 'A source record does not exist');
  return source;
}

import { merge, unmerge, type Grouping } from '../records/grouping.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { readList, type Call, type Json, type RouteEntry, type Tenant } from '../tenant/tenant.ts';
import type { GoldenRecord, SourceRecord } from '../records/record.ts';

const GROUP = 'business-entity/public/api/v1/entity-group';

/** Routes for the source records of a golden record. */
export const groupRoutes: readonly RouteEntry[] = [
  ['GET', 'business-entity/public/api/v1/entity-member', listMembers],
  ['POST', GROUP, changeGroup],
];

function listMembers(
  { records, dialect }: Tenant,
  { query }: Call,
  [entity = '', businessId = '']: string[],
): SandboxResponse {
  const { sources } = knownGolden(records, entity, businessId);
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
  const all = readList(body, 2).map((item) =>
    typeof item.businessId === 'string'
      ? knownGolden(records, entity, item.businessId)
      : knownGolden(records, entity, sourceOf(records, entity, item).businessId),
  );
  const [survivor, ...others] = [...new Set(all)];
  if (others.length === 0) throw refusal(400, 'MDM_MERGE_ONE_RECORD', 'These are one record already');
  merge(records, survivor!, others);
  for (const { businessId } of others) {
    relationships.move(businessId, survivor!.businessId);
    if (dialect.name === 'service') records.redirect(businessId, survivor!.businessId);
  }
  return ok({ approvalRequired: false, businessId: writeId(survivor!.businessId) });
}

function unmergeRecord(
  { records, relationships }: Tenant,
  call: Call,
  entity: string,
  businessId: string,
): SandboxResponse {
  const golden = knownGolden(records, entity, businessId);
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

function knownGolden(records: Tenant['records'], entity: string, businessId: string): GoldenRecord {
  records.entity(entity);
  const golden = records.golden(entity, businessId);
  if (!golden) throw refusal(404, 'MDM_RECORD_NOT_FOUND', `Record ${businessId} does not exist`);
  return golden;
}

function sourceOf(records: Tenant['records'], entity: string, { sourceSystem, sourcePKey }: Json): SourceRecord {
  const source = records.source(entity, String(sourceSystem), String(sourcePKey));
  if (!source) throw refusal(404, 'MDM_XREF_NOT_FOUND', 'A source record does not exist');
  return source;
}

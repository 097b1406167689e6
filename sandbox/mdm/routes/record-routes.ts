import { applyPatch } from './json-patch.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { search } from '../records/search.ts';
import { readJson, readList, type Call, type Json, type RouteEntry, type Tenant } from '../tenant/tenant.ts';
import { fieldsOf, showGolden, showHit, showSource } from '../records/views.ts';
import type { SourceRecord } from '../records/record.ts';
import type { Submit } from '../records/records.ts';

const ENTITY = 'business-entity/public/api/v1/entity';
const XREF = 'business-entity/public/api/v1/entity-xref';

/** Golden records, source records and search. */
export const recordRoutes: readonly RouteEntry[] = [
  ['GET', XREF, readSource],
  ['PUT', XREF, replaceSource],
  ['PATCH', XREF, patchSource],
  ['DELETE', XREF, deleteSource],
  ['GET', ENTITY, readMaster],
  ['POST', ENTITY, submitSource],
  ['POST', 'search/public/api/v1/search', searchRecords],
];

function readMaster(tenant: Tenant, { query }: Call, rest: string[]): SandboxResponse {
  const { records } = tenant;
  const [entity = '', ...key] = rest;
  records.entity(entity);
  const businessId = key.length === 2 ? records.source(entity, key[0]!, key[1]!)?.businessId : key[0];
  const golden = records.golden(entity, businessId ?? '');
  const pendingOnly = query.get('_showPending') === 'true';
  if (!golden || golden.hidden || (pendingOnly && golden.state !== 'PENDING')) {
    throw refusal(404, 'MDM_RECORD_NOT_FOUND', `Record ${key.join('/')} does not exist`);
  }
  return ok(showGolden(golden, tenant, query.get('_showContentMeta') === 'true'));
}

function readSource(tenant: Tenant, { query }: Call, rest: string[]): SandboxResponse {
  return ok(showSource(knownSource(tenant, rest), tenant, query.get('_showContentMeta') === 'true'));
}

/** The source record at `{entity}/{system}/{key}`. */
function knownSource({ records }: Tenant, [entity = '', system = '', key = '']: string[]): SourceRecord {
  records.entity(entity);
  const source = records.source(entity, system, key);
  if (!source) throw refusal(404, 'MDM_XREF_NOT_FOUND', `Cross reference ${system}/${key} does not exist`);
  return source;
}

function submitSource(tenant: Tenant, { query, body }: Call, [entity = '']: string[]): SandboxResponse {
  const submit = {
    entity,
    sourceSystem: query.get('sourceSystem') ?? '',
    sourcePKey: query.get('sourcePKey') ?? undefined,
    businessId: query.get('businessId') ?? undefined,
    record: readJson(body),
    replaces: tenant.submitMode === 'full',
  };
  return change(tenant, submit, ({ source, created }) => ({
    status: created ? 201 : 200,
    location: `/${ENTITY}/${entity}/${encodeURIComponent(source.businessId)}`,
  }));
}

function replaceSource(tenant: Tenant, { body }: Call, rest: string[]): SandboxResponse {
  if (!tenant.dialect.replacesUnknown) knownSource(tenant, rest);
  const [entity = '', sourceSystem = '', sourcePKey = ''] = rest;
  return change(tenant, { entity, sourceSystem, sourcePKey, record: readJson(body), replaces: true });
}

function patchSource(tenant: Tenant, call: Call, rest: string[]): SandboxResponse {
  checkPatchType(tenant, call);
  const known = knownSource(tenant, rest);
  const record = applyPatch(fieldsOf(known), readList(call.body, 1));
  const { entity, sourceSystem, sourcePKey } = known;
  return change(tenant, { entity, sourceSystem, sourcePKey, record, replaces: true });
}

function checkPatchType({ dialect }: Tenant, { headers }: Call): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (!dialect.patchTypes.includes(type.trim().toLowerCase())) {
    throw refusal(415, 'MDM_MEDIA_TYPE', 'The media type of the patch is not supported');
  }
}

function deleteSource(tenant: Tenant, _call: Call, rest: string[]): SandboxResponse {
  const { records, relationships, dialect } = tenant;
  const source = knownSource(tenant, rest);
  if (tenant.needsApproval) return dialect.awaitsApproval(tenant.changeLists.next());
  records.delete(source);
  if (!records.goldenById(source.businessId)) relationships.forget(source.businessId);
  return { status: 204 };
}

type Changed = ReturnType<Tenant['records']['submit']>;

/** Changes a source record, unless a person must approve it first. */
function change(
  { records, dialect, writeId, needsApproval, changeLists }: Tenant,
  submit: Submit,
  outcome: (changed: Changed) => { status: number; location?: string } = () => ({ status: 200 }),
): SandboxResponse {
  if (needsApproval) return dialect.awaitsApproval(changeLists.next());
  const changed = records.submit(submit);
  const { sourceSystem, sourcePKey, businessId } = changed.source;
  const body: Json = { id: `${sourceSystem}:${sourcePKey}`, businessId: writeId(businessId) };
  return dialect.written({ ...outcome(changed), body });
}

function searchRecords(tenant: Tenant, { query, body }: Call): SandboxResponse {
  const { hits, page, paging } = search(tenant.records, readJson(body), tenant.search);
  const withContentMeta = query.get('_showContentMeta') === 'true';
  const found = page.map((golden) => showHit(golden, tenant, withContentMeta));
  return ok({ searchResult: tenant.dialect.found({ hits, ...paging, records: found }) });
}

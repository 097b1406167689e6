import { applyPatch } from './json-patch.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { search } from '../records/search.ts';
import { readJson, readList, type Call, type Json, type RouteEntry, type Tenant } from '../tenant/tenant.ts';
import { blendOf } from '../records/survivorship.ts';
import { fieldsOf, showGolden, showHit, showSource } from '../records/views.ts';
import type { GoldenRecord, SourceRecord } from '../records/record.ts';
import type { Submit } from '../records/records.ts';

const ENTITY = 'business-entity/public/api/v1/entity';
const XREF = 'business-entity/public/api/v1/entity-xref';

/** Where this tenant takes the source's time of a change: in the query, or in `_meta`. */
const CHANGED_AT = 'sourceLastUpdatedDate';

/** Golden records, source records and search. */
export const recordRoutes: readonly RouteEntry[] = [
  ['GET', XREF, readSource],
  ['PUT', XREF, replaceSource],
  ['PATCH', XREF, patchSource],
  ['DELETE', XREF, deleteSource],
  ['GET', ENTITY, readMaster],
  ['POST', ENTITY, submitSource],
  ['PUT', ENTITY, updateMaster],
  ['PATCH', ENTITY, patchMaster],
  ['DELETE', ENTITY, deleteMaster],
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

function submitSource(tenant: Tenant, call: Call, [entity = '']: string[]): SandboxResponse {
  const { query, body } = call;
  const submit = {
    entity,
    sourceSystem: query.get('sourceSystem') ?? '',
    sourcePKey: query.get('sourcePKey') ?? undefined,
    businessId: query.get('businessId') ?? undefined,
    record: readJson(body),
    replaces: tenant.submitMode === 'full',
  };
  return change(tenant, call, submit, ({ source, created }) => ({
    status: created ? 201 : 200,
    location: `/${ENTITY}/${entity}/${encodeURIComponent(source.businessId)}`,
  }));
}

function replaceSource(tenant: Tenant, call: Call, rest: string[]): SandboxResponse {
  if (!tenant.dialect.replacesUnknown) knownSource(tenant, rest);
  const [entity = '', sourceSystem = '', sourcePKey = ''] = rest;
  return change(tenant, call, { entity, sourceSystem, sourcePKey, record: readJson(call.body), replaces: true });
}

function patchSource(tenant: Tenant, call: Call, rest: string[]): SandboxResponse {
  checkPatchType(tenant, call);
  const known = knownSource(tenant, rest);
  const record = applyPatch(fieldsOf(known), readList(call.body, 1));
  const { entity, sourceSystem, sourcePKey } = known;
  return change(tenant, call, { entity, sourceSystem, sourcePKey, record, replaces: true });
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

/**
 * The source record of a system that carries a change of a golden record: the named one, its only one, or a new one.
 */
function carrierOf(golden: GoldenRecord, { query }: Call): Pick<Submit, 'sourceSystem' | 'sourcePKey'> {
  const sourceSystem = query.get('sourceSystem') ?? '';
  const ofSystem = [...golden.sources].filter((source) => source.sourceSystem === sourceSystem);
  const [only] = ofSystem.length === 1 ? ofSystem : [];
  return { sourceSystem, sourcePKey: query.get('sourcePKey') ?? only?.sourcePKey };
}

function updateMaster(tenant: Tenant, call: Call, [entity = '', id = '']: string[]): SandboxResponse {
  const golden = tenant.records.knownGolden(entity, id);
  const { businessId } = golden;
  const record = readJson(call.body);
  return change(tenant, call, { entity, businessId, ...carrierOf(golden, call), record, replaces: true });
}

function patchMaster(tenant: Tenant, call: Call, [entity = '', id = '']: string[]): SandboxResponse {
  checkPatchType(tenant, call);
  const golden = tenant.records.knownGolden(entity, id);
  const before = blendOf(golden);
  const whole = applyPatch(before, readList(call.body, 1));
  const names = new Set([...Object.keys(before), ...Object.keys(whole)]);
  const changed = [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(whole[name]));
  const record = Object.fromEntries(changed.map((name) => [name, whole[name] ?? null]));
  const { businessId } = golden;
  return change(tenant, call, { entity, businessId, ...carrierOf(golden, call), record, whole });
}

function deleteMaster(tenant: Tenant, _call: Call, [entity = '', id = '']: string[]): SandboxResponse {
  const { records, relationships, dialect } = tenant;
  const { businessId, sources } = tenant.records.knownGolden(entity, id);
  if (tenant.needsApproval) return dialect.awaitsApproval(tenant.changeLists.next());
  for (const source of [...sources]) records.delete(source);
  relationships.forget(businessId);
  return { status: 204 };
}

type Changed = ReturnType<Tenant['records']['submit']>;

/** Changes a source record, unless a person must approve it first. */
function change(
  { records, dialect, writeId, needsApproval, changeLists }: Tenant,
  call: Call,
  submit: Submit,
  outcome: (changed: Changed) => { status: number; location?: string } = () => ({ status: 200 }),
): SandboxResponse {
  if (needsApproval) return dialect.awaitsApproval(changeLists.next());
  const changed = records.submit({ ...submit, changedAt: changedAtOf(call, submit) });
  const { sourceSystem, sourcePKey, businessId } = changed.source;
  const body: Json = { approvalRequired: false, id: `${sourceSystem}:${sourcePKey}`, businessId: writeId(businessId) };
  return dialect.written({ ...outcome(changed), body });
}

/** When the source changed the record, if the call says so. */
function changedAtOf({ query }: Call, { record }: Submit): number | undefined {
  const ofRecord = (record._meta as Json | undefined)?.[CHANGED_AT];
  const time = query.get(CHANGED_AT) ?? ofRecord;
  if (time === undefined) return undefined;
  const changedAt = Number(time);
  if (!Number.isInteger(changedAt)) throw refusal(400, 'MDM_DATE_INVALID', `${CHANGED_AT} takes epoch milliseconds`);
  return changedAt;
}

function searchRecords(tenant: Tenant, { query, body }: Call): SandboxResponse {
  const { hits, page, paging } = search(tenant.records, readJson(body), tenant.search);
  const withContentMeta = query.get('_showContentMeta') === 'true';
  const found = page.map((golden) => showHit(golden, tenant, withContentMeta));
  return ok({ searchResult: tenant.dialect.found({ hits, ...paging, records: found }) });
}

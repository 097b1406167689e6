import { applyPatch } from './json-patch.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { search } from '../records/search.ts';
import { readJson, readList, type Call, type RouteEntry, type Tenant } from '../tenant/tenant.ts';
import { fieldsOf, showGolden, showHit, showSource, type WriteId } from '../records/views.ts';
import type { SourceRecord } from '../records/record.ts';

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

function readMaster({ records, writeId }: Tenant, { query }: Call, rest: string[]): SandboxResponse {
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

function readSource({ records, writeId }: Tenant, { query }: Call, rest: string[]): SandboxResponse {
  return ok(showSource(knownSource(records, rest), writeId, query.get('_showContentMeta') === 'true'));
}

/** The source record at `{entity}/{system}/{key}`. */
function knownSource(records: Tenant['records'], [entity = '', system = '', key = '']: string[]): SourceRecord {
  records.entity(entity);
  const source = records.source(entity, system, key);
  if (!source) throw refusal(404, 'MDM_XREF_NOT_FOUND', `Cross reference ${system}/${key} does not exist`);
  return source;
}

function submitSource({ records, writeId }: Tenant, { query, body }: Call, [entity = '']: string[]): SandboxResponse {
  const { source, created } = records.submit({
    entity,
    sourceSystem: query.get('sourceSystem') ?? '',
    sourcePKey: query.get('sourcePKey') ?? undefined,
    businessId: query.get('businessId') ?? undefined,
    record: readJson(body),
  });
  return submitted(source, writeId, created ? 201 : 200);
}

function replaceSource({ records, writeId }: Tenant, { body }: Call, rest: string[]): SandboxResponse {
  const { entity, sourceSystem, sourcePKey } = knownSource(records, rest);
  const { source } = records.submit({ entity, sourceSystem, sourcePKey, record: readJson(body), replaces: true });
  return submitted(source, writeId, 200);
}

function patchSource({ records, writeId }: Tenant, { body }: Call, rest: string[]): SandboxResponse {
  const known = knownSource(records, rest);
  const record = applyPatch(fieldsOf(known), readList(body, 1));
  const { entity, sourceSystem, sourcePKey } = known;
  const { source } = records.submit({ entity, sourceSystem, sourcePKey, record, replaces: true });
  return submitted(source, writeId, 200);
}

function deleteSource({ records, relationships }: Tenant, _call: Call, rest: string[]): SandboxResponse {
  const { businessId } = knownSource(records, rest);
  records.delete(knownSource(records, rest));
  if (!records.goldenById(businessId)) relationships.forget(businessId);
  return { status: 204 };
}

function submitted(
  { sourceSystem, sourcePKey, businessId }: SourceRecord,
  writeId: WriteId,
  status: number,
): SandboxResponse {
  return ok({ approvalRequired: false, id: `${sourceSystem}:${sourcePKey}`, businessId: writeId(businessId) }, status);
}

function searchRecords({ records, writeId, search: options }: Tenant, { query, body }: Call): SandboxResponse {
  const { hits, page, paging } = search(records, readJson(body), options);
  const withContentMeta = query.get('_showContentMeta') === 'true';
  const found = page.map((golden) => showHit(golden, writeId, withContentMeta));
  return ok({ searchResult: { hits, ...paging, records: found } });
}

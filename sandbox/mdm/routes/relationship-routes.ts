import { SOURCE_SYSTEMS, type ModelRelationship } from '../records/data-model.ts';
import { refusal, type SandboxResponse } from '../records/responses.ts';
import type { Relationship, RelationshipEnd } from '../records/relationships.ts';
import { readJson, type Call, type Json, type RouteEntry, type Tenant } from '../tenant/tenant.ts';
import type { WriteId } from '../records/views.ts';

const RELATIONSHIP = 'business-entity/public/api/v1/relationship';

/** Relationships between golden records. */
export const relationshipRoutes: readonly RouteEntry[] = [['POST', RELATIONSHIP, createOrFind]];

function createOrFind(tenant: Tenant, call: Call, [id = '', action]: string[]): SandboxResponse {
  const kind = tenant.kinds.find(({ guid }) => guid === id);
  if (!kind) throw refusal(404, 'MDM_RELATIONSHIP_NOT_FOUND', `Relationship ${id} does not exist`);
  return action === 'filter' ? find(tenant, call, id) : create(tenant, call, kind);
}

function create(tenant: Tenant, { query, body }: Call, kind: ModelRelationship): SandboxResponse {
  const sourceSystem = query.get('sourceSystem') ?? '';
  if (!Object.hasOwn(SOURCE_SYSTEMS, sourceSystem)) {
    throw refusal(400, 'MDM_SOURCE_SYSTEM_UNKNOWN', 'The source system does not exist');
  }
  const { _from, _to } = readJson(body);
  const { id, creationDate, changedAt } = tenant.relationships.create({
    kind: kind.guid,
    sourceSystem,
    from: endOf(tenant, _from, kind.from),
    to: endOf(tenant, _to, kind.to),
    hierarchy: { type: query.get('hierarchyType') ?? undefined, id: query.get('hierarchyId') ?? undefined },
  });
  const status = changedAt === creationDate ? 201 : 200;
  return tenant.dialect.written({ status, body: { id }, location: `/${RELATIONSHIP}/${kind.guid}/${id}` });
}

function endOf({ records }: Tenant, value: unknown, entity: string): RelationshipEnd {
  const { businessEntity, businessId } = (value ?? {}) as Json;
  if (businessEntity !== entity) throw refusal(400, 'MDM_RELATIONSHIP_INVALID', `The relationship needs a ${entity}`);
  if (!records.golden(entity, String(businessId))) {
    throw refusal(404, 'MDM_RECORD_NOT_FOUND', `Record ${String(businessId)} does not exist`);
  }
  return { businessEntity: entity, businessId: String(businessId) };
}

function find({ relationships, writeId, dialect }: Tenant, { query, body }: Call, kind: string): SandboxResponse {
  const { _from, _to } = (readJson(body).filter ?? {}) as { _from?: RelationshipEnd; _to?: RelationshipEnd };
  if (!_from && !_to) throw refusal(400, 'MDM_FILTER_EMPTY', 'The filter names no end');
  const found = relationships.find(kind, { from: _from, to: _to });
  return dialect.list(
    found.map((relationship) => show(relationship, writeId)),
    query,
  );
}

function show({ id, kind, sourceSystem, from, to, hierarchy, creationDate }: Relationship, writeId: WriteId): Json {
  const end = ({ businessEntity, businessId }: RelationshipEnd) => ({
    businessEntity,
    businessId: writeId(businessId),
  });
  return {
    _meta: { id, relationship: kind, sourceSystem, creationDate, ...(hierarchy.type !== undefined && { hierarchy }) },
    _from: end(from),
    _to: end(to),
  };
}

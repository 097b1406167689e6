import { SOURCE_SYSTEMS, type ModelField, type ModelRelationship } from '../records/data-model.ts';
import { readFields } from '../records/record-check.ts';
import { ok, refusal, type SandboxResponse } from '../records/responses.ts';
import { change, type Relationship, type RelationshipEnd } from '../records/relationships.ts';
import { readJson, type Call, type Json, type RouteEntry, type Tenant } from '../tenant/tenant.ts';
import type { WriteId } from '../records/views.ts';

const RELATIONSHIP = 'business-entity/public/api/v1/relationship';

/** Relationships between golden records. */
export const relationshipRoutes: readonly RouteEntry[] = [
  ['POST', RELATIONSHIP, createOrFind],
  ['GET', RELATIONSHIP, read],
  ['PUT', RELATIONSHIP, update],
  ['DELETE', RELATIONSHIP, remove],
];

function createOrFind(tenant: Tenant, call: Call, [id = '', action]: string[]): SandboxResponse {
  const kind = kindOf(tenant, id);
  return action === 'filter' ? find(tenant, call, id) : create(tenant, call, kind);
}

function kindOf({ kinds }: Tenant, id: string): ModelRelationship {
  const kind = kinds.find(({ guid }) => guid === id);
  if (!kind) throw refusal(404, 'MDM_RELATIONSHIP_NOT_FOUND', `Relationship ${id} does not exist`);
  return kind;
}

/** The relationship at `{kind}/{id}`. */
function known(tenant: Tenant, [kind = '', id = '']: string[]): Relationship {
  const relationship = tenant.relationships.read(kindOf(tenant, kind).guid, id);
  if (!relationship) throw refusal(404, 'MDM_RELATIONSHIP_NOT_FOUND', `Relationship ${id} does not exist`);
  return relationship;
}

function read(tenant: Tenant, _call: Call, rest: string[]): SandboxResponse {
  return ok(show(known(tenant, rest), tenant.writeId));
}

function update(tenant: Tenant, { body }: Call, rest: string[]): SandboxResponse {
  const relationship = known(tenant, rest);
  const { from, to, field } = kindOf(tenant, relationship.kind);
  const { _from, _to, ...attributes } = readJson(body);
  change(relationship, {
    ...(_from !== undefined && { from: endOf(tenant, _from, from) }),
    ...(_to !== undefined && { to: endOf(tenant, _to, to) }),
    attributes: attributesOf(attributes, field),
  });
  return tenant.dialect.written({ status: 200, body: { approvalRequired: false, id: relationship.id } });
}

function remove(tenant: Tenant, _call: Call, rest: string[]): SandboxResponse {
  tenant.relationships.delete(known(tenant, rest));
  return { status: 204 };
}

function create(tenant: Tenant, { query, body }: Call, kind: ModelRelationship): SandboxResponse {
  const sourceSystem = query.get('sourceSystem') ?? '';
  if (!Object.hasOwn(SOURCE_SYSTEMS, sourceSystem)) {
    throw refusal(400, 'MDM_SOURCE_SYSTEM_UNKNOWN', 'The source system does not exist');
  }
  const { _from, _to, ...attributes } = readJson(body);
  const { id, creationDate, changedAt } = tenant.relationships.create({
    kind: kind.guid,
    sourceSystem,
    from: endOf(tenant, _from, kind.from),
    to: endOf(tenant, _to, kind.to),
    hierarchy: { type: query.get('hierarchyType') ?? undefined, id: query.get('hierarchyId') ?? undefined },
    attributes: attributesOf(attributes, kind.field),
  });
  const status = changedAt === creationDate ? 201 : 200;
  const created = { approvalRequired: false, id };
  return tenant.dialect.written({ status, body: created, location: `/${RELATIONSHIP}/${kind.guid}/${id}` });
}

function attributesOf(attributes: Json, fields: readonly ModelField[]): Json {
  const [read, faults] = readFields(fields, attributes);
  if (faults.length > 0) throw refusal(400, 'MDM_RELATIONSHIP_INVALID', 'The relationship is not valid', faults);
  return read;
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

function show(relationship: Relationship, writeId: WriteId): Json {
  const { id, kind, sourceSystem, from, to, hierarchy, creationDate, attributes } = relationship;
  const end = ({ businessEntity, businessId }: RelationshipEnd) => ({
    businessEntity,
    businessId: writeId(businessId),
  });
  return {
    _meta: { id, relationship: kind, sourceSystem, creationDate, ...(hierarchy.type !== undefined && { hierarchy }) },
    _from: end(from),
    _to: end(to),
    ...attributes,
  };
}

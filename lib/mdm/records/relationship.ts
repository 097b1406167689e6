import type { ListResponse } from '../../contract/parameters/mdm.ts';
import type {
  NewRelationship,
  RelationshipChange,
  RelationshipKey,
  RelationshipQuery,
} from '../../contract/parameters/relationship.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { MdmClient } from '../client/client.ts';
import { readList } from '../client/list.ts';
import { commonAttributes, texts } from '../exchange/attributes.ts';
import { creationOf } from '../exchange/change.ts';
import { pathOf } from '../exchange/path.ts';
import { readObject } from '../exchange/response.ts';
import { remove } from './changes.ts';
import { writeRecord } from './record.ts';

type Json = Record<string, unknown>;

const relationshipAt = (mdm: MdmClient, { relationship, id }: RelationshipKey) =>
  pathOf(mdm.config.paths.relationship, relationship, id);

/** The body of a relationship: its attributes beside its ends. */
function writeRelationship({
  from,
  to,
  attributes = {},
}: Pick<NewRelationship, 'attributes'> & RelationshipEnds): string {
  writeRecord(attributes, '/attributes');
  return JSON.stringify({ ...attributes, _from: from, _to: to });
}

type RelationshipEnds = Partial<Pick<NewRelationship, 'from' | 'to'>>;

/** Creates a relationship. Never retried. @throws {ConnectorError} `MDM:*` */
export async function createRelationship(mdm: MdmClient, created: NewRelationship) {
  const { relationship, sourceSystem, from, to, hierarchy, attributes } = created;
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.relationship, relationship),
    query: { sourceSystem, hierarchyType: hierarchy?.type, hierarchyId: hierarchy?.id },
    body: writeRelationship(created),
    secrets: () => [from.businessId, to.businessId, attributes],
  });
  return creationOf(response);
}

/** A relationship with its attributes. @throws {ConnectorError} `MDM:*` */
export async function readRelationship(mdm: MdmClient, key: RelationshipKey) {
  const response = await mdm.send({ method: 'GET', path: relationshipAt(mdm, key), secrets: () => [key.id] });
  const payload = readObject(response);
  const { id, _meta } = payload;
  return { payload, attributes: { ...texts({ id, ...(_meta as Json) }, ['id']), ...commonAttributes(response) } };
}

/** Replaces the attributes of a relationship. @throws {ConnectorError} `MDM:*` */
export async function updateRelationship(mdm: MdmClient, change: RelationshipChange) {
  const { id, sourceSystem, from, to, attributes } = change;
  const response = await mdm.send({
    method: 'PUT',
    path: relationshipAt(mdm, change),
    query: { sourceSystem },
    body: writeRelationship(change),
    secrets: () => [id, from?.businessId, to?.businessId, attributes],
  });
  return creationOf(response);
}

/** Deletes a relationship. The records stay. @throws {ConnectorError} `MDM:*` */
export function deleteRelationship(mdm: MdmClient, key: RelationshipKey) {
  return remove(mdm, { path: relationshipAt(mdm, key), keys: [key.id] }, creationOf);
}

/** All relationships of a kind from or to a golden record, as `content`. @throws {ConnectorError} `MDM:*` */
export function searchRelationships(
  mdm: MdmClient,
  { relationship, from, to }: RelationshipQuery,
  deadline: Deadline,
): Promise<ListResponse> {
  const request = {
    method: 'POST',
    path: pathOf(mdm.config.paths.relationship, relationship, 'filter'),
    body: JSON.stringify({ filter: { _from: from, _to: to } }),
    secrets: () => [from?.businessId, to?.businessId],
  } as const;
  return readList(mdm, request, deadline);
}

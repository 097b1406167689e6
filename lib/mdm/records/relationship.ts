import type { ListResponse } from '../../contract/parameters/mdm.ts';
import type { NewRelationship, RelationshipQuery } from '../../contract/parameters/relationship.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { MdmClient } from '../client/client.ts';
import { readList } from '../client/list.ts';
import { pathOf } from '../exchange/path.ts';
import { creationOf } from '../exchange/change.ts';

/** Creates a relationship. Never retried, because that would create another. @throws {ConnectorError} `MDM:*` */
export async function createRelationship(mdm: MdmClient, created: NewRelationship) {
  const { relationship, sourceSystem, from, to, hierarchy } = created;
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.relationship, relationship),
    query: { sourceSystem, hierarchyType: hierarchy?.type, hierarchyId: hierarchy?.id },
    body: JSON.stringify({ _from: from, _to: to }),
    changes: true,
    secrets: () => [from.businessId, to.businessId],
  });
  return creationOf(response);
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

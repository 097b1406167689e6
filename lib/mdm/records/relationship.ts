import type { AnyResponse } from '../../contract/parameters/mdm.ts';
import type { NewRelationship, RelationshipQuery } from '../../contract/parameters/relationship.ts';
import { commonAttributes, texts } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { pathOf } from '../exchange/path.ts';
import { readJson, readObjectIfAny } from '../exchange/response.ts';

/** Creates a relationship. Never retried, because that would create another. @throws {ConnectorError} `MDM:*` */
export async function createRelationship(mdm: MdmClient, created: NewRelationship) {
  const { relationship, sourceSystem, from, to, hierarchy } = created;
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.relationship, relationship),
    query: { sourceSystem, hierarchyType: hierarchy?.type, hierarchyId: hierarchy?.id },
    body: JSON.stringify({ _from: from, _to: to }),
    secrets: () => [from.businessId, to.businessId],
  });
  const payload = readObjectIfAny(response);
  const { approvalRequired } = payload;
  return {
    payload,
    attributes: {
      ...texts(payload, ['id']),
      ...(typeof approvalRequired === 'boolean' && { approvalRequired }),
      ...commonAttributes(response, payload),
    },
  };
}

/** The relationships of a kind from or to a golden record. @throws {ConnectorError} `MDM:*` */
export async function searchRelationships(
  mdm: MdmClient,
  { relationship, from, to }: RelationshipQuery,
): Promise<AnyResponse> {
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.relationship, relationship, 'filter'),
    body: JSON.stringify({ filter: { _from: from, _to: to } }),
    secrets: () => [from?.businessId, to?.businessId],
  });
  const payload = readJson(response);
  return { payload, attributes: commonAttributes(response, payload) };
}

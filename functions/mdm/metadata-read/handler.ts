import { readJson } from '../../../lib/mdm/response.ts';
import { commonAttributes } from '../../../lib/mdm/attributes.ts';
import { mdmClient, type MdmClient } from '../../../lib/mdm/client.ts';
import { pathOf } from '../../../lib/mdm/path.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { metadataRead } from './contract.ts';

/** Where each resource stands under the metadata path. */
const PLACES = {
  DATAMODEL: ['tenantModel', 'datamodel'],
  BUSINESS_ENTITY: ['businessEntity'],
  REFERENCE_ENTITY: ['referenceEntity'],
  RELATIONSHIP: ['relationship'],
  VIEW: ['view'],
  EXTERNAL_RESOURCE: ['externalResource'],
};

export const run: Run<typeof metadataRead, MdmClient> = async ({ resource, objectInternalId, name }, mdm) => {
  const place = PLACES[resource];
  const answer = await mdm.send({
    method: 'GET',
    path: pathOf(mdm.config.paths.metadata, ...place, ...(objectInternalId === undefined ? [] : [objectInternalId])),
    query: { name },
    idempotent: true,
  });
  const id = objectInternalId === undefined ? {} : { objectInternalId };
  return { payload: readJson(answer), attributes: { resource, ...id, ...commonAttributes(answer) } };
};

export const handler = endpoint(metadataRead, mdmClient, run);

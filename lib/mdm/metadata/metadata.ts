import type { MetadataQuery, MetadataResponse } from '../../contract/parameters/metadata.ts';
import type { Deadline } from '../../core/deadline.ts';
import { commonAttributes } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { readPages } from '../exchange/pages.ts';
import { pathOf } from '../exchange/path.ts';
import { readJson } from '../exchange/response.ts';
import type { HttpResponse } from '../exchange/transport.ts';

/** Path of each resource under the metadata path. */
const PATHS = {
  DATAMODEL: ['tenantModel', 'datamodel'],
  BUSINESS_ENTITY: ['businessEntity'],
  REFERENCE_ENTITY: ['referenceEntity'],
  RELATIONSHIP: ['relationship'],
  VIEW: ['view'],
  EXTERNAL_RESOURCE: ['externalResource'],
};

/**
 * Reads metadata. With `allPages`, reads all pages from the requested one, as one.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await readMetadata(mdm, { resource: 'RELATIONSHIP', allPages: true }, deadline);
 */
export async function readMetadata(
  mdm: MdmClient,
  query: MetadataQuery,
  deadline: Deadline,
): Promise<MetadataResponse> {
  const { payload, response, complete } = query.allPages
    ? await readAllPages(mdm, query, deadline)
    : await readPage(mdm, query);
  const { resource, objectInternalId } = query;
  return {
    payload,
    attributes: {
      resource,
      ...(objectInternalId !== undefined && { objectInternalId }),
      ...(complete !== undefined && { complete }),
      ...commonAttributes(response, payload),
    },
  };
}

async function readPage(mdm: MdmClient, query: MetadataQuery) {
  const response = await fetchMetadata(mdm, query);
  return { payload: readJson(response), response, complete: undefined };
}

async function readAllPages(mdm: MdmClient, query: MetadataQuery, deadline: Deadline) {
  const fetchPage = (page: number) => fetchMetadata(mdm, page === from ? query : { ...query, pageOffset: page });
  const { pageOffset: from = 0, pageSize: size } = query;
  const { whole: payload, first: response, complete } = await readPages(fetchPage, deadline, { from, size });
  const page = payload as { last?: unknown };
  if (complete && page.last !== undefined) page.last = true;
  return { payload, response, complete };
}

function fetchMetadata(mdm: MdmClient, query: MetadataQuery): Promise<HttpResponse> {
  const { resource, objectInternalId, name, pageSize, pageOffset } = query;
  const id = objectInternalId === undefined ? [] : [objectInternalId];
  return mdm.send({
    method: 'GET',
    path: pathOf(mdm.config.paths.metadata, ...PATHS[resource], ...id),
    query: { name, pageSize: pageSize?.toString(), pageOffset: pageOffset?.toString() },
  });
}

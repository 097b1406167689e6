import type { MetadataQuery, MetadataResponse } from '../../contract/parameters/metadata.ts';
import type { Deadline } from '../../core/deadline.ts';
import { commonAttributes } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { bytesOf, isOutOfTime, MAX_PAGES_BYTES } from '../exchange/page-limits.ts';
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

/** A page of the metadata service; page numbers start at 0. */
interface Page {
  content: unknown[];
  size?: number;
  number?: number;
  last?: boolean;
}

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
  const first = await fetchMetadata(mdm, query);
  const payload = readJson(first);
  const complete = query.allPages ? await readOn(mdm, query, deadline, first, payload) : undefined;
  const { resource, objectInternalId } = query;
  return {
    payload,
    attributes: {
      resource,
      ...(objectInternalId !== undefined && { objectInternalId }),
      ...(complete !== undefined && { complete }),
      ...commonAttributes(first, payload),
    },
  };
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

/** Appends the content of the following pages to the first one, in place. @returns whether the last was reached */
async function readOn(
  mdm: MdmClient,
  query: MetadataQuery,
  deadline: Deadline,
  first: HttpResponse,
  whole: unknown,
): Promise<boolean> {
  if (!isPage(whole)) return true; // the service does not page
  let bytes = bytesOf(first);
  let page = whole;
  for (let pageOffset = (query.pageOffset ?? 0) + 1; !isLast(page, query); pageOffset++) {
    const response = await fetchMetadata(mdm, { ...query, pageOffset }).catch((error: unknown) => {
      if (isOutOfTime(error, deadline)) return undefined;
      throw error;
    });
    const next = response && readJson(response);
    bytes += response ? bytesOf(response) : 0;
    const isOther = isPage(next) && (next.number === undefined || next.number === pageOffset);
    if (!isOther || bytes > MAX_PAGES_BYTES) return false;
    whole.content.push(...next.content);
    page = next;
  }
  if (whole.last !== undefined) whole.last = true;
  return true;
}

const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && Array.isArray((value as Partial<Page>).content);

/** Whether a page is the last. If the service does not say, a page with fewer objects than its size is. */
function isLast({ last, content, size }: Page, { pageSize }: MetadataQuery): boolean {
  return last ?? content.length < (size ?? pageSize ?? 1);
}

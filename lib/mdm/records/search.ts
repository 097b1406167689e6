import type { SearchQuery, SearchResponse } from '../../contract/parameters/search.ts';
import { ConnectorError } from '../../core/errors.ts';
import { commonAttributes } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { bytesOf } from '../exchange/page-limits.ts';
import { readObject } from '../exchange/response.ts';

const COUNTS = ['hits', 'pageSize', 'pageOffset', 'recordsToReturn', 'recordOffset'] as const;

export interface SearchPage {
  readonly response: SearchResponse;
  /** Its records, the list of the response itself. */
  readonly records: unknown[];
  /** Its size inside an API Gateway response. */
  readonly bytes: number;
}

/**
 * One page of a search.
 *
 * @throws {ConnectorError} `MDM:*`; `MDM:SERVER_ERROR` for a success without a list of records.
 * @example
 * const { records } = await searchPage(mdm, { businessEntity: 'c360.city', search: 'bonn', showContentMeta: false });
 */
export async function searchPage(mdm: MdmClient, query: SearchQuery): Promise<SearchPage> {
  const { businessEntity, showContentMeta, ...body } = query;
  const response = await mdm.send({
    method: 'POST',
    path: mdm.config.paths.search,
    query: { _showContentMeta: showContentMeta ? 'true' : undefined },
    body: JSON.stringify({ entityType: businessEntity, ...body }),
    secrets: () => searchTerms(query),
  });
  const payload = readObject(response);
  const result = payload.searchResult as Record<string, unknown> | undefined;
  const records = result?.records;
  if (!Array.isArray(records)) {
    throw new ConnectorError('MDM:SERVER_ERROR', 'The master data API answered a search without records', {
      upstreamStatus: response.status,
    });
  }
  const counts = COUNTS.map((name) => [name, result?.[name] ?? query[name as keyof SearchQuery]] as const);
  const attributes = {
    ...Object.fromEntries(counts.filter(([, value]) => isCount(value))),
    ...(query.maxRecords !== undefined && { maxRecords: query.maxRecords }),
    ...commonAttributes(response, payload),
  };
  const found = payload as SearchResponse['payload']; // the list was checked
  return { response: { payload: found, attributes }, records, bytes: bytesOf(response) };
}

/** Whether a value is an exact number of records. */
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

/** The search terms, which no error may repeat. */
function searchTerms({ search, fields, filters }: SearchQuery): string[] {
  const values = filters?.filter.flatMap(({ fieldValue, fieldValueGroups }) => [fieldValue, fieldValueGroups]);
  return [search, fields, values].flatMap(leavesOf);
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'object') return value === null ? [] : Object.values(value).flatMap(leavesOf);
  return value === undefined ? [] : [JSON.stringify(value)];
}

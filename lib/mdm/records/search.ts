import type { SearchQuery, SearchResponse } from '../../contract/parameters/search.ts';
import { commonAttributes } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { bytesOf } from '../exchange/page-limits.ts';
import type { HttpResponse } from '../exchange/http-response.ts';
import { badBody, isEmpty, readObject } from '../exchange/response.ts';

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
  const { payload, result, records } = readFound(response);
  const counts = COUNTS.map((name) => [name, result?.[name] ?? query[name as keyof SearchQuery]] as const);
  const attributes = {
    ...Object.fromEntries(counts.filter(([, value]) => isCount(value))),
    ...(query.maxRecords !== undefined && { maxRecords: query.maxRecords }),
    ...commonAttributes(response, payload),
  };
  return { response: { payload, attributes }, records, bytes: bytesOf(response) };
}

/** Counts of no hits. */
const NONE: readonly unknown[] = [0, '0'];

/**
 * The result of a search in one form. Some services omit `records` if there are none, answer without a body, put the
 * list or the count at the root, or call `hits` `totalCount`.
 */
function readFound(response: HttpResponse) {
  const { records: atRoot, ...body } = isEmpty(response) ? { searchResult: {} } : readObject(response);
  const result = objectOf(body.searchResult) ?? (Array.isArray(atRoot) ? { records: atRoot } : undefined);
  const hits = result?.hits ?? result?.totalCount ?? body.hits ?? body.totalCount;
  const isNone = result ? NONE.includes(hits ?? 0) : NONE.includes(hits);
  const records = result?.records ?? (isNone ? [] : undefined);
  if (!Array.isArray(records)) throw badBody(response, 'a search without records');
  const searchResult = { ...result, ...(hits !== undefined && { hits }), records };
  const payload = { ...body, searchResult } as SearchResponse['payload']; // its list was checked
  return { payload, result: searchResult as Record<string, unknown>, records };
}

const objectOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

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

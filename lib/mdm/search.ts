import type { Filter } from '../contract/search-parameters.ts';
import { readObject, textOf } from './response.ts';
import { commonAttributes, type CommonAttributes } from './attributes.ts';
import type { MdmClient } from './client.ts';
import { ConnectorError } from '../core/errors.ts';

export interface SearchParameters {
  businessEntity: string;
  search?: string;
  fields?: Record<string, string>;
  filters?: { operator: 'AND' | 'OR'; filter: Filter[] };
  sort?: { fieldName: string; order?: 'ASCENDING' | 'DESCENDING' }[];
  pageSize?: number;
  pageOffset?: number;
  recordsToReturn?: number;
  recordOffset?: number;
  maxRecords?: number;
  searchLocale?: string;
  showContentMeta: boolean;
}

const COUNTS = ['hits', 'pageSize', 'pageOffset', 'recordsToReturn', 'recordOffset', 'maxRecords'] as const;

export interface SearchResponse {
  payload: { searchResult: { records: unknown[]; [name: string]: unknown } };
  attributes: CommonAttributes & { [K in (typeof COUNTS)[number]]?: number } & { complete?: boolean };
}

/** Of a search, no record beyond this one can be reached. */
const WALL = 10_000;
/** A page of 200 ends exactly at the wall. */
const PAGE_SIZE = 200;
/** What Lambda hands back, less room for the rest of the answer. */
const MAX_BYTES = 6 * 1024 * 1024 - 64 * 1024;

/** One page, as it is asked for. */
export async function searchPage(mdm: MdmClient, parameters: SearchParameters): Promise<SearchResponse> {
  return (await fetchPage(mdm, parameters)).answer;
}

/**
 * All pages from the one that is asked for, as one answer. Pages may come short of records that the user may not
 * read, so it is the number of hits that tells the end.
 */
export async function searchAllPages(mdm: MdmClient, parameters: SearchParameters): Promise<SearchResponse> {
  const { maxRecords = Infinity, ...rest } = parameters; // ours to keep: it bounds the whole, not a page
  const byRecord = rest.recordsToReturn !== undefined || rest.recordOffset !== undefined;
  const size = (byRecord ? rest.recordsToReturn : rest.pageSize) ?? PAGE_SIZE;
  const first = byRecord ? (rest.recordOffset ?? 0) : (rest.pageOffset ?? 0) * size;
  const sizeAt = (offset: number) => (byRecord && offset < WALL ? Math.min(size, WALL - offset) : size);
  const pageAt = (offset: number) =>
    byRecord
      ? { recordsToReturn: sizeAt(offset), recordOffset: offset }
      : { pageSize: size, pageOffset: offset / size };

  let page = await fetchPage(mdm, { ...rest, ...pageAt(first) });
  const whole = page.answer;
  const { records } = whole.payload.searchResult;
  let bytes = page.bytes;
  let offset = first + sizeAt(first);
  let isLast = reachesEnd(page.answer, offset);
  while (!isLast && records.length < maxRecords && offset + sizeAt(offset) <= WALL) {
    page = await fetchPage(mdm, { ...rest, ...pageAt(offset) });
    bytes += page.bytes;
    if (bytes > MAX_BYTES) break;
    records.push(...page.answer.payload.searchResult.records);
    offset += sizeAt(offset);
    isLast = reachesEnd(page.answer, offset);
  }
  const complete = isLast || records.length >= maxRecords;
  records.splice(maxRecords);
  Object.assign(whole.attributes, parameters.maxRecords !== undefined && { maxRecords }, { complete });
  return whole;
}

function reachesEnd({ attributes, payload }: SearchResponse, offset: number): boolean {
  return attributes.hits === undefined ? payload.searchResult.records.length === 0 : offset >= attributes.hits;
}

async function fetchPage(
  mdm: MdmClient,
  parameters: SearchParameters,
): Promise<{ answer: SearchResponse; bytes: number }> {
  const { businessEntity, showContentMeta, ...query } = parameters;
  const answer = await mdm.send({
    method: 'POST',
    path: mdm.config.paths.search,
    query: { _showContentMeta: showContentMeta ? 'true' : undefined },
    body: JSON.stringify({ entityType: businessEntity, ...query }),
    idempotent: true,
    secrets: () =>
      [parameters.search ?? '', ...Object.values(parameters.fields ?? {}), ...filterValues(parameters)].map(String),
  });
  const payload = readObject(answer) as SearchResponse['payload'];
  const result = payload.searchResult as SearchResponse['payload']['searchResult'] | undefined;
  if (!Array.isArray(result?.records)) {
    throw new ConnectorError('MDM:SERVER_ERROR', 'The master data API answered a search without records', {
      upstreamStatus: answer.status,
    });
  }
  const counts = COUNTS.map((name) => [name, result[name] ?? parameters[name as keyof SearchParameters]] as const);
  const attributes = {
    ...Object.fromEntries(counts.filter(([, value]) => typeof value === 'number')),
    ...commonAttributes(answer, payload),
  };
  // as it will travel through API Gateway: a JSON text inside JSON
  return { answer: { payload, attributes }, bytes: Buffer.byteLength(JSON.stringify(textOf(answer))) };
}

const filterValues = ({ filters }: SearchParameters) =>
  filters?.filter.flatMap(({ fieldValue }) => fieldValue ?? []) ?? [];

import type { SearchQuery, SearchResponse } from '../../contract/parameters/search.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { MdmClient } from '../client/client.ts';
import { isOutOfTime, MAX_PAGES_BYTES } from '../exchange/page-limits.ts';
import { pageCursor } from './search-paging.ts';
import { searchPage, type SearchPage } from './search.ts';

/**
 * Reads all pages of a search from the requested one, as one response: each record once, with `complete` in the
 * attributes.
 *
 * `complete` is false if the read stopped at 10,000 records, 6 MB or the deadline, or if the service repeats the same
 * page.
 *
 * @throws {ConnectorError} `MDM:*` if a page fails, or if the deadline passes before the first page.
 */
export async function searchAllPages(mdm: MdmClient, query: SearchQuery, deadline: Deadline): Promise<SearchResponse> {
  // maxRecords limits all pages together
  const { maxRecords = Infinity, pageSize, pageOffset, recordsToReturn, recordOffset, ...rest } = query;
  const cursor = pageCursor({ pageSize, pageOffset, recordsToReturn, recordOffset });
  const seen = new Set<string>();
  let whole: SearchPage | undefined;
  let bytes = 0;
  let isComplete = false;

  for (let paging = cursor.next(); paging && !isComplete; paging = cursor.next()) {
    const page = await searchPage(mdm, { ...rest, ...paging }).catch((error: unknown) => {
      if (whole && isOutOfTime(error, deadline)) return undefined;
      throw error;
    });
    if (!page) break;
    const ids = page.records.map(idOf);
    const fresh = page.records.filter((_, index) => isNew(seen, ids[index]));
    const identified = ids.filter((id) => id !== undefined).length;
    const { hits } = page.response.attributes;
    const follows = cursor.advance({ count: page.records.length, fresh: fresh.length, identified, hits });
    bytes += page.bytes;
    if (whole && bytes > MAX_PAGES_BYTES) break;
    if (whole) whole.records.push(...fresh);
    else (whole = page).records.splice(0, Infinity, ...fresh);
    isComplete = follows === 'last' || whole.records.length >= maxRecords;
    if (follows === 'repeats') break;
  }
  const { response, records } = whole!;
  records.splice(maxRecords);
  Object.assign(response.attributes, query.maxRecords !== undefined && { maxRecords }, { complete: isComplete });
  return response;
}

/** Drops records of earlier pages, which appear again when records move. A record without an id counts as new. */
function isNew(seen: Set<string>, id: string | undefined): boolean {
  if (id === undefined) return true;
  const { size } = seen;
  return seen.add(id).size > size;
}

function idOf(record: unknown): string | undefined {
  const id = (record as { _meta?: { businessId?: unknown } } | null)?._meta?.businessId;
  return id === undefined || id === null ? undefined : JSON.stringify(id);
}

import type { SearchQuery, SearchResponse } from '../../contract/parameters/search.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { MdmClient } from '../client/client.ts';
import { isOutOfTime, MAX_PAGES_BYTES } from '../exchange/page-limits.ts';
import { pageCursor } from './search-paging.ts';
import { searchPage, type SearchPage } from './search.ts';

/**
 * All pages of a search from the one that is asked for, as one response: each record once, `complete` in the attributes.
 *
 * It is false where 10,000 records, 6 MB or the deadline were reached before the end, or where the service gives the
 * same page again and again.
 *
 * @throws {ConnectorError} `MDM:*` for a page that failed, or when the deadline passed before the first page.
 */
export async function searchAllPages(mdm: MdmClient, query: SearchQuery, deadline: Deadline): Promise<SearchResponse> {
  // maxRecords bounds the whole, not a page
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
    const follows = cursor.advance({ held: page.records.length, fresh: fresh.length, identified, hits });
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

/** A page that moves under its readers gives a record twice. One without an id is taken for new. */
function isNew(seen: Set<string>, id: string | undefined): boolean {
  if (id === undefined) return true;
  const { size } = seen;
  return seen.add(id).size > size;
}

function idOf(record: unknown): string | undefined {
  const id = (record as { _meta?: { businessId?: unknown } } | null)?._meta?.businessId;
  return id === undefined || id === null ? undefined : JSON.stringify(id);
}

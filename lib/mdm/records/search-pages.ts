import type { SearchQuery, SearchResponse } from '../../contract/parameters/search.ts';
import type { Deadline } from '../../core/deadline.ts';
import { searchPages } from '../../core/search-paging.ts';
import type { MdmClient } from '../client/client.ts';
import { isOutOfTime, MAX_PAGES_BYTES } from '../exchange/page-limits.ts';
import { searchPage, type SearchPage } from './search.ts';

/**
 * Reads all pages of a search from the requested one, as one response: each record once, with `complete` in the
 * attributes.
 *
 * `complete` is false if the read stopped at 10,000 records, 6 MB or the deadline, if the service repeats the same
 * page, or if it pages so that some records may be missing.
 *
 * @throws {ConnectorError} `MDM:*` if a page fails, or if the deadline passes before the first page.
 */
export async function searchAllPages(mdm: MdmClient, query: SearchQuery, deadline: Deadline): Promise<SearchResponse> {
  // maxRecords limits all pages together
  const { maxRecords = Infinity, pageSize, pageOffset, recordsToReturn, recordOffset, ...rest } = query;
  const pages = searchPages({ pageSize, pageOffset, recordsToReturn, recordOffset });
  let whole: SearchPage | undefined;
  let bytes = 0;
  let isComplete = false;

  for (let paging = pages.next(); paging && !isComplete; paging = pages.next()) {
    const page = await searchPage(mdm, { ...rest, ...paging }).catch((error: unknown) => {
      if (whole && isOutOfTime(error, deadline)) return undefined;
      throw error;
    });
    if (!page) break;
    const { fresh, follows } = pages.take(page.records, page.response.attributes.hits);
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

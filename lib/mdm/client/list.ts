import type { ListResponse } from '../../contract/parameters/mdm.ts';
import type { Deadline } from '../../core/deadline.ts';
import { listOf, readPages } from '../exchange/pages.ts';
import type { MdmClient, MdmRequest } from './client.ts';

/** Asked of every list. The service's own default is 10, and its maximum is not known. */
const PAGE_SIZE = 1_000;
const BAD_REQUEST = 400;

/**
 * All pages of a list that takes `_page` and `_size`, as one `content`. A service that refuses the size is asked
 * without it.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await readList(mdm, { method: 'GET', path: '/…/entity-member/c360.city/MDM1' }, deadline);
 */
export async function readList(mdm: MdmClient, request: MdmRequest, deadline: Deadline): Promise<ListResponse> {
  const ask = (paging: Record<string, string>) => mdm.send({ ...request, query: { ...request.query, ...paging } });
  let size: { _size?: string } = { _size: String(PAGE_SIZE) };
  const readFirst = () =>
    ask({ _page: '0', ...size }).catch((error: unknown) => {
      if ((error as { upstreamStatus?: number }).upstreamStatus !== BAD_REQUEST) throw error;
      size = {};
      return ask({});
    });
  const readPage = (page: number) => (page === 0 ? readFirst() : ask({ _page: String(page), ...size }));

  return listOf(await readPages(readPage, deadline));
}

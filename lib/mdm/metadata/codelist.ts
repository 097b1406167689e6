import type { CodelistQuery } from '../../contract/parameters/codelist.ts';
import type { ListResponse } from '../../contract/parameters/mdm.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { MdmClient } from '../client/client.ts';
import { listOf, readPages } from '../exchange/pages.ts';
import { pathOf } from '../exchange/path.ts';
import type { HttpResponse } from '../exchange/transport.ts';

/** The largest page of the service. */
const PAGE_SIZE = 10_000;

/**
 * The values of a code list as `content`: all of them, the one with a code, or those that changed since a time.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await readCodelist(mdm, { id: 'country', code: 'DE' }, deadline);
 */
export async function readCodelist(mdm: MdmClient, query: CodelistQuery, deadline: Deadline): Promise<ListResponse> {
  return listOf(await readPages(pagesOf(mdm, query), deadline, { size: PAGE_SIZE }));
}

function pagesOf(mdm: MdmClient, { id, code, modifiedSince }: CodelistQuery): (page: number) => Promise<HttpResponse> {
  const { codelist, codelistExport } = mdm.config.paths;
  const get = (path: string, query: Record<string, string>) => mdm.send({ method: 'GET', path, query });
  if (code !== undefined) return () => get(pathOf(codelist, id, 'codevalues'), { Code: code });
  if (modifiedSince !== undefined) {
    const span = { from: secondsOf(new Date(modifiedSince)), to: secondsOf(new Date(Date.now() + 1000)) };
    const path = pathOf(codelist, id, 'codevalues', 'modifications');
    return (page) => get(path, { ...span, page: String(page), pageSize: String(PAGE_SIZE) });
  }
  const values = { containerType: 'codelist', containerId: id, pageSize: PAGE_SIZE };
  return (page) => {
    const body = JSON.stringify({ ...values, page });
    return mdm.send({ method: 'POST', path: codelistExport, body });
  };
}

/** A time as the service takes it: without milliseconds. */
const secondsOf = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;

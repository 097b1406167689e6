import { mdmClient, type MdmClient } from '#lib/mdm/client/client.ts';
import { readCodelist } from '#lib/mdm/services/codelist.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { codelistRead } from './contract.ts';

export const run: Run<typeof codelistRead, MdmClient> = (query, mdm, { deadline }) =>
  readCodelist(mdm, query, deadline);

export const handler = endpoint(codelistRead, mdmClient, run);

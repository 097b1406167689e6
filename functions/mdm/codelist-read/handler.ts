import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { readCodelist } from '#lib/mdm/metadata/codelist.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { codelistRead } from './contract.ts';

export const run: Implementation<typeof codelistRead, MdmClient> = (query, mdm, { deadline }) =>
  readCodelist(mdm, query, deadline);

export const handler = endpoint(codelistRead, openMdm, run);

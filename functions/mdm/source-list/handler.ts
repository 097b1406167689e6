import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { listSources } from '#lib/mdm/records/golden-record.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { sourceList } from './contract.ts';

export const run: Implementation<typeof sourceList, MdmClient> = (record, mdm, { deadline }) =>
  listSources(mdm, record, deadline);

export const handler = endpoint(sourceList, openMdm, run);

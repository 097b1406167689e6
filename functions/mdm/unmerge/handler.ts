import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { unmergeRecord } from '#lib/mdm/records/golden-record.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { unmerge } from './contract.ts';

export const run: Implementation<typeof unmerge, MdmClient> = ({ configRef: _, ...parameters }, mdm) =>
  unmergeRecord(mdm, parameters);

export const handler = endpoint(unmerge, openMdm, run);

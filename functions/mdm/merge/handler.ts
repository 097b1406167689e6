import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { mergeRecords } from '#lib/mdm/records/golden-record.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { merge } from './contract.ts';

export const run: Implementation<typeof merge, MdmClient> = ({ businessEntity, records }, mdm) =>
  mergeRecords(mdm, businessEntity, records);

export const handler = endpoint(merge, openMdm, run);

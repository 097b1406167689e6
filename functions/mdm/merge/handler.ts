import { mdmClient, type MdmClient } from '#lib/mdm/client/client.ts';
import { mergeRecords } from '#lib/mdm/records/golden-record.ts';
import { endpoint, type Run } from '#lib/endpoint/endpoint.ts';
import { merge } from './contract.ts';

export const run: Run<typeof merge, MdmClient> = ({ businessEntity, records }, mdm) =>
  mergeRecords(mdm, businessEntity, records);

export const handler = endpoint(merge, mdmClient, run);

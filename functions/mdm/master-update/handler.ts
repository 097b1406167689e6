import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { updateMaster } from '#lib/mdm/records/master-change.ts';
import { masterUpdate } from './contract.ts';

export const run: Implementation<typeof masterUpdate, MdmClient> = ({ record, sourceLastUpdated, ...change }, mdm) =>
  updateMaster(mdm, change, record, sourceLastUpdated);

export const handler = endpoint(masterUpdate, openMdm, run);

import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { deleteMaster } from '#lib/mdm/records/master-change.ts';
import { masterDelete } from './contract.ts';

export const run: Implementation<typeof masterDelete, MdmClient> = (key, mdm) => deleteMaster(mdm, key);

export const handler = endpoint(masterDelete, openMdm, run);

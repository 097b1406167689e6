import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { deleteSource } from '#lib/mdm/records/source-change.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { sourceDelete } from './contract.ts';

export const run: Implementation<typeof sourceDelete, MdmClient> = (key, mdm) => deleteSource(mdm, key);

export const handler = endpoint(sourceDelete, openMdm, run);

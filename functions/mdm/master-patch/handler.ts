import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { patchMaster } from '#lib/mdm/records/master-change.ts';
import { masterPatch } from './contract.ts';

export const run: Implementation<typeof masterPatch, MdmClient> = ({ operations, ...change }, mdm) =>
  patchMaster(mdm, change, operations);

export const handler = endpoint(masterPatch, openMdm, run);

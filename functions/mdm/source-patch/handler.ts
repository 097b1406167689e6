import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { patchSource } from '#lib/mdm/records/source-change.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { sourcePatch } from './contract.ts';

export const run: Implementation<typeof sourcePatch, MdmClient> = ({ operations, ...key }, mdm) =>
  patchSource(mdm, key, operations);

export const handler = endpoint(sourcePatch, openMdm, run);

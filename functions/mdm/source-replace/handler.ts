import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { replaceSource } from '#lib/mdm/records/source-change.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { sourceReplace } from './contract.ts';

export const run: Implementation<typeof sourceReplace, MdmClient> = ({ record, sourceLastUpdated, ...key }, mdm) =>
  replaceSource(mdm, key, record, { sourceLastUpdated });

export const handler = endpoint(sourceReplace, openMdm, run);

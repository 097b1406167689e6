import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { readMetadata } from '#lib/mdm/metadata/metadata.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { metadataRead } from './contract.ts';

export const run: Implementation<typeof metadataRead, MdmClient> = (query, mdm, { deadline }) =>
  readMetadata(mdm, query, deadline);

export const handler = endpoint(metadataRead, openMdm, run);

import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { readEntity } from '#lib/mdm/metadata/data-model.ts';
import { recordSchema as schemaOf } from '#lib/mdm/metadata/record-schema.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { recordSchema } from './contract.ts';

export const run: Implementation<typeof recordSchema, MdmClient> = async ({ businessEntity, operation }, mdm) =>
  schemaOf(await readEntity(mdm, businessEntity), operation);

export const handler = endpoint(recordSchema, openMdm, run);

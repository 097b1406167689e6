import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { readDataModel, readEntity } from '#lib/mdm/metadata/data-model.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { sourceSystems } from './contract.ts';

export const run: Implementation<typeof sourceSystems, MdmClient> = async ({ businessEntity }, mdm) => {
  const owner = businessEntity === undefined ? await readDataModel(mdm) : await readEntity(mdm, businessEntity);
  return [...owner.sourceSystems];
};

export const handler = endpoint(sourceSystems, openMdm, run);

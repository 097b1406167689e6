import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { readDataModel } from '#lib/mdm/metadata/data-model.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { businessEntities } from './contract.ts';

export const run: Implementation<typeof businessEntities, MdmClient> = async (_, mdm) => {
  const { entities } = await readDataModel(mdm);
  return entities.map(({ id, displayName }) => ({ id, displayName }));
};

export const handler = endpoint(businessEntities, openMdm, run);

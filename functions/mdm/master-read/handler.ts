import { readObject } from '#lib/mdm/exchange/response.ts';
import { masterAttributes } from '#lib/mdm/exchange/attributes.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { pathOf } from '#lib/mdm/exchange/path.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { masterRead } from './contract.ts';

export const run: Implementation<typeof masterRead, MdmClient> = async (parameters, mdm) => {
  const { businessEntity, businessId, sourceSystem, sourcePKey } = parameters;
  const key = businessId === undefined ? [sourceSystem!, sourcePKey!] : [businessId];
  const response = await mdm.send({
    method: 'GET',
    path: pathOf(mdm.config.paths.entity, businessEntity, ...key),
    query: {
      _skipLookup: parameters.skipLookup ? 'true' : undefined,
      _showContentMeta: parameters.showContentMeta ? 'true' : undefined,
      _showPending: parameters.showPending ? 'true' : undefined,
    },
    secrets: () => key,
  });
  const payload = readObject(response);
  return { payload, attributes: masterAttributes(payload, response) };
};

export const handler = endpoint(masterRead, openMdm, run);

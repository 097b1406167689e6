import { readObject } from '#lib/mdm/exchange/response.ts';
import type { SourceAttributes } from '#lib/contract/parameters/mdm.ts';
import { commonAttributes, sourceKeyOf, texts } from '#lib/mdm/exchange/attributes.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { pathOf } from '#lib/mdm/exchange/path.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { sourceRead } from './contract.ts';

const ATTRIBUTES = [
  'businessId',
  'businessEntity',
  'createdBy',
  'creationDate',
  'updatedBy',
  'lastUpdateDate',
  'sourceLastUpdatedDate',
  'sourceSystem',
  'sourcePrimaryKey',
  'xrefType',
] as const satisfies (keyof SourceAttributes)[];

export const run: Implementation<typeof sourceRead, MdmClient> = async (parameters, mdm) => {
  const { businessEntity, sourceSystem, sourcePKey, resolveCrosswalk, showContentMeta } = parameters;
  const response = await mdm.send({
    method: 'GET',
    path: pathOf(mdm.config.paths.entityXref, businessEntity, sourceSystem, sourcePKey),
    query: {
      _resolveCrosswalk: resolveCrosswalk ? 'true' : undefined,
      _showContentMeta: showContentMeta ? 'true' : undefined,
    },
    secrets: () => [sourcePKey],
  });
  const payload = readObject(response);
  const meta = (payload._meta ?? {}) as Record<string, unknown>;
  const named = { sourcePrimaryKey: sourceKeyOf(meta)?.sourcePKey, ...sourceKeyOf(meta), ...meta };
  return { payload, attributes: { ...texts(named, ATTRIBUTES), ...commonAttributes(response) } };
};

export const handler = endpoint(sourceRead, openMdm, run);

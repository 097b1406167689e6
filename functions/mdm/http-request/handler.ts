import { commonAttributes } from '#lib/mdm/exchange/attributes.ts';
import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { writeBody, writeQuery } from '#lib/mdm/client/http-request.ts';
import { keysIn } from '#lib/mdm/exchange/path.ts';
import { readPayload, valuesOf } from '#lib/mdm/exchange/payload.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { httpRequest } from './contract.ts';

export const run: Implementation<typeof httpRequest, MdmClient> = async (parameters, mdm) => {
  const { method, path, query, throwOnError } = parameters;
  const { body, headers } = writeBody(parameters.body);
  const response = await mdm.send({
    method,
    path,
    query: writeQuery(query),
    headers: { ...headers, ...parameters.headers },
    body,
    showsResponse: true,
    takesAnyStatus: !throwOnError,
    secrets: () => [query, valuesOf(parameters.body)],
    words: () => [...keysIn(path, mdm.config.paths), ...Object.values(parameters.headers ?? {})],
  });
  return {
    payload: readPayload(response),
    attributes: {
      reasonPhrase: response.reason,
      headers: Object.fromEntries(response.headers),
      ...commonAttributes(response),
    },
  };
};

export const handler = endpoint(httpRequest, openMdm, run);

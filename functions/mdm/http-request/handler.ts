import { commonAttributes } from '../../../lib/mdm/attributes.ts';
import { mdmClient, type MdmClient } from '../../../lib/mdm/client.ts';
<<<<<<< HEAD
import { keysIn } from '../../../lib/mdm/path.ts';
import { readPayload, valuesOf, writeBody } from '../../../lib/mdm/payload.ts';
=======
import { segmentsOf } from '../../../lib/mdm/path.ts';
import { writeBody, writeQuery } from '../../../lib/mdm/http-request.ts';
import { readPayload } from '../../../lib/mdm/payload.ts';
>>>>>>> 0351fc9 (mdm: bytes in http-request, paged relationships, data models as tenants write them; a sandbox that groups records)
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { httpRequest } from './contract.ts';

const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS'];

export const run: Run<typeof httpRequest, MdmClient> = async (parameters, mdm) => {
<<<<<<< HEAD
  const { method, path, query, body } = parameters;
  const response = await mdm.send({
=======
  const { method, path } = parameters;
  const { body, headers: bodyHeaders } = writeBody(parameters.body);
  const answer = await mdm.send({
>>>>>>> 0351fc9 (mdm: bytes in http-request, paged relationships, data models as tenants write them; a sandbox that groups records)
    method,
    path,
    query: writeQuery(parameters.query),
    headers: { ...bodyHeaders, ...parameters.headers },
    body,
    idempotent: IDEMPOTENT.includes(method),
    showsResponse: true,
    secrets: () => [...keysIn(path, mdm.config.paths), query, parameters.headers, valuesOf(body)],
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

export const handler = endpoint(httpRequest, mdmClient, run);

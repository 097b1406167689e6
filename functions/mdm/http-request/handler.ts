import { commonAttributes } from '../../../lib/mdm/attributes.ts';
import { mdmClient, type MdmClient } from '../../../lib/mdm/client.ts';
import { segmentsOf } from '../../../lib/mdm/path.ts';
import { readPayload, writeBody } from '../../../lib/mdm/payload.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { httpRequest } from './contract.ts';

const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS'];

export const run: Run<typeof httpRequest, MdmClient> = async (parameters, mdm) => {
  const { method, path, query, body } = parameters;
  const answer = await mdm.send({
    method,
    path,
    query,
    headers: parameters.headers,
    body: body === undefined ? undefined : writeBody(body),
    idempotent: IDEMPOTENT.includes(method),
    secrets: () => segmentsOf(path),
  });
  const { 'set-cookie': _, ...headers } = Object.fromEntries(answer.headers);
  return {
    payload: readPayload(answer),
    attributes: { reasonPhrase: answer.reason, headers, ...commonAttributes(answer) },
  };
};

export const handler = endpoint(httpRequest, mdmClient, run);

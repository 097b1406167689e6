import { commonAttributes, texts } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { creationOf } from '../exchange/change.ts';
import { pathOf } from '../exchange/path.ts';
import { readObject } from '../exchange/response.ts';

/** The API's path segment for each kind. */
const KINDS = { ingress: 'Ingress', egress: 'Egress', 'match-and-merge': 'MatchAndMerge' };

/** Starts a job. Never retried, because that would start another. @throws {ConnectorError} `MDM:*` */
export async function startJob(mdm: MdmClient, jobDefinitionId: string, kind: keyof typeof KINDS) {
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.job, KINDS[kind]),
    body: JSON.stringify({ jobDefinitionId }),
  });
  return creationOf(response);
}

/** The state of a job. @throws {ConnectorError} `MDM:*` */
export async function readJob(mdm: MdmClient, id: string) {
  const response = await mdm.send({ method: 'GET', path: pathOf(mdm.config.paths.job, id) });
  const payload = readObject(response);
  return { payload, attributes: { ...texts(payload, ['id']), ...commonAttributes(response, payload) } };
}

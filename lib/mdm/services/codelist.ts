import { commonAttributes } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { pathOf } from '../exchange/path.ts';
import { readJson } from '../exchange/response.ts';

/** The values of a code list. @throws {ConnectorError} `MDM:*` */
export async function readCodelist(mdm: MdmClient, id: string) {
  const response = await mdm.send({ method: 'GET', path: pathOf(mdm.config.paths.codelist, id) });
  const payload = readJson(response);
  return { payload, attributes: commonAttributes(response, payload) };
}

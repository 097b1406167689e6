import type { MatchQuery } from '../../contract/parameters/match.ts';
import type { AnyResponse } from '../../contract/parameters/mdm.ts';
import { commonAttributes } from '../exchange/attributes.ts';
import type { MdmClient } from '../client/client.ts';
import { pathOf } from '../exchange/path.ts';
import { writeRecord } from './record.ts';
import { isEmpty, readJson } from '../exchange/response.ts';

/**
 * Golden records that resemble a record, with scores. The request holds fields and options in one object.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await matchRecord(mdm, { businessEntity: 'c360.city', record: { name: 'Bon' }, maxRecords: 5 });
 */
export async function matchRecord(mdm: MdmClient, query: MatchQuery): Promise<AnyResponse> {
  const { businessEntity, record, matchModel, maxRecords, searchLevel } = query;
  writeRecord(record);
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.match, businessEntity),
    query: { matchmodel: matchModel },
    body: JSON.stringify({ ...record, maxRecordsToReturn: maxRecords, searchLevel }),
    secrets: () => [record],
  });
  const payload = isEmpty(response) ? { hits: 0, records: [] } : readJson(response);
  return { payload, attributes: commonAttributes(response, payload) };
}

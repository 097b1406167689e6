import type { MatchQuery } from '../contract/match-parameters.ts';
import type { AnyResponse } from '../contract/mdm-parameters.ts';
import { commonAttributes } from './attributes.ts';
import type { MdmClient } from './client.ts';
import { pathOf } from './path.ts';
import { writeRecord } from './record.ts';
import { readJson } from './response.ts';

/**
 * Golden records that resemble a record, with scores. The fields travel beside the options, in one object.
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
    idempotent: true,
    secrets: () => [record],
  });
  const payload = readJson(response);
  return { payload, attributes: commonAttributes(response, payload) };
}

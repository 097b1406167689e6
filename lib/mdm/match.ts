import { commonAttributes, type CommonAttributes } from './attributes.ts';
import type { MdmClient } from './client.ts';
import { pathOf } from './path.ts';
import { writeRecord } from './record.ts';
import { readJson } from './response.ts';

export interface MatchQuery {
  readonly businessEntity: string;
  /** Fields to match. */
  readonly record: Record<string, unknown>;
  readonly matchModel?: string;
  readonly maxRecords?: number;
  readonly searchLevel?: string;
}

/**
 * Golden records that resemble a record, with scores. The fields travel beside the options, in one object.
 *
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await matchRecord(mdm, { businessEntity: 'c360.city', record: { name: 'Bon' }, maxRecords: 5 });
 */
export async function matchRecord(
  mdm: MdmClient,
  query: MatchQuery,
): Promise<{ payload: unknown; attributes: CommonAttributes }> {
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

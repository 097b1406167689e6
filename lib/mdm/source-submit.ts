import type { MdmClient } from './client.ts';
import { readObjectIfAny } from './response.ts';
import { commonAttributes, texts, type CommonAttributes } from './attributes.ts';
import { pathOf } from './path.ts';
import { writeRecord } from './record.ts';

export interface Submission {
  businessEntity: string;
  sourceSystem: string;
  /** Without it the API assigns one, so that a second submit makes a duplicate. */
  sourcePKey?: string;
  /** Master record to put it under. */
  businessId?: string;
  record: Record<string, unknown>;
  /** Follow crosswalks between source keys. Default false. */
  resolveCrosswalk?: boolean;
}

export interface Submitted {
  payload: Record<string, unknown>;
  attributes: CommonAttributes & { businessId?: string; approvalRequired?: boolean };
}

/**
 * Creates or updates a source record: the one way to submit, of `source-submit` and of the stream consumer. It is
 * tried again only where `sourcePKey` makes a repetition harmless.
 *
 * @param signal ends the call: what became of the record is then unknown
 * @throws {ConnectorError} `MDM:*`
 * @example
 * await submitSource(mdm, { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1', record: { name: 'Bonn' } });
 */
export async function submitSource(
  mdm: MdmClient,
  submission: Submission,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Submitted> {
  const { businessEntity, sourceSystem, sourcePKey, businessId, record, resolveCrosswalk } = submission;
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.entity, businessEntity),
    query: { sourceSystem, sourcePKey, businessId, _resolveCrosswalk: resolveCrosswalk ? 'true' : undefined },
    body: writeRecord(record),
    idempotent: sourcePKey !== undefined,
    signal,
    secrets: () => [sourcePKey ?? '', businessId ?? '', record],
  });
  const payload = readObjectIfAny(response);
  const { approvalRequired } = payload;
  return {
    payload,
    attributes: {
      ...texts(payload, ['businessId']),
      ...(typeof approvalRequired === 'boolean' && { approvalRequired }),
      ...commonAttributes(response, payload),
    },
  };
}

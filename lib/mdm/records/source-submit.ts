import type { SubmissionParameters } from '../../contract/parameters/mdm.ts';
import type { ChangeResponse } from '../../contract/parameters/source.ts';
import { changeOf } from '../exchange/change.ts';
import type { MdmClient } from '../client/client.ts';
import { pathOf } from '../exchange/path.ts';
import { writeRecord } from './record.ts';
import { stamp } from './source-time.ts';

/** A source record to submit. Without `sourcePKey` the API assigns one, and a second submit creates a duplicate. */
export type Submission = Omit<SubmissionParameters, 'resolveCrosswalk'> &
  Partial<Pick<SubmissionParameters, 'resolveCrosswalk'>> & { sourcePKey?: string };

export type Submitted = ChangeResponse;

/**
 * Creates or updates a source record, for `source-submit` and for the consumer. Retried only if `sourcePKey` makes that
 * safe.
 *
 * @param signal ends the call; the state of the record is then unknown
 * @throws {ConnectorError} `MDM:*`
 * @example
 * const key = { businessEntity: 'c360.city', sourceSystem: 'geonames', sourcePKey: '1' };
 * await submitSource(mdm, { ...key, record: { name: 'Bonn' } });
 */
export async function submitSource(
  mdm: MdmClient,
  submission: Submission,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Submitted> {
  const { businessEntity, sourceSystem, sourcePKey, businessId, record, resolveCrosswalk } = submission;
  const stamped = stamp(mdm.config, record, submission.sourceLastUpdated);
  const response = await mdm.send({
    method: 'POST',
    path: pathOf(mdm.config.paths.entity, businessEntity),
    query: {
      sourceSystem,
      sourcePKey,
      businessId,
      _resolveCrosswalk: resolveCrosswalk ? 'true' : undefined,
      ...stamped.query,
    },
    body: writeRecord(stamped.record),
    signal,
    secrets: () => [sourcePKey ?? '', businessId ?? '', record],
  });
  return changeOf(response);
}
